package merge

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

const stored = `{"id":"pens","name":"Pens","notification_url":"https://a.example","rate_limit":100,
	"mappings":[{"name":"default","max_declines":3,"languages":["de","en"],
		"mids":[{"name":"one","methods":["card"]},{"name":"two","methods":["card"],"weight":2}]}],
	"forms":[{"id":"f1","name":"same"},{"id":"f2","name":"same"}],
	"wallets":{"applepay":{"country":"GB"},"googlepay":{"country":"GB"}}}`

func TestInto(t *testing.T) {
	for name, test := range map[string]struct{ change, want string }{
		"nothing":       {`{"id":"pens"}`, `{}`},
		"a text":        {`{"notification_url":"https://b.example"}`, `{"notification_url":"https://b.example"}`},
		"a member goes": {`{"notification_url":null,"unknown":null}`, `{"notification_url":null}`},
		"a wallet goes": {`{"wallets":{"applepay":null}}`, `{"wallets":{"googlepay":{"country":"GB"}}}`},
		"a plain list":  {`{"mappings":[{"name":"default","languages":["fr"]}]}`, `{"languages":["fr"]}`},
		"a MID": {`{"mappings":[{"name":"default","mids":[{"name":"two","weight":3}]}]}`,
			`{"mids":[{"name":"one","methods":["card"]},{"name":"two","methods":["card"],"weight":3}]}`},
		"a new MID": {`{"mappings":[{"name":"default","mids":[{"name":"new","weight":null}]}]}`,
			`{"mids":[{"name":"one","methods":["card"]},{"name":"two","methods":["card"],"weight":2},{"name":"new"}]}`},
		"another order": {`{"mappings":[{"name":"default","mids":[{"name":"new"},{"name":"two"},{"name":"one"}]}]}`,
			`{"mids":[{"name":"new"},{"name":"two","methods":["card"],"weight":2},{"name":"one","methods":["card"]}]}`},
		"a MID goes": {`{"mappings":[{"name":"default","mids":{"one":null}}]}`,
			`{"mids":[{"name":"two","methods":["card"],"weight":2}]}`},
		"all by names": {`{"mappings":{"default":{"mids":{"one":null,"two":{"weight":5},"x":{}}}}}`,
			`{"mids":[{"name":"two","methods":["card"],"weight":5},{"name":"x"}]}`},
		"by id first": {`{"forms":[{"id":"f2","name":"other"}]}`,
			`{"forms":[{"id":"f1","name":"same"},{"id":"f2","name":"other"}]}`},
		"large numbers":  {`{"rate_limit":12345678901234567890}`, `{"rate_limit":12345678901234567890}`},
		"nulls in items": {`{"schedules":[{"id":"s","interval":null}]}`, `{"schedules":[{"id":"s"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := merged(stored, test.change)
			if err != nil {
				t.Fatal(err)
			}
			all, want := members(t, stored), members(t, test.want)
			mapping := all["mappings"].([]any)[0].(object)
			for name, value := range want {
				switch _, known := mapping[name]; {
				case known:
					mapping[name] = value
				case value == nil:
					delete(all, name)
				default:
					all[name] = value
				}
			}
			expected, _ := json.Marshal(all)
			if string(got) != string(expected) {
				t.Errorf("%s\nwant %s", got, expected)
			}
			again, err := merged(string(got), test.change)
			if err != nil && test.change[:3] != `{"m` || err == nil && string(again) != string(got) {
				t.Errorf("twice: %s %v", again, err)
			}
		})
	}
}

// merged returns a stored object as changed by a text.
func merged(stored, change string) ([]byte, error) {
	by, err := Read([]byte(change))
	if err != nil {
		return nil, err
	}
	return Into([]byte(stored), by)
}

func members(t *testing.T, text string) object {
	t.Helper()
	o, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestIntoRefuses(t *testing.T) {
	for change, want := range map[string]string{
		`{"mappings":[]}`: `mappings: It names nothing. ` +
			`To remove an item, name it, as in {"NAME": null}.`,
		`{"mappings":"default"}`:                                  "mappings: It should be a list, or an object by name.",
		`{"mappings":[{"max_declines":4}]}`:                       "mappings[0]: It has no name.",
		`{"mappings":[{"name":"default"},{"name":"default"}]}`:    `mappings[1]: "default" is there twice.`,
		`{"mappings":{"default":{"mids":{"three":null}}}}`:        "mappings[default].mids[three]: There is none to remove.",
		`{"mappings":[{"name":"default","mids":[{"weight":1}]}]}`: "mappings[default].mids[0]: It has no name.",
		`{"mappings":{"default":7}}`:                              "mappings[default]: It should be an object.",
		`{"name":"a"} {"name":"b"}`:                               "something follows the JSON object",
	} {
		if got, err := merged(stored, change); err == nil || err.Error() != want {
			t.Errorf("%s: %s %v", change, got, err)
		}
	}
}

func TestDifferences(t *testing.T) {
	const change = `{"name":"Pens & more","notification_url":null,"mappings":[{"name":"default","languages":["en"],
		"mids":[{"name":"new"},{"name":"two","weight":3},{"name":"one"}]}],"forms":{"f1":null},"schedules":[{"id":"s"}]}`
	after, err := merged(stored, change)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Differences([]byte(stored), after)
	var got []string
	for _, d := range found {
		got = append(got, fmt.Sprintf("%s (%s): %v, %v %v", d.Path, d.Within, d.Before, d.After, d.Order))
	}
	want := []string{
		`forms[f1] (forms[]): map[id:f1 name:same], <nil> []`,
		`mappings[default].languages (mappings[].languages): [de en], [en] []`,
		`mappings[default].mids[new] (mappings[].mids[]): <nil>, map[name:new] []`,
		`mappings[default].mids[two].weight (mappings[].mids[].weight): 2, 3 []`,
		`mappings[default].mids (mappings[].mids): <nil>, <nil> [new two one]`,
		`name (name): Pens, Pens & more []`,
		`notification_url (notification_url): https://a.example, <nil> []`,
		`schedules (schedules): <nil>, [map[id:s]] []`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %q\nwant %q", err, got, want)
	}
	if same, err := Differences([]byte(stored), []byte(stored)); err != nil || len(same) > 0 {
		t.Errorf("%q %v", same, err)
	}
}

// A place has the names and ids of items, and the line on which a file has it, or what it would be part of.
func TestLinesOfPlaces(t *testing.T) {
	const text = `[{
"id": "a",
"list": [{"name": "x.y"},
  {"name": "z",
   "values": ["1",
     "2"]}],
"by.name": {
  "z": {"weight": 1}}
}]`
	lines, twice, err := ReadLines([]byte(text))
	if err != nil || len(twice) > 0 {
		t.Fatal(twice, err)
	}
	one := lines.Item(0)
	for place, want := range map[string]int{
		"": 1, "id": 2, "list": 3, "list[x.y].name": 3, "list[z]": 4, "list[1].name": 4, "list[z].values[1]": 6,
		"list[z].none.deep": 4, "list[none]": 3, "by.name[z].weight": 8, "by.name.z": 8, "none": 1,
	} {
		if got := one.Of(place); got != want {
			t.Errorf("%s: line %d, want %d", place, got, want)
		}
	}
	const merchant = `{"list":[{"name":"z","deep":[{"min":"1"}]},{"name":"y"}],"same":[{"name":"a"},{"name":"a"}]}`
	for path, want := range map[string]string{
		"list[0].deep[0].min": "list[z].deep[0].min", "list[1]": "list[y]", "same[1].name": "same[1].name",
		"list[7].x": "list[7].x", "none.x[0]": "none.x[0]", "": "",
	} {
		if got := Named([]byte(merchant), path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
