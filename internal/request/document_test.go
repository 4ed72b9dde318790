package request

import (
	"os"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// schema is a schema of infra/openapi.yaml.
type schema struct {
	Properties map[string]struct {
		ReadFor []string `yaml:"x-read-for"`
	}
}

// The API document has each field of a session request, for the operations that have it, and no other.
func TestFieldsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../infra/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct{ Schemas map[string]yaml.Node }
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string]map[string][]string{
		"SessionRequest": operationsOf(sessionFields), "Order": operationsOf(orderFields),
		"Customer":      operationsOf(customerFields),
		"PostalAddress": operationsOf(addressFields), "Payee": operationsOf(payeeFields),
	} {
		var documented schema
		node := document.Components.Schemas[name]
		if err := node.Decode(&documented); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for field := range documented.Properties {
			if _, found := rows[field]; !found {
				t.Errorf("%s.%s is in the document alone", name, field)
			}
		}
		for field, operations := range rows {
			property, found := documented.Properties[field]
			if !found {
				t.Errorf("%s.%s is not in the document", name, field)
			}
			if got := readFor(property.ReadFor); !slices.Equal(got, operations) {
				t.Errorf("%s.%s is documented for %v, and read for %v", name, field, got, operations)
			}
		}
	}
}

// operationsOf returns the fields of a table with the operations that have them, sorted.
func operationsOf[T any](rows []field[T]) map[string][]string {
	all := map[string][]string{}
	for _, row := range rows {
		all[row.name] = nil
		for _, operation := range row.operations {
			all[row.name] = append(all[row.name], string(operation))
		}
		slices.Sort(all[row.name])
	}
	return all
}

// readFor returns the operations of x-read-for, sorted, without the fields that some of them require.
func readFor(rules []string) []string {
	var operations []string
	for _, rule := range rules {
		operation, _, _ := strings.Cut(rule, " ")
		operations = append(operations, operation)
	}
	slices.Sort(operations)
	return slices.Compact(operations)
}
