package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/operator/query"
	"checkout/internal/settings"
	"checkout/internal/store"
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
	f := query.Filter{Mode: "test"}
	lines, err := w.app.Reader.Journal(t.Context(), everybody, f)
	if err != nil {
		t.Fatal(err)
	}
	totals, err := w.app.Reader.Totals(t.Context(), everybody, f)
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
}

// providerSecret is a credential of MIDs that have one.
const providerSecret = "of-the-provider"

func hasSecret(m *settings.Merchant) {
	m.Mappings[0].MIDs[0].Credentials = map[string]string{"secret": providerSecret}
}

// operatorsSeeNoSecret checks that neither responses to operators nor the log, the audit log or the listing has the
// number or the security code of a card, a secret of a merchant or a provider, a token by which a card is charged, or
// the part of a session's id that opens its page.
func (w *World) operatorsSeeNoSecret(responses string) {
	w.t.Helper()
	places := map[string]string{"responses": responses, "log": w.log.String()}
	secrets := map[string][]string{"secret": {password, strings.TrimPrefix(callbackSecret, "whsec_"), providerSecret}}
	for _, r := range w.app.Store.Dump() {
		text := r.Key.Partition + " " + r.Key.Sort + " " + string(r.Doc) + "\n"
		if _, isAct := store.AuditDay(r.Key); isAct {
			places["audit log"] += text
		}
		if r.Key.InListing() {
			places["listing"] += text
		}
		var of struct{ Rest string }
		if store.IsSession(r.Key) && r.Decode(&of) == nil {
			if id, err := store.SessionID(r.Key, of.Rest); err == nil {
				secrets["session"] = append(secrets["session"], id[32:])
			}
		}
	}
	for _, p := range w.Stored(w.t) {
		for _, token := range []string{p.CardToken, p.RecurringToken, p.SavedCard} {
			if token != "" {
				secrets["token"] = append(secrets["token"], token)
			}
		}
	}
	if len(places) != 4 || len(secrets) != 3 {
		w.t.Errorf("only %d places and %d kinds of secrets", len(places), len(secrets))
	}
	for place, text := range places {
		if showsNumber(text) || shows(text, securityCode) {
			w.t.Errorf("the %s: a card's number or security code", place)
		}
		for kind, all := range secrets {
			for _, secret := range all {
				if strings.Contains(text, secret) {
					w.t.Errorf("the %s: a %s", place, kind)
				}
			}
		}
	}
}
