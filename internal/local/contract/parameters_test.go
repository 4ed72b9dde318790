package contract

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/internal/method"
)

var update = flag.Bool("update", false, "rewrite the generated schemas of infra/openapi.yaml")

// The lines that enclose the generated schemas.
const (
	generatedFrom = "    # Generated from the table of methods: go test ./internal/local/contract -run Generated -update\n"
	generatedTo   = "    # End of what is generated.\n"
)

// The document's schemas of all parameters but those of cards are made of the table of methods.
func TestParametersAreGenerated(t *testing.T) {
	path := filepath.Join(root, "infra", "openapi.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begins := bytes.Cut(text, []byte(generatedFrom))
	_, tail, ends := bytes.Cut(rest, []byte(generatedTo))
	if !begins || !ends {
		t.Fatal("openapi.yaml has no generated schemas")
	}
	want := slices.Concat(head, []byte(generatedFrom), []byte(parameterSchemas()), []byte(generatedTo), tail)
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(text, want) {
		t.Error("openapi.yaml differs from the table of methods; see the change with -update and git diff")
	}
}

// absent is the alternative of a value that was not sent.
const absent = "{ $ref: '#/components/schemas/Absent' }"

// parameterSchemas returns the YAML of Method, Parameters and the parameters of each method without a card.
func parameterSchemas() string {
	var ids, keyed, own []string
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered {
			continue
		}
		ids = append(ids, m.ID)
		if len(m.Sets) == 0 {
			continue
		}
		name := "CardParameters"
		if m.ID != method.Card {
			name = "Parameters_" + m.ID
			own = append(own, fmt.Sprintf("    %s:\n      description: %s, %s.\n      type: object\n      properties:\n%s",
				name, m.Label, m.Name, properties(m, "        ")))
		}
		keyed = append(keyed, fmt.Sprintf("        %s: { anyOf: [{ $ref: '#/components/schemas/%s' }, %s] }\n",
			m.ID, name, absent))
	}
	return "    Method: { enum: [" + strings.Join(ids, ", ") + "] }\n" +
		"    Parameters:\n" +
		"      description: 'Keyed by method. The bracket notation `shipping[city]` means the same nesting.'\n" +
		"      type: object\n      properties:\n" + strings.Join(keyed, "") + strings.Join(own, "")
}

func properties(m method.Method, indent string) string {
	var all strings.Builder
	for _, set := range m.Sets {
		for _, row := range set.Rows {
			fmt.Fprintf(&all, "%s%s: { %s }\n", indent, row.Name, property(m, row))
		}
	}
	return all.String()
}

// property returns the members of a row's schema.
func property(m method.Method, row method.Param) string {
	rules := []string{}
	if row.MustBeSent() {
		rules = append(rules, "Required if methods names "+m.ID+"; without it, "+m.ID+" is not offered.")
	}
	if row.Check != "" {
		rules = append(rules, "Of the form "+string(row.Check)+".")
	}
	for _, set := range m.Sets {
		for _, rule := range set.Rules {
			rules = append(rules, "The set: "+rule.Name+".")
		}
	}
	rule := ""
	if len(rules) > 0 {
		rule = ", x-rule: \"" + strings.Join(rules, " ") + "\""
	}
	switch {
	case row.Values != nil:
		return "anyOf: [{ enum: [\"" + strings.Join(row.Values, "\", \"") + "\"] }, " + absent + "]" + rule
	case row.Type == method.TypeObject:
		alternatives := objectSchema(m, row)
		if row.Short != "" {
			alternatives += ", { $ref: '#/components/schemas/Number' }"
		}
		return "anyOf: [" + alternatives + ", " + absent + "]" + rule
	case row.Type == method.TypeList:
		return "anyOf: [{ type: array, maxItems: 1000, items: { anyOf: [" + objectSchema(m, row) + ", " + absent +
			"] } }, { $ref: '#/components/schemas/ListAsObject' }, " + absent + "]" + rule
	}
	return "$ref: '#/components/schemas/" + cmp.Or(typeNames[row.Type], row.Type) + "'" + rule
}

func objectSchema(m method.Method, row method.Param) string {
	var members []string
	for _, in := range row.Rows {
		members = append(members, in.Name+": { "+property(m, in)+" }")
	}
	return "{ type: object, properties: { " + strings.Join(members, ", ") + " } }"
}
