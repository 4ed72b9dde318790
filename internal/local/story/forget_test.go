package story

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/operator/forget"
	"checkout/internal/operator/grant"
)

// A payer is forgotten in what has ended: payments, their sessions and callbacks, rows and find entries. Running chains
// and what is open are named, and stay as they are until they end, too.
func TestForget(t *testing.T) {
	w := open(t, monthly(nil))
	all := grant.Grant{Who: "ann", Role: grant.Admin, Mode: grant.Both, Merchants: []string{grant.AllMerchants}}
	w.grants(all)
	for _, number := range []string{"pen-1", "pen-2"} {
		w.shop.visits(number, knownPayer, with("custom_data", map[string]any{"note": "Ann likes blue"})).pays("01/38")
		w.skip(time.Minute)
	}
	chained := w.shop.visits("pen-3", knownPayer, with("recurring_init", true), with("schedule_id", "monthly"))
	chained.pays("01/38")
	w.shop.responds(http.StatusInternalServerError)
	w.shop.visits("pen-4", knownPayer).pays("01/38")
	w.work()
	if err := w.app.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	stored := func(number string) string {
		var text strings.Builder
		for _, r := range w.app.Store.Dump() {
			if doc := string(r.Doc); !strings.HasPrefix(r.Key.Partition, "idempotency/") && strings.Contains(doc, number) {
				text.WriteString(doc)
			}
		}
		return text.String()
	}
	call := func(a apiCall) (found forget.Found) {
		t.Helper()
		a.who = "ann"
		out := w.admin(a)
		if err := json.Unmarshal(out.Body.Bytes(), &found); err != nil || out.Code != http.StatusOK {
			t.Fatalf("%d %s", out.Code, out.Body)
		}
		return found
	}
	look := apiCall{method: "GET", path: "/admin/v1/forget?email=ann@PENS.example"}
	seen := call(look)
	if seen.Ended != 2 || !slices.Equal(seen.Chains, []string{chained.paymentID()}) || len(seen.Open) != 1 {
		t.Fatalf("%+v", seen)
	}
	body := because("email", "ann@pens.example")
	body["expected"] = 1
	out := w.admin(apiCall{who: "ann", method: "POST", path: "/admin/v1/forget", body: body})
	if out.Code != http.StatusBadRequest {
		t.Errorf("of another number: %d %s", out.Code, out.Body)
	}
	body["expected"] = 2
	if done := call(apiCall{method: "POST", path: "/admin/v1/forget", body: body}); done.Ended != 2 {
		t.Errorf("%+v", done)
	}
	if err := w.app.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, number := range []string{"pen-1", "pen-2"} {
		for _, value := range []string{"Ann", "Bonn", "Hof 1", "53111", "pens.example"} {
			if strings.Contains(strings.ReplaceAll(stored(`"`+number+`"`), "https://pens.example", ""), value) {
				t.Errorf("%s still has %q", number, value)
			}
		}
	}
	for _, number := range []string{"pen-3", "pen-4"} {
		if !strings.Contains(stored(`"`+number+`"`), "Ann@pens.example") {
			t.Errorf("%s has no address any more", number)
		}
	}
	if again := call(look); again.Ended != 0 || len(again.Chains) != 1 || len(again.Open) != 1 {
		t.Errorf("then: %+v", again)
	}
	var entries int
	for _, r := range w.app.Store.Dump() {
		if strings.HasPrefix(r.Key.Partition, "audit/") && strings.Contains(string(r.Doc), `"forget"`) {
			entries++
			if strings.Contains(strings.ToLower(string(r.Doc)), "ann@pens") {
				t.Errorf("the audit log has the address: %s", r.Doc)
			}
		}
	}
	if entries != 2 { // the refused one, too
		t.Errorf("%d entries of the audit log", entries)
	}
}
