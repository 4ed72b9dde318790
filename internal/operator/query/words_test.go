package query

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/words"
	"checkout/internal/reason"
)

// constants returns the values of a file's constants that have a type.
func constants(t *testing.T, path, typeName string) (values []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		literal, isText := spec.Values[0].(*ast.BasicLit)
		if of, named := spec.Type.(*ast.Ident); isText && named && of.Name == typeName {
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return true
	})
	if len(values) == 0 {
		t.Fatalf("%s has no %s", path, typeName)
	}
	return values
}

// withPayment are the states of sessions with a payment, whose status is shown instead.
var withPayment = []checkout.SessionState{
	checkout.SessionProcessing, checkout.SessionComplete, checkout.SessionDeclined, checkout.SessionHeld,
}

// Every state of a row, every reason, every act and every filter has words, and a list offers every state.
func TestEverythingHasWords(t *testing.T) {
	d := words.Describe()
	var rows []string
	rows = append(rows, constants(t, "../../checkout/payment/payment.go", "Status")...)
	for _, state := range constants(t, "../../checkout/session.go", "SessionState") {
		if !slices.Contains(withPayment, checkout.SessionState(state)) {
			rows = append(rows, state)
		}
	}
	var offered []string
	for _, f := range d.Filters {
		if f.Name == "status" {
			offered = slices.Clone(f.Choices)
		}
		if f.Label == "" || !slices.Contains([]string{"text", "choice", "day", "amount"}, f.Kind) ||
			f.Kind == "choice" && f.Name != "merchant" && len(f.Choices) == 0 {
			t.Errorf("filter %+v", f)
		}
	}
	for _, state := range rows {
		w := d.Statuses[state]
		if w.Label == "" || w.Means == "" || w.Tell == "" || !slices.Contains([]string{"nobody", "payer", "merchant",
			"provider", "service", "operator"}, w.Turn) ||
			!slices.Contains([]string{"ok", "wait", "bad", "off"}, w.Shape) {
			t.Errorf("status %s: %+v", state, w)
		}
	}
	slices.Sort(rows)
	if slices.Sort(offered); !slices.Equal(offered, rows) || len(d.Statuses) != len(rows) {
		t.Errorf("%q are offered and %d have words, of %q", offered, len(d.Statuses), rows)
	}
	for _, row := range reason.All {
		if w := d.ReasonCodes[string(row.Code)]; w.Text == "" || w.Tell == "" || w.Retry == "" {
			t.Errorf("reason %s: %+v", row.Code, w)
		}
	}
	if len(d.ReasonCodes) != len(reason.All) {
		t.Errorf("%d reasons have words, of %d", len(d.ReasonCodes), len(reason.All))
	}
	for act, w := range d.Acts {
		if w.Label == "" || w.Does == "" {
			t.Errorf("act %s: %+v", act, w)
		}
	}
	members := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Row]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		members[name] = true
	}
	for _, c := range d.Columns {
		if c.Label == "" || !members[c.Name] {
			t.Errorf("column %+v", c)
		}
	}
}

// Every act that is offered for a payment or a callback has words, whatever the payment's status and requests are, and
// one that is not possible says why.
func TestPossibleActsHaveWords(t *testing.T) {
	l, seen := newListed(t), map[string]bool{words.ActSend: true, words.ActNote: true, words.ActRetry: true}
	jobs := []payment.Jobs{nil, {{Kind: payment.JobCharge, SentAt: l.Now}}, {{Kind: payment.JobRefund, Person: true}}}
	for _, status := range constants(t, "../../checkout/payment/payment.go", "Status") {
		for _, of := range jobs {
			p := &payment.Payment{Status: payment.Status(status), Jobs: of}
			for _, act := range l.possible(person(grant.Finance, grant.AllMerchants), p, nil, l.Now) {
				seen[act.Act] = true
				if act.Label == "" || act.Label != words.Acts[act.Act].Label || act.Allowed == (act.Why != "") {
					t.Errorf("%s: %+v", status, act)
				}
			}
		}
	}
	for _, state := range []checkout.SessionState{
		checkout.SessionOpen, checkout.SessionProcessing, checkout.SessionComplete,
	} {
		sess := &checkout.Session{State: state, ExpiresAt: l.Now.Add(time.Hour)}
		for _, act := range possibleEnd(person(grant.Admin, grant.AllMerchants), sess, l.Now) {
			seen[act.Act] = true
			if act.Label == "" || act.Allowed != (state == checkout.SessionOpen) || act.Allowed == (act.Why != "") {
				t.Errorf("session %s: %+v", state, act)
			}
		}
	}
	if len(seen) != len(words.Acts) {
		t.Errorf("offered %v, with words %v", seen, words.Acts)
	}
}
