package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/checkout/payment"
	"checkout/internal/local/client"
	"checkout/internal/local/cloud"
	stories "checkout/internal/local/story"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// onlyPayment returns the one payment that is stored.
func (w *world) onlyPayment() *payment.Payment {
	w.t.Helper()
	table, err := app.OpenTable(w.t.Context(), w.cloud.AdminEnv("Table", "SecretsKey"))
	if err != nil {
		w.t.Fatal(err)
	}
	var found []*payment.Payment
	for _, one := range w.items() {
		key := store.Key{Partition: one.pk, Sort: one.sk}
		if !store.IsPayment(key) {
			continue
		}
		p := &payment.Payment{}
		record, err := store.GetOne(w.t.Context(), table, time.Now(), key)
		if err == nil {
			err = record.Decode(p)
		}
		if err != nil {
			w.t.Fatal(err)
		}
		found = append(found, p)
	}
	if len(found) != 1 {
		w.t.Fatalf("%d payments", len(found))
	}
	return found[0]
}

// refunds has the merchant refund a part of a payment, and returns the id of the call.
func (w *world) refunds(id, amount string) (requestID string) {
	w.t.Helper()
	body, err := json.Marshal(tests.Payment(id, amount))
	if err != nil {
		w.t.Fatal(err)
	}
	response, err := http.Post(w.cloud.BaseURL()+"/api/v1/payment/refund", "application/json", bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		w.t.Fatalf("refund: %d", response.StatusCode)
	}
	return response.Header.Get("X-Request-Id")
}

// Each handle finds its payment by one call of the API, which makes at most three requests to the tables. It does not
// for who may see another merchant's payments alone; what may be an amount or a code is searched in these, back to
// the first, which takes some requests more.
func TestFoundByAnyHandle(t *testing.T) {
	t.Parallel()
	w := open(t, people(t), streams)
	w.grants(
		grant.Grant{Who: "arn:aws:sts::000000000000:assumed-role/operator/ann", Role: grant.Support,
			Merchants: []string{w.shop.merchant.ID}, Mode: grant.Both},
		grant.Grant{Who: "arn:aws:iam::000000000000:user/" + cloud.AdminKey, Role: grant.Support,
			Merchants: []string{"demo"}, Mode: grant.Both},
	)
	v := w.visit(client.Object{"req_token": true, "customer": client.Object{"name": "Ann", "email": "Ann@pens.example"}})
	v.pays("01/38")
	cause := w.refunds(w.onlyPayment().ID, "3.00")
	w.rest()
	w.untilListed()
	p := w.onlyPayment()
	handles := stories.HandlesOf(p, v.Session, cause)
	if len(handles) != 18 { // a session id counts twice
		t.Errorf("only by %v", handles)
	}
	for kind, text := range handles {
		for person, want := range map[string]int{"operator": 1, cloud.AdminKey: 0} {
			before := w.used("adminread")
			response, reply := w.admin(person, "GET", "/admin/v1/find?mode=test&q="+url.QueryEscape(text), "")
			var found struct{ Rows []struct{ ID, State string } }
			err := json.Unmarshal([]byte(reply), &found)
			if err != nil || response.StatusCode != http.StatusOK || len(found.Rows) != want ||
				want > 0 && (found.Rows[0].ID != p.ID || found.Rows[0].State != string(payment.StatusSettled)) {
				t.Errorf("by %s %q for %s: %d %s", kind, text, person, response.StatusCode, reply)
			}
			if n := w.used("adminread") - before; n == 0 || n > int64(13-9*want) {
				t.Errorf("by %s for %s: %d requests", kind, person, n)
			}
			if strings.Contains(reply, v.Session[32:]) {
				t.Errorf("by %s: the session's id is in %s", kind, reply)
			}
		}
	}
	w.leakFree()
}

// used is how many requests to DynamoDB a function has made.
func (w *world) used(function string) (requests int64) {
	for name, n := range w.cloud.Snapshot()[function].AWS.Requests {
		if strings.HasPrefix(name, "dynamodb:") {
			requests += n
		}
	}
	return requests
}
