// Package strict makes the document for generators of clients, infra/openapi-client.yaml, of infra/openapi.yaml: what a
// merchant's backend calls, with one type for each field.
package strict

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

const (
	schemaRef = "#/components/schemas/"
	head      = "# Generated from openapi.yaml: go test ./internal/local/contract -run Generated -update\n"
	about     = `
What a merchant's backend calls, for generators of clients: one type for each field, the one that openapi.yaml has
first. What it says of lengths and forms is checked by the service alone, since settings allow more of some. Texts
of responses may have values that this document does not list. A status request has no size: with it the response
is a list.

A hash is sha1_hex(md5_hex(upper(text))), SHA-1 over the 32 lower-case hex characters; each operation says what its
text is. It ends with the merchant's password, which is never sent.
`
)

// document is a whole document. Open are the schemas that responses or callbacks have: they may get new values.
type document struct {
	root, schemas *yaml.Node
	open          map[string]bool
}

// Document returns the document for generators. The text is that of infra/openapi.yaml.
func Document(openapi []byte) ([]byte, error) {
	var read yaml.Node
	if err := yaml.Unmarshal(openapi, &read); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	d := document{root: plain(read.Content[0]), open: map[string]bool{}}
	d.schemas = at(d.root, "components", "schemas")
	paths := d.merchantPaths()
	for _, part := range d.sent(paths) {
		d.reach(part, d.open)
	}
	schemas := object()
	for name, schema := range members(d.schemas) {
		set(schemas, name, d.strict(schema, d.open[name]))
	}
	drop(at(schemas, "StatusRequest", "properties"), "size") // with it the response is a list
	d.schemas = schemas
	d.walk(paths, false)
	set(d.root, "paths", paths)
	d.walk(at(d.root, "components", "responses"), true)
	d.walk(at(d.root, "components", "parameters"), false)
	for _, schema := range members(schemas) {
		d.inline(schema)
	}
	d.inline(paths)
	return d.write()
}

// merchantPaths are the paths of the merchant API, without what no client reads.
func (d document) merchantPaths() *yaml.Node {
	paths := object()
	for path, item := range members(at(d.root, "paths")) {
		for _, operation := range members(item) {
			if tags := items(at(operation, "tags")); len(tags) == 0 || tags[0].Value != "merchant" {
				continue
			}
			d.plainOperation(operation)
			set(paths, path, item)
		}
	}
	return paths
}

// plainOperation leaves out examples, links and headers, and writes callbacks where they are, as JSON alone.
func (d document) plainOperation(operation *yaml.Node) {
	drop(at(operation, "requestBody", "content", "application/json"), "examples")
	for _, response := range members(at(operation, "responses")) {
		drop(response, "headers", "links")
	}
	for _, callback := range members(at(operation, "callbacks")) {
		for address, item := range members(callback) {
			hook := d.resolve(item)
			body := at(hook, "post", "requestBody", "content")
			drop(body, "application/x-www-form-urlencoded")
			drop(at(body, "application/json"), "examples")
			set(at(hook, "post"), "operationId", word("paymentEvent"))
			set(callback, address, hook)
		}
	}
}

// sent are the parts of the document that the service sends: its responses and callbacks.
func (d document) sent(paths *yaml.Node) (parts []*yaml.Node) {
	parts = append(parts, at(d.root, "components", "responses"))
	for _, item := range members(paths) {
		for _, operation := range members(item) {
			parts = append(parts, at(operation, "responses"), at(operation, "callbacks"))
		}
	}
	return parts
}

// resolve follows a $ref, and returns a copy.
func (d document) resolve(n *yaml.Node) *yaml.Node {
	ref := text(n, "$ref")
	if ref == "" {
		return n
	}
	return plain(at(d.root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...))
}

// reach notes the schemas that a part of the document refers to, and those that they refer to.
func (d document) reach(n *yaml.Node, found map[string]bool) {
	if n == nil {
		return
	}
	if name, is := strings.CutPrefix(text(n, "$ref"), schemaRef); is && !found[name] {
		found[name] = true
		d.reach(at(d.schemas, name), found)
	}
	for _, value := range n.Content {
		d.reach(value, found)
	}
}

// walk makes the schemas strict that stand in a part of the document.
func (d document) walk(n *yaml.Node, open bool) {
	for name, value := range members(n) {
		if name == "schema" {
			set(n, name, d.strict(value, open))
		} else {
			d.walk(value, open || name == "responses" || name == "callbacks")
		}
	}
	for _, item := range items(n) {
		d.walk(item, open)
	}
	if n != nil && at(n, "in") != nil {
		drop(n, "x-rule")
	}
}

// inline puts schemas that are one value in the place of the $ref to them, so that models are made of objects and
// enums alone.
func (d document) inline(n *yaml.Node) {
	for _, value := range n.Content {
		d.inline(value)
	}
	name, is := strings.CutPrefix(text(n, "$ref"), schemaRef)
	target := at(d.schemas, name)
	if !is || text(target, "type") == "object" || at(target, "enum") != nil {
		return
	}
	d.inline(target)
	described := text(n, "description")
	n.Content = plain(target).Content
	drop(n, "example") // that of any such value
	withText(n, described)
}

// write returns the document with those components that something refers to.
func (d document) write() ([]byte, error) {
	used := map[string]bool{}
	responses, parameters := at(d.root, "components", "responses"), at(d.root, "components", "parameters")
	for name, response := range members(responses) {
		drop(response, "headers")
		if !refers(at(d.root, "paths"), "#/components/responses/"+name) {
			drop(responses, name)
		}
	}
	for name := range members(parameters) {
		if !refers(at(d.root, "paths"), "#/components/parameters/"+name) {
			drop(parameters, name)
		}
	}
	d.reach(at(d.root, "paths"), used)
	d.reach(responses, used)
	schemas := object()
	for name, schema := range members(d.schemas) {
		if used[name] {
			set(schemas, name, schema)
		}
	}
	info := at(d.root, "info")
	drop(at(info, "license"), "identifier")
	set(info, "description", word(strings.TrimPrefix(about, "\n")))
	whole := object("openapi", "3.0.3", "info", info, "servers", at(d.root, "servers"),
		"tags", list(items(at(d.root, "tags"))[:1]...), "paths", at(d.root, "paths"),
		"components", object("parameters", parameters, "responses", responses, "schemas", schemas))
	short(whole)
	var out bytes.Buffer
	out.WriteString(head)
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	err := encoder.Encode(whole)
	return out.Bytes(), err
}

func refers(n *yaml.Node, ref string) bool {
	inside := func(value *yaml.Node) bool { return refers(value, ref) }
	return text(n, "$ref") == ref || slices.ContainsFunc(n.Content, inside)
}
