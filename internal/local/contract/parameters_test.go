package contract

import (
	"bytes"
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

// The document's schemas of all parameters are made of the table of methods.
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

// parameterSchemas returns the YAML of Method, Parameters and the parameters of each method.
func parameterSchemas() string {
	var ids []string
	var keyed, own strings.Builder
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered {
			continue
		}
		ids = append(ids, m.ID)
		if method.IsWallet(m.ID) {
			fmt.Fprintf(&keyed, "        %s: { anyOf: [{ $ref: '#/components/schemas/WalletParameters' }, %s]%s }\n",
				m.ID, absent, readFor(m))
		}
		if len(m.Sets) == 0 {
			continue
		}
		name := "Parameters_" + m.ID
		fmt.Fprintf(&own, "    %s:\n      description: %s, %s.\n      type: object\n      properties:\n",
			name, m.Label, m.Name)
		for _, set := range m.Sets {
			own.WriteString(schemaOf{method: m, set: set}.properties(set.Rows, "        "))
		}
		if m.ID == method.Card {
			fmt.Fprintf(&own, "        payee_last_name: { $ref: '#/components/schemas/PayeeName', x-read-for: [%s] }\n", toSaved)
		}
		fmt.Fprintf(&keyed, "        %s: { anyOf: [{ $ref: '#/components/schemas/%s' }, %s]%s }\n",
			m.ID, name, absent, readFor(m))
	}
	return "    Method: { type: string, enum: [" + strings.Join(ids, ", ") + "] }\n" +
		"    Parameters:\n" +
		"      description: 'Keyed by method. The bracket notation `shipping[city]` means the same nesting.'\n" +
		"      type: object\n      properties:\n" + keyed.String() + own.String()
}

// toSaved reads both names of the payee (protocol.md, Fields of operations). The first is a row of C5, too, and the
// last is none.
const (
	toSaved        = "credit with card_token"
	payeeFirstName = "payee_first_name"
)

// schemaOf writes the schemas of the rows of one set.
type schemaOf struct {
	method method.Method
	set    method.Set
	inside bool // of rows of a row, which are read when that is
}

func (s schemaOf) properties(rows []method.Param, indent string) string {
	var all strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&all, "%s%s:%s", indent, row.Name, s.property(row, indent+"  "))
	}
	return all.String()
}

// property returns the schema of a row: what follows its name and colon, up to the end of its last line.
func (s schemaOf) property(row method.Param, indent string) string {
	more := s.rules(row) + s.readFor(row)
	switch {
	case row.Values != nil:
		return " { anyOf: [{ type: string, enum: [\"" + strings.Join(row.Values, "\", \"") + "\"] }, " +
			absent + "]" + more + " }\n"
	case row.Type != method.TypeObject && row.Type != method.TypeList:
		return " { $ref: '#/components/schemas/" + typeName(row.Type) + "'" + more + " }\n"
	}
	member := "\n" + indent
	text := strings.ReplaceAll(more, ", x-", member+"x-") + member + "anyOf:"
	if row.Type == method.TypeList {
		text += member + "  - type: array" + member + "    maxItems: 1000" + member + "    items:" +
			member + "      anyOf:" + s.object(row, indent+"        ") +
			member + "        - " + absent + member + "  - { $ref: '#/components/schemas/ListAsObject' }"
	} else {
		text += s.object(row, indent+"  ")
	}
	if row.Short != "" {
		text += member + "  - { $ref: '#/components/schemas/N13' }"
	}
	return text + member + "  - " + absent + "\n"
}

// object returns the alternative of anyOf that has the members of a row.
func (s schemaOf) object(row method.Param, indent string) string {
	s.inside = true
	return "\n" + indent + "- type: object\n" + indent + "  properties:\n" +
		strings.TrimSuffix(s.properties(row.Rows, indent+"    "), "\n")
}

// rules returns x-rule of a row, "" if its schema says all.
func (s schemaOf) rules(row method.Param) string {
	var rules []string
	if row.MustBeSent() && !s.set.Extra {
		rules = append(rules, "Required if methods names "+s.method.ID+"; without it, "+s.method.ID+" is not offered.")
	}
	if row.Check != "" {
		rules = append(rules, "Of the form "+string(row.Check)+".")
	}
	for _, rule := range s.set.Rules {
		rules = append(rules, "The set: "+rule.Name+".")
	}
	if others := s.others(row); len(others) > 0 {
		rules = append(rules, "Needs beside it: "+strings.Join(others, ", ")+".")
	}
	if s.method.ID == method.Card && row.Name == payeeFirstName {
		rules = append(rules, "At most 32 characters for a credit.")
	}
	if len(rules) == 0 {
		return ""
	}
	return ", x-rule: \"" + strings.Join(rules, " ") + "\""
}

// others returns the rows that are required if one of a set of extra parameters is sent.
func (s schemaOf) others(row method.Param) []string {
	var names []string
	for _, other := range s.set.Rows {
		if s.set.Extra && other.MustBeSent() && other.Name != row.Name {
			names = append(names, other.Name)
		}
	}
	return names
}

// readFor returns x-read-for of a row, "" if every operation of its method reads it.
func (s schemaOf) readFor(row method.Param) string {
	if s.inside || len(s.set.Operations) == 0 {
		return ""
	}
	read := operationsOf(s.set.Operations)
	if s.method.ID == method.Card && row.Name == payeeFirstName {
		read = append(read, toSaved)
	}
	return ", x-read-for: [" + strings.Join(read, ", ") + "]"
}

// readFor returns x-read-for of all parameters of a method. A credit with a saved card always pays to that card.
func readFor(m method.Method) string {
	read := operationsOf(m.Operations)
	for i, operation := range read {
		if operation == string(method.Credit) && m.ID != method.Card {
			read[i] += " without card_token"
		}
	}
	if len(read) == 0 {
		return ""
	}
	return ", x-read-for: [" + strings.Join(read, ", ") + "]"
}

func operationsOf(operations []method.Operation) (names []string) {
	for _, operation := range operations {
		names = append(names, string(operation))
	}
	return names
}
