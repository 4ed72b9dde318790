package checkout

import (
	"go/ast"
	"go/parser"
	files "go/token"
	"strconv"
	"strings"
	"testing"
)

// Merchants are told a text for every reason that there is.
func TestEveryReasonHasAText(t *testing.T) {
	file, err := parser.ParseFile(files.NewFileSet(), "reason.go", nil, 0)
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
		if text := (&ScreenReason{Code: ReasonCode(code)}).text(); err != nil || text == "" {
			t.Errorf("%s has no text: %v", spec.Names[0].Name, err)
		}
		codes++
		return true
	})
	if codes != len(reasonTexts) {
		t.Errorf("%d codes, %d texts", codes, len(reasonTexts))
	}
}

func TestReasonOfAResult(t *testing.T) {
	for _, test := range []struct {
		result   Result
		code     ReasonCode
		merchant string
	}{
		{Result{}, ReasonDeclined, "Declined by processing."},
		{Result{Reason: "Call your bank."}, ReasonDeclined, "Call your bank."},
		{Result{Reason: "Zu wenig Geld.", ReasonLanguage: "de", ReasonCode: ReasonInsufficientFunds}, ReasonInsufficientFunds, "Zu wenig Geld."},
		{declineFor(ReasonUnreachable), ReasonUnreachable, "The payment provider can't be reached."},
	} {
		reason := test.result.reason()
		if reason.Code != test.code || reason.Words != test.result.Reason || reason.Language != test.result.ReasonLanguage || reason.text() != test.merchant {
			t.Errorf("%+v: %+v, merchants are told %q", test.result, reason, reason.text())
		}
	}
}
