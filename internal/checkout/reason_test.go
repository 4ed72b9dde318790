package checkout

import (
	"go/ast"
	"go/parser"
	files "go/token"
	"strconv"
	"strings"
	"testing"

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

func TestReasonOfAResult(t *testing.T) {
	for _, test := range []struct {
		result   Result
		code     screen.ReasonCode
		merchant string
	}{
		{Result{}, screen.ReasonDeclined, "Declined by processing."},
		{Result{Reason: "Call your bank."}, screen.ReasonDeclined, "Call your bank."},
		{
			Result{Reason: "Zu wenig Geld.", ReasonLanguage: "de", ReasonCode: screen.ReasonInsufficientFunds},
			screen.ReasonInsufficientFunds, "Zu wenig Geld.",
		},
		{declineFor(screen.ReasonUnreachable), screen.ReasonUnreachable, "The payment provider can't be reached."},
	} {
		reason := reasonOf(test.result)
		want := screen.Reason{Code: test.code, Words: test.result.Reason, Language: test.result.ReasonLanguage}
		if *reason != want || reason.Text() != test.merchant {
			t.Errorf("%+v: %+v, text %q", test.result, reason, reason.Text())
		}
	}
}
