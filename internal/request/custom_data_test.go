package request

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFlatten(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"absent", ``, ``},
		{"null", `null`, ``},
		{"empty object", `{}`, ``},
		{"empty list", `[]`, ``},
		{"order of keys", `{"b":"2","a":"1"}`, `custom_data[b]=2 custom_data[a]=1`},
		{"kinds", `{"n":10.50,"e":1E+2,"big":12345678901234567890,"t":true,"f":false,"z":null,"s":"","o":{},"l":[]}`,
			`custom_data[n]=10.50 custom_data[e]=1E+2 custom_data[big]=12345678901234567890 custom_data[t]=true ` +
				`custom_data[f]=false custom_data[s]=`},
		{"nested", `{"a":{"b":{"c":"1"}},"list":["x",{"k":[1,null,2]}]}`,
			`custom_data[a][b][c]=1 custom_data[list][0]=x custom_data[list][1][k][0]=1 custom_data[list][1][k][2]=2`},
		{"a list", `["x","y"]`, `custom_data[0]=x custom_data[1]=y`},
		{"a value", `"x"`, `custom_data=x`},
		{"broken", `{"a":"1","b":`, `custom_data[a]=1`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, field := range Flatten(json.RawMessage(test.raw)) {
				got = append(got, field.Name+"="+field.Value)
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("got  %s\nwant %s", s, test.want)
			}
		})
	}
}

func TestFlattenIsBounded(t *testing.T) {
	key := strings.Repeat("k", 100_000)
	for _, element := range []string{`"x"`, `null`, `[]`} {
		raw := `{"first":"1","` + key + `":[` + strings.Repeat(element+",", 30_000) + `1]}`
		fields := Flatten(json.RawMessage(raw))
		size := 0
		for _, field := range fields {
			size += len(field.Name) + len(field.Value)
		}
		if size > customDataLimit {
			t.Errorf("%s: %d bytes of fields", element, size)
		}
		if len(fields) == 0 || fields[0] != (Field{Name: "custom_data[first]", Value: "1"}) {
			t.Errorf("%s: the first field is missing", element)
		}
	}
}

// No custom_data of at most smallData bytes is too large in a callback, so it need not be measured.
func TestSmallDataIsNeverTooLarge(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, data string) {
		if size := echoSize(Flatten(json.RawMessage(data))); len(data) <= smallData && size > maxEcho {
			t.Fatalf("%d bytes become %d: %s", len(data), size, data)
		}
	}
	for key := range smallData - 4 { // one long name with a list of as many elements as fit
		for _, c := range []string{"k", "\u2028"} {
			name := strings.Repeat(c, key/len(c))
			check(t, `{"`+name+`":[`+strings.Repeat("1,", max(0, smallData-len(name)-9)/2)+`1]}`)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, drawJSON(t, 3)) })
}

// drawJSON draws a JSON object.
func drawJSON(t *rapid.T, depth int) string {
	var members []string
	for range rapid.IntRange(0, 6).Draw(t, "members") {
		text, _ := json.Marshal(rapid.String().Draw(t, "name"))
		value := rapid.SampledFrom([]string{"1", "-0.5e7", "null", "true", `"x"`, "[]", "[[[]]]"}).Draw(t, "value")
		if depth > 0 && rapid.Bool().Draw(t, "nested") {
			value = drawJSON(t, depth-1)
		}
		members = append(members, string(text)+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}"
}
