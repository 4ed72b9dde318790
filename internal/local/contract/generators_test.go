package contract

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGeneratorsCanReadTheDocuments checks the rules that generators of clients need beside OpenAPI's, so that all
// tests find most of what TestClients would.
func TestGeneratorsCanReadTheDocuments(t *testing.T) {
	for _, name := range []string{"openapi.yaml", "openapi-client.yaml", "admin.yaml", "adapter.yaml"} {
		for _, found := range readFile(t, name).unreadable() {
			t.Error("infra/" + name + ": " + found)
		}
	}
	client := fmt.Sprint(readFile(t, "openapi-client.yaml"))
	for _, word := range []string{"anyOf", "oneOf", "Absent", "pattern:", "const:", "x-rule", "webhooks"} {
		if strings.Contains(client, word) {
			t.Errorf("infra/openapi-client.yaml has %s", word)
		}
	}
}

func TestUnreadableSchemasAreFound(t *testing.T) {
	text := map[string]any{"type": "string"}
	for want, schemas := range map[string]map[string]any{
		"":                           {"A": map[string]any{"type": "object", "properties": map[string]any{"type": text}}},
		"A: type is a list":          {"A": map[string]any{"type": []any{"string", "null"}}},
		"A: an enum without a type":  {"A": map[string]any{"anyOf": []any{map[string]any{"enum": []any{1, "1"}}}}},
		"A: a const without a type":  {"A": map[string]any{"const": true}},
		"A: an array without items":  {"A": map[string]any{"type": "array"}},
		"A: a default":               {"A": map[string]any{"type": "integer", "default": 1}},
		"A10: named like one of A1":  {"A1": map[string]any{"anyOf": []any{text}}, "A10": text},
		"Void: a word of a language": {"Void": text},
		"A: a schema that is false":  {"A": map[string]any{"properties": map[string]any{"b": false}}},
		"Need.need: named like its own": {"Need": map[string]any{
			"properties": map[string]any{"need": map[string]any{"type": "object"}}}},
		"A.code: named like ACode": {"ACode": text, "A": map[string]any{
			"properties": map[string]any{"code": map[string]any{"type": "string", "enum": []any{"x"}}}}},
	} {
		d := document{"components": map[string]any{"schemas": schemas}}
		if found := strings.Join(d.unreadable(), "; "); !strings.HasPrefix(found, want) || (want == "") != (found == "") {
			t.Errorf("%q, not %q", found, want)
		}
	}
}

// unreadable says what generators stumble on.
func (d document) unreadable() (found []string) {
	schemas := d.object("components", "schemas")
	for name := range d.object("components", "parameters") {
		if schemas[name] != nil {
			found = append(found, name+": a parameter and a schema")
		}
	}
	for _, name := range names(schemas) {
		if slices.Contains([]string{"Void", "List", "Dict", "Any", "Union", "Optional"}, name) {
			found = append(found, name+": a word of a language, which generators leave as it is")
		}
		schema, _ := asObject(schemas[name])
		for _, fault := range faultsOf(schema) {
			found = append(found, name+": "+fault)
		}
		for _, other := range names(schemas) {
			alternatives, _ := schemas.object(other)["anyOf"].([]any)
			if i, err := strconv.Atoi(strings.TrimPrefix(name, other)); err == nil && i < len(alternatives) {
				found = append(found, name+": named like one of "+other+"'s alternatives")
			}
		}
		for field, property := range schema.object("properties") {
			inline, _ := asObject(property)
			if flat(field) == flat(name) && (inline["type"] == "array" || inline["type"] == "object") {
				found = append(found, name+"."+field+": named like its own schema")
			}
			same := func(other string) bool { return flat(other) == flat(name+field) }
			if i := slices.IndexFunc(names(schemas), same); i >= 0 && inline["enum"] != nil {
				found = append(found, name+"."+field+": named like "+names(schemas)[i])
			}
		}
	}
	return found
}

// flat is a name as generators compare it.
func flat(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// faultsOf says what is wrong with a schema, or a schema in it.
func faultsOf(value any) (found []string) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			found = append(found, faultsOf(item)...)
		}
		return found
	case document:
		return faultsOf(map[string]any(v))
	case map[string]any:
		for _, name := range names(v) {
			// conditions are not read for types
			if !slices.Contains([]string{"example", "examples", "if", "then", "else"}, name) {
				found = append(found, faultsOf(v[name])...)
			}
		}
		return append(found, ownFaults(document(v))...)
	}
	return nil
}

func ownFaults(schema document) (found []string) {
	of, typed := schema["type"].(string)
	_, isList := schema["type"].([]any)
	_, listed := schema["enum"].([]any)
	fixed, isConst := schema["const"]
	_, isObject := asObject(fixed)
	value, standard := schema["default"]
	properties := slices.Collect(maps.Values(schema.object("properties")))
	_, isSchema := asObject(value)
	for fault, there := range map[string]bool{
		"type is a list":         isList,
		"an enum without a type": listed && !typed,
		// const and default may be the names of properties
		"a const without a type":                       isConst && !isObject && !typed,
		"an array without items":                       of == "array" && schema["items"] == nil,
		"a default, which makes the property required": standard && !isSchema && of != "",
		"a schema that is false":                       slices.Contains(properties, any(false)),
	} {
		if there {
			found = append(found, fault)
		}
	}
	return found
}
