package request

import (
	"go/ast"
	"go/parser"
	files "go/token"
	"slices"
	"strings"
	"testing"

	"checkout/internal/method"
	"checkout/internal/request/requesttest"
)

// The tables of infra/protocol.md have the fields that are read, in their order.
func TestProtocolHasTheFields(t *testing.T) {
	var common, ofOperations []string
	for i := range sessionFields {
		row := &sessionFields[i]
		if row.operations == nil && !slices.Contains([]string{"crypto", "payer_ip", "form_id"}, row.name) {
			common = append(common, row.name)
		} else {
			ofOperations = append(ofOperations, row.name)
		}
	}
	for heading, want := range map[string][]string{
		"Common fields": common, "Fields of operations": ofOperations,
		"Order": names(orderFields), "Customer": names(customerFields), "Addresses": names(addressFields),
	} {
		var got []string
		for _, row := range requesttest.ProtocolRows(t, heading) {
			got = append(got, strings.Trim(row[0], "`"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", heading, got, want)
		}
	}
	for _, row := range requesttest.ProtocolRows(t, "Fields of operations") {
		i := slices.IndexFunc(sessionFields, func(f field[Session]) bool { return requesttest.Code(f.name) == row[0] })
		if i >= 0 && row[2] != operationsText(sessionFields[i].operations) {
			t.Errorf("%s is of %s, not of %q", row[0], operationsText(sessionFields[i].operations), row[2])
		}
	}
}

func names[T any](fields []field[T]) (all []string) {
	for i := range fields {
		all = append(all, fields[i].name)
	}
	return all
}

func operationsText(operations []method.Operation) string {
	if operations == nil {
		return "all"
	}
	var all []string
	for _, o := range operations {
		all = append(all, string(o))
	}
	return strings.Join(all, " ")
}

// The second table of Errors has each code of a fault.
func TestProtocolHasTheCodes(t *testing.T) {
	file, err := parser.ParseFile(files.NewFileSet(), "../fault/errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && strings.HasPrefix(spec.Names[0].Name, "Number") && len(spec.Values) == 1 {
			want = append(want, requesttest.Code(spec.Values[0].(*ast.BasicLit).Value))
		}
		return true
	})
	for _, row := range requesttest.ProtocolRows(t, "Errors") {
		if strings.HasPrefix(row[0], "`") {
			got = append(got, row[0])
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
