// Package border makes values at the borders of the schemas of an OpenAPI document: for each list, pattern, length,
// bound and required member one that is just inside and one that is just outside. Tests send them to whoever has to
// refuse what the document refuses.
package border

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"gopkg.in/yaml.v3"
)

// Document is an OpenAPI document, with its schemas by their JSON pointers, such as /components/schemas/Order.
type Document struct {
	root     map[string]any
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema // by pointer
	samples  map[string]any                // by pointer
	forms    map[string]*regexp.Regexp     // by pattern
	tried    map[string]bool               // pointers of rules that a value broke
	rules    map[string]bool               // pointers of rules that values were made for
}

// New reads a document of YAML.
func New(text []byte) (*Document, error) {
	d := &Document{
		compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{},
		samples: map[string]any{}, forms: map[string]*regexp.Regexp{},
		tried: map[string]bool{}, rules: map[string]bool{},
	}
	if err := yaml.Unmarshal(text, &d.root); err != nil {
		return nil, err
	}
	whole, err := json.Marshal(d.root)
	if err != nil {
		return nil, err
	}
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(whole))
	if err != nil {
		return nil, err
	}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	return d, d.compiler.AddResource(resource, read)
}

const resource = "document.json"

var escaped, unescaped = strings.NewReplacer("~", "~0", "/", "~1"), strings.NewReplacer("~1", "/", "~0", "~")

// At returns the part of the document at a pointer, nil if there is none.
func (d *Document) At(pointer string) any {
	var part any = d.root
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = unescaped.Replace(token)
		switch of := part.(type) {
		case map[string]any:
			part = of[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(of) {
				return nil
			}
			part = of[i]
		default:
			return nil
		}
	}
	return part
}

// Resolve returns the pointer of what the part at a pointer refers to by $ref, or of the part itself.
func (d *Document) Resolve(pointer string) string {
	if ref, ok := d.schema(pointer)["$ref"].(string); ok {
		return strings.TrimPrefix(ref, "#")
	}
	return pointer
}

// Pointer returns the pointer of a path of names.
func Pointer(names ...string) (pointer string) {
	for _, name := range names {
		pointer += "/" + escaped.Replace(name)
	}
	return pointer
}

// schema returns the schema at a pointer, empty if there is none.
func (d *Document) schema(pointer string) map[string]any {
	schema, _ := d.At(pointer).(map[string]any)
	return schema
}

// Broken returns the pointers of the rules of a schema that a value breaks, none if the document accepts it.
func (d *Document) Broken(pointer string, value any) []string {
	schema := d.compiled[pointer]
	if schema == nil {
		var err error
		if schema, err = d.compiler.Compile(resource + "#" + pointer); err != nil {
			return []string{err.Error()}
		}
		d.compiled[pointer] = schema
	}
	var invalid *jsonschema.ValidationError
	if err := schema.Validate(value); err == nil {
		return nil
	} else if !errors.As(err, &invalid) {
		return []string{err.Error()}
	}
	broken := leaves(invalid)
	for _, rule := range broken {
		d.tried[rule] = true
	}
	return broken
}

// leaves returns the pointers of the rules at the ends of an error.
func leaves(e *jsonschema.ValidationError) (rules []string) {
	if _, ok := e.ErrorKind.(*kind.FalseSchema); ok || len(e.Causes) == 0 {
		_, pointer, _ := strings.Cut(e.SchemaURL, "#")
		return []string{pointer + Pointer(e.ErrorKind.KeywordPath()...)}
	}
	for _, cause := range e.Causes {
		rules = append(rules, leaves(cause)...)
	}
	return rules
}

// Untried returns the rules that values were made for and no value broke.
func (d *Document) Untried() (rules []string) {
	for rule := range d.rules {
		if !d.tried[rule] {
			rules = append(rules, rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// options returns the pointers of a schema and all its alternatives, with those that it refers to.
func (d *Document) options(pointer string) []string {
	schema := d.schema(pointer)
	all := []string{pointer}
	if ref, ok := schema["$ref"].(string); ok {
		all = append(all, d.options(strings.TrimPrefix(ref, "#"))...)
	}
	for _, word := range []string{"anyOf", "allOf", "oneOf"} {
		list, _ := schema[word].([]any)
		for i := range list {
			all = append(all, d.options(fmt.Sprint(pointer, "/", word, "/", i))...)
		}
	}
	for _, word := range []string{"then", "else"} {
		if schema[word] != nil {
			all = append(all, d.options(pointer+"/"+word)...)
		}
	}
	return all
}
