package reason

import (
	"fmt"
	"go/ast"
	"go/parser"
	files "go/token"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/request/requesttest"
)

// Every reason code has a text for merchants.
func TestEveryReasonHasAText(t *testing.T) {
	file, err := parser.ParseFile(files.NewFileSet(), "reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !spec.Names[0].IsExported() {
			return true
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		code, err := strconv.Unquote(literal.Value)
		if text := (&Reason{Code: Code(code)}).Text(); err != nil || text == "" {
			t.Errorf("%s has no text: %v", spec.Names[0].Name, err)
		}
		codes++
		return true
	})
	if codes != len(All) {
		t.Errorf("%d codes, %d texts", codes, len(All))
	}
}

// The table of infra/protocol.md is that of the code.
func TestProtocolHasTheReasons(t *testing.T) {
	var want strings.Builder
	for _, row := range All {
		soft, payer := "", ""
		if row.Soft {
			soft = "yes"
		}
		if row.Payer != "" {
			payer = "`" + string(row.Payer) + "`"
		}
		fmt.Fprintf(&want, "| `%s` | %s | %s | %s | %s |\n", row.Code, soft, payer, row.Meaning, row.Text)
	}
	if !strings.Contains(requesttest.Protocol(t), "|---|---|---|---|---|\n"+want.String()+"\n") {
		t.Errorf("infra/protocol.md has not these rows:\n%s", want.String())
	}
}
