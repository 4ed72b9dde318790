package contract

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// The lines that enclose the generated types of a file of the page. The first one names the document.
const (
	typesFrom = "// Generated from infra/%s: go test ./internal/local/contract -run Generated -update\n\n"
	typesTo   = "// End of what is generated.\n"
)

// The types of what the page receives and sends are made of the documents: those named here, and all that they have.
func TestTypesAreGenerated(t *testing.T) {
	for document, to := range map[string]struct{ file, roots string }{
		"openapi.yaml": {"src/service/screen.ts", "Screen PayRequest SecondForm"},
		"admin.yaml": {"admin/types.ts",
			"Mode Me Overview Listing Found View Totals Deliveries Address Circuit Shut Grant Session Entry Done Sent " +
				"BulkSent Uses SecretView ApprovalList Chain ChainList ChainDone BlockList"},
	} {
		path := filepath.Join(root, "infra", "page", filepath.FromSlash(to.file))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		from := fmt.Appendf(nil, typesFrom, document)
		head, rest, begins := bytes.Cut(text, from)
		_, tail, ends := bytes.Cut(rest, []byte(typesTo))
		if !begins || !ends {
			t.Fatalf("%s has no generated types", to.file)
		}
		types := []byte(readTypes(t, document).write(strings.Fields(to.roots)))
		want := slices.Concat(head, from, types, []byte(typesTo), tail)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(text, want) {
			t.Errorf("%s differs from %s; see the change with -update and git diff", to.file, document)
		}
	}
}

// typed is a schema, as far as a type of TypeScript tells it.
type typed struct {
	Ref         string `yaml:"$ref"`
	Type        string
	Description string
	Enum        []string
	AnyOf       []*typed `yaml:"anyOf"`
	Items       *typed
	Properties  yaml.Node // in the order of the document
	Required    []string
	Values      *typed `yaml:"additionalProperties"`
}

// UnmarshalYAML reads a schema; true and false, of other properties, are an empty one.
func (s *typed) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return nil
	}
	type plain typed
	return node.Decode((*plain)(s))
}

// typesOf are the schemas of a document by their names.
type typesOf map[string]*typed

func readTypes(t *testing.T, document string) typesOf {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "infra", document))
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Components struct{ Schemas typesOf } }
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d.Components.Schemas
}

// write returns the declarations of types, and of the objects that they refer to.
func (s typesOf) write(names []string) string {
	var all strings.Builder
	for i := 0; i < len(names); i++ {
		refer := func(name string) string {
			if s[name].Type != "object" && !slices.Contains(names, name) {
				return ""
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			return name
		}
		one := s[names[i]]
		if one.Description != "" {
			all.WriteString(folded("/** ", one.Description+" */", " * "))
		}
		switch {
		case len(one.Enum) > 0:
			fmt.Fprintf(&all, "export type %s = \"%s\";\n\n", names[i], strings.Join(one.Enum, `" | "`))
		case one.Properties.Kind == 0:
			fmt.Fprintf(&all, "export type %s = %s;\n\n", names[i], s.name(one, refer))
		default:
			fmt.Fprintf(&all, "export interface %s {\n%s}\n\n", names[i], s.members(one, refer))
		}
	}
	return all.String()
}

// members returns the members of an object, each with its description in a comment.
func (s typesOf) members(object *typed, refer func(string) string) string {
	var all strings.Builder
	for i := 0; i < len(object.Properties.Content); i += 2 {
		name, member := object.Properties.Content[i].Value, &typed{}
		if err := object.Properties.Content[i+1].Decode(member); err != nil {
			panic(err)
		}
		if !slices.Contains(object.Required, name) {
			name += "?"
		}
		line, comment := "  "+name+": "+s.name(member, refer)+";", member.Description
		if n := len(member.Enum); n > 0 && n < 9 {
			comment = strings.TrimSpace(strings.Join(member.Enum, ", ") + ". " + comment)
		}
		switch {
		case comment != "" && len(line)+len(comment) < 116:
			line += " // " + comment
		case comment != "":
			all.WriteString(folded("  // ", comment, "  // "))
		}
		all.WriteString(line + "\n")
	}
	return all.String()
}

// name returns the expression of a type. A text of which the document lists the values is any string unless it is
// declared, because a page that is older than the service gets others. refer returns "" for what is not declared.
func (s typesOf) name(one *typed, refer func(string) string) string {
	if name := strings.TrimPrefix(one.Ref, "#/components/schemas/"); name != "" {
		if declared := refer(name); declared != "" {
			return declared
		}
		return s.name(s[name], refer)
	}
	switch {
	case len(one.AnyOf) > 0:
		var names []string
		for _, alternative := range one.AnyOf {
			names = append(names, s.name(alternative, refer))
		}
		return strings.Join(names, " | ")
	case one.Type == "array":
		return s.name(one.Items, refer) + "[]"
	case one.Type == "object" && one.Values != nil:
		return "Record<string, " + s.name(one.Values, refer) + ">"
	case one.Type == "integer":
		return "number"
	case one.Type == "":
		panic(fmt.Sprintf("a schema without a type: %+v", one))
	}
	return one.Type
}

// folded returns lines of at most 120 characters; those after the first begin with next.
func folded(first, text, next string) string {
	var all strings.Builder
	line := first
	for i, word := range strings.Split(text, " ") {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > 120:
			all.WriteString(line + "\n")
			line = next + word
		default:
			line += " " + word
		}
	}
	return all.String() + line + "\n"
}
