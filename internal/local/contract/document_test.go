package contract

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// root is the repository's folder.
var root = filepath.Join("..", "..", "..")

// document is infra/openapi.yaml or infra/admin.yaml, or a part of it.
type document map[string]any

func read(t *testing.T) document { return readFile(t, "openapi.yaml") }

func readAdmin(t *testing.T) document { return readFile(t, "admin.yaml") }

func readFile(t *testing.T, name string) document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "infra", name))
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any // with mappings of the same type inside
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// at returns the value at a path of names, nil if there is none.
func (d document) at(path ...string) any {
	var value any = d
	for _, name := range path {
		object, _ := asObject(value)
		value = object[name]
	}
	return value
}

// object returns the object at a path of names, also by a $ref. It is empty if there is none.
func (d document) object(path ...string) document {
	object, _ := asObject(d.at(path...))
	return d.resolve(object)
}

func asObject(value any) (document, bool) {
	switch v := value.(type) {
	case document:
		return v, true
	case map[string]any:
		return v, true
	}
	return nil, false
}

// resolve follows $ref and adds the members beside it.
func (d document) resolve(object document) document {
	ref, ok := object["$ref"].(string)
	if !ok {
		return object
	}
	target := maps.Clone(d.object(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...))
	for name, value := range object {
		if name != "$ref" {
			target[name] = value
		}
	}
	return target
}

// schema returns components/schemas/<name>.
func (d document) schema(t *testing.T, name string) document {
	t.Helper()
	s := d.object("components", "schemas", name)
	if len(s) == 0 {
		t.Fatalf("no schema %s", name)
	}
	return s
}

// names are the names of an object's members, sorted.
func names[V any](object map[string]V) []string { return slices.Sorted(maps.Keys(object)) }

// texts is a list of texts, such as required or an enum.
func texts(value any) (list []string) {
	items, _ := value.([]any)
	for _, item := range items {
		list = append(list, fmt.Sprint(item))
	}
	return list
}

// options are a schema and all its alternatives.
func (d document) options(schema document) []document {
	schema = d.resolve(schema)
	found := []document{schema}
	for _, word := range []string{"anyOf", "allOf"} {
		list, _ := schema[word].([]any)
		for _, option := range list {
			object, _ := asObject(option)
			found = append(found, d.options(object)...)
		}
	}
	return found
}

// properties are the members that an object of the schema may have, with their schemas.
func (d document) properties(schema document) map[string]document {
	all := map[string]document{}
	for _, option := range d.options(schema) {
		for name, property := range option.object("properties") {
			all[name], _ = asObject(property)
		}
	}
	return all
}

// fault says what is wrong with a JSON value under a schema, "" if nothing. It knows the keywords that the document
// uses for responses, and allows no member that the document does not name.
func (d document) fault(schema document, value any) string {
	schema = d.resolve(schema)
	if list, ok := schema["anyOf"].([]any); ok {
		var faults []string
		for _, option := range list {
			object, _ := asObject(option)
			found := d.fault(object, value)
			if found == "" {
				return ""
			}
			faults = append(faults, found)
		}
		return strings.Join(faults, "; or ")
	}
	if want, ok := schema["const"]; ok && want != value {
		return fmt.Sprintf("%v is not %v", value, want)
	}
	if list, ok := schema["enum"]; ok && !slices.Contains(texts(list), fmt.Sprint(value)) {
		return fmt.Sprintf("%v is none of %v", value, list)
	}
	switch v := value.(type) {
	case map[string]any:
		return d.objectFault(schema, v)
	case []any:
		return d.listFault(schema, v)
	}
	return scalarFault(schema, value)
}

func (d document) objectFault(schema document, value map[string]any) string {
	if !isType(schema, "object") {
		return "an object"
	}
	properties, patterns := d.properties(schema), schema.object("patternProperties")
	for _, option := range d.options(schema) {
		for _, name := range texts(option["required"]) {
			if _, ok := value[name]; !ok {
				return "no " + name
			}
		}
	}
	for _, name := range names(value) {
		property, ok := properties[name]
		for pattern, matched := range patterns {
			if regexp.MustCompile(pattern).MatchString(name) {
				property, ok = asObject(matched)
			}
		}
		if !ok && len(properties) > 0 {
			return name + " is not in the document"
		}
		if found := d.fault(property, value[name]); found != "" {
			return name + ": " + found
		}
	}
	return ""
}

func (d document) listFault(schema document, list []any) string {
	if !isType(schema, "array") {
		return "a list"
	}
	if least, ok := schema["minItems"].(int); ok && len(list) < least {
		return "too short a list"
	}
	items, _ := asObject(schema["items"])
	for i, item := range list {
		if found := d.fault(items, item); found != "" {
			return fmt.Sprintf("[%d]: %s", i, found)
		}
	}
	return ""
}

func scalarFault(schema document, value any) string {
	switch v := value.(type) {
	case nil:
		if !isType(schema, "null") {
			return "null"
		}
	case bool:
		if !isType(schema, "boolean") {
			return "a boolean"
		}
	case string:
		if !isType(schema, "string") {
			return "a text"
		}
		if pattern, ok := schema["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(v) {
			return fmt.Sprintf("%q is not like %s", v, pattern)
		}
		if least, ok := schema["minLength"].(int); ok && utf8.RuneCountInString(v) < least {
			return fmt.Sprintf("%q is too short", v)
		}
		if most, ok := schema["maxLength"].(int); ok && utf8.RuneCountInString(v) > most {
			return fmt.Sprintf("%q is too long", v)
		}
	default: // a number
		if !isType(schema, "integer", "number") {
			return "a number"
		}
		n, whole := v.(int)
		least, hasLeast := schema["minimum"].(int)
		most, hasMost := schema["maximum"].(int)
		if whole && (hasLeast && n < least || hasMost && n > most) {
			return fmt.Sprintf("%d is not from %v to %v", n, schema["minimum"], schema["maximum"])
		}
	}
	return ""
}

// isType reports whether a schema's type is one of these. A schema without a type allows all.
func isType(schema document, wanted ...string) bool {
	switch of := schema["type"].(type) {
	case string:
		return slices.Contains(wanted, of)
	case []any:
		return slices.ContainsFunc(texts(of), func(one string) bool { return slices.Contains(wanted, one) })
	}
	return true
}

// TestEveryReferenceIsThere checks that whatever a $ref of a document names is in it.
func TestEveryReferenceIsThere(t *testing.T) {
	for _, name := range []string{"openapi.yaml", "admin.yaml"} {
		t.Run(name, func(t *testing.T) { checkReferences(t, readFile(t, name)) })
	}
}

func checkReferences(t *testing.T, d document) {
	found := 0
	var walk func(value any)
	walk = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				found++
				if d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...) == nil {
					t.Errorf("there is no %s", ref)
				}
			}
			for _, name := range names(v) {
				walk(v[name])
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(map[string]any(d))
	if found < 100 {
		t.Errorf("only %d references were found", found)
	}
}

func TestFaultFindsWhatIsWrong(t *testing.T) {
	d := document{"components": map[string]any{"schemas": map[string]any{"id": map[string]any{"type": "string",
		"pattern": "^a"}}}}
	schema := document{"type": "object", "required": []any{"id"}, "properties": map[string]any{
		"id":   map[string]any{"$ref": "#/components/schemas/id"},
		"kind": map[string]any{"enum": []any{"x", "y"}},
		"list": map[string]any{"type": "array", "minItems": 1,
			"items": map[string]any{"anyOf": []any{map[string]any{"type": "integer"}, map[string]any{"type": "null"}}}},
		"flag": map[string]any{"const": true},
	}}
	for _, test := range []struct {
		value any
		ok    bool
	}{
		{map[string]any{"id": "a", "kind": "x", "list": []any{1, nil}, "flag": true}, true},
		{map[string]any{}, false},
		{map[string]any{"id": "b"}, false},
		{map[string]any{"id": 1}, false},
		{map[string]any{"id": "a", "more": 1}, false},
		{map[string]any{"id": "a", "kind": "z"}, false},
		{map[string]any{"id": "a", "list": []any{}}, false},
		{map[string]any{"id": "a", "list": []any{"1"}}, false},
		{map[string]any{"id": "a", "flag": false}, false},
		{[]any{}, false}, {"a", false}, {nil, false}, {true, false}, {1, false},
	} {
		if found := d.fault(schema, test.value); (found == "") != test.ok {
			t.Errorf("%v: %q", test.value, found)
		}
	}
}
