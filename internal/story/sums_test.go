package story

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"checkout/internal/grant"
	"checkout/internal/operator"
)

// Totals are the sums of the lines that are exported, and what the provider's ledger has: of payments that are paid,
// declined, captured, voided and refunded, whatever goes wrong.
func TestTotalsAreTheLedger(t *testing.T) {
	w := open(t, operations)
	for i, expiry := range []string{"01/38", "02/38", "01/39", "04/39", "01/38", "02/40", "04/40", "07/40", "01/38"} {
		payer := w.shop.visits(pen(i), with("auth", i == 4 || i == 8), knownPayer)
		payer.pays(expiry)
		w.pass(5 * time.Minute)
		switch id := payer.paymentID(); {
		case i == 4:
			w.shop.captures(id, "7.00")
		case i == 0:
			w.shop.voids(id)
		case i != 1 && i != 8:
			w.shop.refunds(id, "3.01")
		}
		w.pass(10 * time.Minute)
	}
	w.indexes()
	f := operator.Filter{Mode: "test"}
	lines, err := w.app.Operator.Journal(t.Context(), everybody, f)
	if err != nil {
		t.Fatal(err)
	}
	totals, err := w.app.Operator.Totals(t.Context(), everybody, f)
	if err != nil || len(totals.Sums) != 1 || totals.Lines != len(lines.Lines) || totals.Cursor != "" {
		t.Fatalf("%+v, %v", totals, err)
	}
	paid, returned := Cents(t, ""), Cents(t, "")
	for _, line := range lines.Lines {
		switch text, minus := strings.CutPrefix(line.Moved, "-"); {
		case text == "":
		case minus:
			returned = plus(t, returned, text)
		default:
			paid = plus(t, paid, text)
		}
	}
	captured, refunded := Cents(t, ""), Cents(t, "")
	for _, c := range w.charges() {
		if c.Voided {
			continue
		}
		captured = plus(t, captured, c.Captured.String())
		refunded = plus(t, refunded, c.Refunded.String())
	}
	net, _ := captured.Sub(refunded)
	sum := totals.Sums[0]
	if sum.Net != net.String() || sum.Paid != paid.String() || sum.Returned != returned.String() || sum.Attempts != 9 ||
		sum.Accepted != 8 {
		t.Errorf("%+v; lines: paid %s, returned %s; ledger: captured %s, refunded %s", sum, paid, returned, captured,
			refunded)
	}
	f.MID = "nobody"
	if totals, err = w.app.Operator.Totals(t.Context(), everybody, f); err != nil || totals.Lines != 0 {
		t.Errorf("of another MID: %+v, %v", totals, err)
	}
	f.MID, f.Card, f.Country = "", "1111", "DE"
	if totals, err = w.app.Operator.Totals(t.Context(), everybody, f); err != nil || totals.Lines != len(lines.Lines) {
		t.Errorf("by the card: %d of %d lines, %v", totals.Lines, len(lines.Lines), err)
	}
	if f.Card = "4242"; f.Card != "" {
		if totals, err = w.app.Operator.Totals(t.Context(), everybody, f); err != nil || totals.Lines != 0 {
			t.Errorf("by another card: %+v, %v", totals, err)
		}
	}
}

// Nothing that an operator is shown has a card's number, a security code, a secret of the shop, a token or the part of
// a session's id that opens it. Who sees masked data sees no e-mail address either.
func TestOperatorsSeeNoSecret(t *testing.T) {
	w := open(t, operations)
	w.shop.responds(500)
	payer := w.shop.visits("pen-1", knownPayer, with("req_token", true), with("recurring_init", true))
	payer.pays("01/38")
	w.pass(time.Hour)
	w.indexes()
	p := payer.payment()
	secrets := []string{TestCard, password, callbackSecret, payer.session[32:], p.CardToken, p.RecurringToken, p.SavedCard}
	masked := holder(grant.Viewer, grant.AllMerchants)
	for _, by := range []grant.Person{everybody, masked} {
		var shown []any
		add := func(all any, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			shown = append(shown, all)
		}
		test := operator.Filter{Mode: "test"}
		view, err := w.app.Operator.View(t.Context(), by, p.ID)
		add(view, err)
		list, err := w.app.Operator.Payments(t.Context(), by, test)
		add(list, err)
		found, err := w.app.Operator.Find(t.Context(), by, payer.session, test)
		add(found, err)
		lines, err := w.app.Operator.Journal(t.Context(), by, test)
		add(lines, err)
		told, err := w.app.Operator.Deliveries(t.Context(), by, test, "")
		add(told, err)
		addresses, err := w.app.Operator.Addresses(t.Context(), by)
		add(addresses, err)
		if len(list.Rows) != 1 || len(found.Rows) != 1 || told.Waiting != 1 || len(addresses) != 1 {
			t.Errorf("%+v, %+v, %+v, %+v", list, found, told, addresses)
		}
		text, err := json.Marshal(shown)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range secrets {
			if secret != "" && strings.Contains(string(text), secret) {
				t.Errorf("%q is shown in %s", secret, text)
			}
		}
		if got := strings.Contains(string(text), "Ann@pens.example"); got == (by.Grants[0].Role == grant.Viewer) {
			t.Errorf("the address is shown: %t", got)
		}
	}
}
