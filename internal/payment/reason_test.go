package payment

import (
	"fmt"
	"go/ast"
	"go/parser"
	files "go/token"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/request/requesttest"
	"checkout/internal/screen"
)

// Every reason code has a text for merchants.
func TestEveryReasonHasAText(t *testing.T) {
	file, err := parser.ParseFile(files.NewFileSet(), "../screen/reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Reason") {
			return true
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		code, err := strconv.Unquote(literal.Value)
		if text := (&screen.Reason{Code: screen.ReasonCode(code)}).Text(); err != nil || text == "" {
			t.Errorf("%s has no text: %v", spec.Names[0].Name, err)
		}
		codes++
		return true
	})
	if codes != len(screen.Reasons) {
		t.Errorf("%d codes, %d texts", codes, len(screen.Reasons))
	}
}

// The table of infra/protocol.md is that of the code.
func TestProtocolHasTheReasons(t *testing.T) {
	var want strings.Builder
	for _, row := range screen.Reasons {
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

func TestReasonOfAResult(t *testing.T) {
	for _, test := range []struct {
		result   connector.Result
		code     screen.ReasonCode
		merchant string
	}{
		{connector.Result{}, screen.ReasonDeclined, "Declined by processing."},
		{connector.Result{Reason: "Call your bank."}, screen.ReasonDeclined, "Call your bank."},
		{
			connector.Result{Reason: "Zu wenig Geld.", ReasonLanguage: "de", ReasonCode: screen.ReasonInsufficientFunds},
			screen.ReasonInsufficientFunds, "Zu wenig Geld.",
		},
		{DeclineFor(screen.ReasonUnreachable), screen.ReasonUnreachable, "The payment provider can't be reached."},
	} {
		reason := ReasonOf(test.result)
		want := screen.Reason{Code: test.code, Words: test.result.Reason, Language: test.result.ReasonLanguage}
		if *reason != want || reason.Text() != test.merchant {
			t.Errorf("%+v: %+v, text %q", test.result, reason, reason.Text())
		}
	}
}
