package strict

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// checked are the words that only the service checks, and those that OpenAPI 3.0 does not know.
var checked = []string{"pattern", "minLength", "maxLength", "minItems", "maxItems", "maxProperties", "exclusiveMinimum",
	"patternProperties", "propertyNames", "const", "examples", "x-rule", "x-read-for"}

// absent are the schemas of what counts as not sent, or stands for a list.
var absent = []string{"Absent", "AbsentAddress", "ListAsObject"}

// strict returns a schema with one type. Open is one of responses: it may get new values.
func (d document) strict(schema *yaml.Node, open bool) *yaml.Node {
	described := sentences(schema)
	if ref := text(schema, "$ref"); ref != "" {
		return withText(object("$ref", ref), described)
	}
	nullable := false
	if alternatives := d.alternatives(schema); len(alternatives) > 0 {
		nullable = open && isNullable(schema)
		schema = d.first(schema, alternatives)
	}
	if parts := items(at(schema, "allOf")); len(parts) > 0 {
		schema = d.merged(parts, true)
	}
	if text(schema, "$ref") != "" && nullable {
		return object("nullable", truth(), "allOf", list(object("$ref", text(schema, "$ref"))))
	}
	if text(schema, "$ref") != "" {
		return withText(schema, described)
	}
	return d.typed(schema, described, open, nullable)
}

// typed gives a schema that is no alternative its type and texts, and makes what is in it strict.
func (d document) typed(schema *yaml.Node, described string, open, nullable bool) *yaml.Node {
	if values := items(at(schema, "enum")); len(values) > 0 && open {
		var names []string
		for _, value := range values {
			names = append(names, value.Value)
		}
		if len(names) > 1 {
			described = strings.TrimSpace(described + "\nNow one of " + strings.Join(names, ", ") + ".")
		}
		drop(schema, "enum")
	}
	if examples := items(at(schema, "examples")); len(examples) > 0 {
		set(schema, "example", examples[0])
	}
	if at(schema, "type") == nil {
		set(schema, "type", word("string"))
	}
	drop(schema, checked...)
	withText(schema, described)
	if nullable {
		set(schema, "nullable", truth())
	}
	properties := at(schema, "properties")
	for name, property := range members(properties) {
		if ref := strings.TrimPrefix(text(property, "$ref"), schemaRef); slices.Contains(absent, ref) {
			drop(properties, name)
		} else {
			set(properties, name, d.strict(property, open))
		}
	}
	if open && properties != nil { // some generators refuse members that are not listed
		set(schema, "additionalProperties", truth())
	}
	for _, name := range []string{"items", "additionalProperties"} {
		if inner := at(schema, name); inner != nil && inner.Kind == yaml.MappingNode {
			set(schema, name, d.strict(inner, open))
		}
	}
	return schema
}

// withText adds a description, if there is one.
func withText(schema *yaml.Node, description string) *yaml.Node {
	if description != "" {
		set(schema, "description", word(description))
	}
	return schema
}

// sentences are what a schema says of itself: its description, its rule and its length.
func sentences(schema *yaml.Node) string {
	said := []string{strings.TrimSpace(text(schema, "description")), text(schema, "x-rule")}
	first := schema
	if alternatives := items(at(schema, "anyOf")); len(alternatives) > 0 {
		first = alternatives[0]
	}
	if length := text(first, "maxLength"); length != "" && !strings.Contains(said[1], length) {
		said = append(said, fmt.Sprintf("At most %s characters.", length))
	}
	return strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), " ")
}

// alternatives are those of a schema that are a value.
func (d document) alternatives(schema *yaml.Node) (left []*yaml.Node) {
	for _, one := range items(at(schema, "anyOf")) {
		if !slices.Contains(absent, strings.TrimPrefix(text(one, "$ref"), schemaRef)) && text(one, "type") != "null" {
			left = append(left, one)
		}
	}
	return left
}

func isNullable(schema *yaml.Node) bool {
	return slices.ContainsFunc(items(at(schema, "anyOf")), func(n *yaml.Node) bool { return text(n, "type") == "null" })
}

// first returns the first alternative: without its rules if another one is of its type, and with the members of all of
// them where they are objects.
func (d document) first(schema *yaml.Node, alternatives []*yaml.Node) *yaml.Node {
	one := alternatives[0]
	of := text(d.resolve(one), "type")
	same := slices.DeleteFunc(slices.Clone(alternatives), func(other *yaml.Node) bool {
		return text(d.resolve(other), "type") != of
	})
	switch {
	case len(same) > 1 && of == "object":
		return d.merged(same, false)
	case len(same) > 1:
		one = object("type", of)
	}
	one = plain(one)
	if examples := at(schema, "examples"); examples != nil && at(one, "$ref") == nil {
		set(one, "examples", examples)
	}
	return one
}

// merged returns an object with the members of all parts. What it requires is what each of them does, or, of parts
// that hold at once, what any does.
func (d document) merged(parts []*yaml.Node, atOnce bool) *yaml.Node {
	properties, required := object(), list()
	count := map[string]int{}
	for _, part := range parts {
		part = d.resolve(part)
		for name, property := range members(at(part, "properties")) {
			if at(properties, name) == nil || text(at(properties, name), "$ref") == schemaRef+"Absent" {
				set(properties, name, property)
			}
		}
		for _, name := range items(at(part, "required")) {
			count[name.Value]++
		}
	}
	for name := range members(properties) {
		if count[name] == len(parts) || atOnce && count[name] > 0 {
			required.Content = append(required.Content, word(name))
		}
	}
	out := object("type", "object")
	if len(required.Content) > 0 {
		set(out, "required", required)
	}
	set(out, "properties", properties)
	return out
}
