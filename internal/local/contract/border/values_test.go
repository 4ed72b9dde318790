package border

import (
	"strings"
	"testing"
)

// small has one rule of each kind, all of which begin with a good value.
const small = `
components: {schemas: {Whole: {
  type: object, required: [text, code], additionalProperties: false,
  properties: {
    text: {type: string, minLength: 2, maxLength: 5},
    code: {type: string, pattern: '^[A-Z]{3}$'},
    kind: {type: string, enum: [a, b]},
    only: {const: x},
    many: {anyOf: [{type: integer, minimum: 1, maximum: 9}, {type: string, pattern: '^[1-9]$'}]},
    above: {type: number, exclusiveMinimum: 0},
    list: {type: array, minItems: 1, maxItems: 3, items: {$ref: '#/components/schemas/Item'}},
    label: {type: object, minProperties: 1, maxProperties: 2, propertyNames: {pattern: '^[a-z]{2}$'},
      additionalProperties: {type: string, maxLength: 4}}
  },
  allOf: [{if: {properties: {kind: {const: b}}, required: [kind]}, then: {required: [label]}}]},
  Item: {type: object, required: [id], properties: {id: {type: string, maxLength: 3}}}}}
`

// Every rule of a schema is broken by a value, and kept by one at its border.
func TestEveryRuleIsTried(t *testing.T) {
	d, err := New([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	good := map[string]any{"text": "abc", "code": "USD", "kind": "b", "label": map[string]any{"en": "a"}}
	whole, accepted, refused := Pointer("components", "schemas", "Whole"), map[string]bool{}, map[string]bool{}
	for _, v := range d.Values(whole, good) {
		place := strings.Join(v.Place, ".")
		if len(d.Broken(whole, v.Body)) > 0 {
			refused[place] = true
		} else {
			accepted[place] = true
		}
	}
	if untried := d.Untried(); len(untried) > 0 {
		t.Errorf("nothing breaks %s", untried)
	}
	if len(d.rules) < 17 {
		t.Errorf("only %d rules", len(d.rules))
	}
	for _, place := range strings.Fields("text code kind only many above list label label.aa list.0.id") {
		if !accepted[place] || !refused[place] {
			t.Errorf("%s: accepted %v, refused %v", place, accepted[place], refused[place])
		}
	}
	if accepted["no_such"] || good["text"] != "abc" || len(good) != 4 {
		t.Errorf("the good value is %v", good)
	}
}

// A pointer leads to its part of the document, and a value that breaks a rule is told by that rule's.
func TestBrokenRules(t *testing.T) {
	d, err := New([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	whole := "/components/schemas/Whole"
	for body, want := range map[string]string{
		"toolong": whole + "/properties/text/maxLength", "a": whole + "/properties/text/minLength", "abc": "",
	} {
		got := strings.Join(d.Broken(whole, map[string]any{"text": body, "code": "USD"}), " ")
		if got != want {
			t.Errorf("%s breaks %q, want %q", body, got, want)
		}
	}
	if d.At(whole+"/properties/text/maxLength") != 5 || d.At("/components/a~1b") != nil ||
		Pointer("a/b", "~") != "/a~1b/~0" {
		t.Error("a pointer is not followed")
	}
}
