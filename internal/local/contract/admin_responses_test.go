package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/signin"
	"checkout/internal/store"
)

// operatorCalls has a call of each route of the admin API that succeeds: the query or the body.
func operatorCalls(paid, nextWeek string) map[string]any {
	const why = "The payer has called."
	return map[string]any{
		"GET /admin/v1/me": "", "GET /admin/v1/describe": "", "GET /admin/v1/find": "q=" + paid,
		"GET /admin/v1/payments": "mode=test", "GET /admin/v1/payments/{id}": "", "GET /admin/v1/totals": "mode=test",
		"GET /admin/v1/export": "mode=test&format=jsonl", "GET /admin/v1/under-way": "mode=test",
		"GET /admin/v1/waiting": "", "GET /admin/v1/callbacks": "mode=test", "GET /admin/v1/addresses": "",
		"GET /admin/v1/overview": "mode=test&day=2030-01-02",
		"GET /admin/v1/circuits": "", "GET /admin/v1/operators": "", "GET /admin/v1/audit": "",
		"GET /admin/v1/audit/verify": "", "GET /admin/v1/sessions": "", "GET /admin/v1/approvals": "",
		"GET /admin/v1/chains": "mode=test",
		"GET /admin/v1/blocks": "merchant=demo",
		"POST /admin/v1/blocks/add": members{"merchant": "demo", "mode": "test", "kind": "ip", "value": "203.0.113.0/24",
			"until": nextWeek, "reason": why},
		"GET /admin/v1/forget":      "email=nobody@pens.example",
		"POST /admin/v1/forget":     members{"email": "nobody@pens.example", "expected": 0, "reason": why},
		"GET /admin/v1/chains/{id}": "", "POST /admin/v1/chains/{id}/stop": members{"reason": why},
		"POST /admin/v1/chains/{id}/resume": members{"reason": why},
		"POST /admin/v1/chains/{id}/move":   members{"day": nextWeek, "reason": why},
		"POST /admin/v1/chains/{id}/lower":  members{"amount": "0.50", "reason": why},

		"GET /admin/v1/settings":        "",
		"GET /admin/v1/uses/{merchant}": "", "GET /admin/v1/unfinished/{merchant}": "mapping=default",
		"POST /admin/v1/preview/{merchant}": members{"settings": members{"disabled": true}},

		"GET /admin/v1/offer": "merchant=demo&amount=1.00&currency=USD",
		"POST /admin/v1/try": members{"merchant": "demo", "amount": "1.00", "currency": "USD",
			"return_url": "https://admin.example/", "reason": why},
		"GET /admin/v1/merchants": "", "GET /admin/v1/merchants/{merchant}": "",
		"GET /admin/v1/merchants/{merchant}/versions": "",
		"POST /admin/v1/merchants":                    members{"id": "cups", "for": "own", "reason": why},
		"POST /admin/v1/merchants/{merchant}/check": members{
			"settings": members{"rate_limit": -1, "name": "Pens"}},
		"POST /admin/v1/merchants/{merchant}/publish": members{"settings": members{"rate_limit": 100}, "reason": why},
		"POST /admin/v1/merchants/{merchant}/switch": members{
			"mapping": "default", "kind": "country", "name": "FR", "closed": true, "reason": why},
		"POST /admin/v1/merchants/{merchant}/disable": members{"reason": why},
		"POST /admin/v1/merchants/{merchant}/enable":  members{"reason": why},
		"POST /admin/v1/merchants/{merchant}/rotate":  members{"what": "test-key", "reason": why},

		"POST /admin/v1/payments/{id}/refund":               members{"amount": "1.00", "reason": why},
		"POST /admin/v1/payments/{id}/note":                 members{"text": "The payer has called."},
		"POST /admin/v1/payments/{id}/look-up":              members{"reason": why},
		"POST /admin/v1/payments/{id}/callbacks/{seq}/send": members{"reason": why},
		"POST /admin/v1/callbacks/send":                     members{"mode": "test", "expected": 100, "reason": why},
		"POST /admin/v1/addresses/open": members{
			"merchant": "demo", "mode": "test", "url": "https://shop.example/paid", "reason": why},
		"POST /admin/v1/circuits/close": members{
			"merchant": "demo", "mode": "test", "mapping": "default", "mid": "primary", "reason": why},
		"POST /admin/v1/operators/grant": members{
			"who": "joe", "role": "viewer", "merchants": []any{"demo"}, "mode": "test", "reason": why},
		"POST /admin/v1/operators/limit": members{
			"role": "support", "currency": "USD", "one": "10.00", "day": "100.00", "reason": why},
		"POST /admin/v1/operators/revoke": members{"who": "joe", "role": "viewer", "reason": why},
	}
}

// refusedCalls are acts for which there is nothing to do here.
var refusedCalls = map[string]members{
	"POST /admin/v1/payments/{id}/capture":            {"reason": "a"},
	"POST /admin/v1/payments/{id}/retry":              {"reason": "a"},
	"POST /admin/v1/payments/{id}/void":               {"reason": "a"},
	"POST /admin/v1/payments/{id}/settle":             {"reason": "a", "verdict": "approved"},
	"POST /admin/v1/payments/{id}/end-session":        {"reason": "a"},
	"POST /admin/v1/approvals/{approval}/approve":     {"reason": "a"},
	"POST /admin/v1/approvals/{approval}/reject":      {"reason": "a"},
	"POST /admin/v1/sessions/end":                     {"reason": "a", "id": "a"},
	"POST /admin/v1/blocks/remove":                    {"merchant": "demo", "reason": "a", "id": "a"},
	"POST /admin/v1/merchants/{merchant}/restore":     {"reason": "a", "version": 99},
	"POST /admin/v1/merchants/{merchant}/wallet-keys": {"reason": "a", "mid": "none"},
}

// What the admin API responds is as the document has it: what is asked for, what is refused, and errors.
func TestResponsesToOperatorsAreDocumented(t *testing.T) {
	d, w, paid := openForOperators(t)
	calls := operatorCalls(paid, w.app.Core.Now().AddDate(0, 0, 7).Format(time.DateOnly))
	sessions := signin.NewSessions(w.app.Store, w.app.Core.Now, w.app.Core.Random)
	_, session, err := sessions.Start(t.Context(), signin.Identity{Issuer: "https://id.example", Subject: "joe"}, "")
	if err != nil {
		t.Fatal(err)
	}
	calls["POST /admin/v1/sessions/end"] = members{"id": session.ID, "reason": "why"}
	for _, route := range api.Admin(&api.Services{}) {
		name := route.Method + " " + route.Path
		named := strings.NewReplacer("{id}", paid, "{seq}", "1", "{approval}", "none", "{merchant}", "demo")
		path := named.Replace(route.Path)
		call, want := calls[name], http.StatusOK
		if call == nil {
			call, want = refusedCalls[name], http.StatusBadRequest
		}
		if strings.Contains(path, "/none/") || strings.HasSuffix(name, "/restore") || strings.HasSuffix(name, "/remove") {
			want = http.StatusNotFound
		}
		w.operatorCall(d, route, operatorRequest{"ann", path, call, want})
		w.operatorCall(d, route, operatorRequest{"nobody", path, call, http.StatusForbidden})
		w.operatorCall(d, route, operatorRequest{"ann", path + "?no_such=1", nil, http.StatusBadRequest})
		if strings.Contains(path, paid) {
			path = strings.ReplaceAll(path, paid, "5413edb6-d362-8b28-8329-b11cd803a7f1")
			w.operatorCall(d, route, operatorRequest{"ann", path, call, http.StatusNotFound})
		}
	}
}

// openForOperators opens a world with a payment that was paid, whose operator ann may do everything.
func openForOperators(t *testing.T) (d document, w *world, paid string) {
	d, w = readAdmin(t), open(t)
	paid, _ = w.payment(w.paid("01/38", onSchedule))["payment_id"].(string)
	ann := []grant.Grant{
		{Who: "ann", Role: grant.Finance, Mode: grant.Both, Merchants: []string{grant.AllMerchants}},
		{Who: "ann", Role: grant.Admin, Mode: grant.Both, Merchants: []string{grant.AllMerchants}},
	}
	grants := store.Encode(store.GrantsKey(), 0, map[string]any{"grants": ann})
	if err := w.app.Store.Save(t.Context(), w.app.Core.Now(), grants); err != nil {
		t.Fatal(err)
	}
	if err := w.app.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d, w, paid
}

// operatorRequest is a request of a person, with a query or a body, and the status of its response.
type operatorRequest struct {
	who, path string
	call      any
	want      int
}

func (w *world) operatorCall(d document, route api.Route, o operatorRequest) {
	w.t.Helper()
	body := []byte(nil)
	if query, ok := o.call.(string); ok && query != "" {
		o.path += "?" + query
	} else if o.call != nil {
		body, _ = json.Marshal(o.call)
	}
	r := httptest.NewRequest(route.Method, o.path, bytes.NewReader(body))
	r.Header.Set("Idempotency-Key", o.path+o.who)
	out := httptest.NewRecorder()
	w.app.Admin().ServeHTTP(out, r.WithContext(api.WithCaller(r.Context(), o.who, "command")))
	name := o.who + ": " + route.Method + " " + o.path
	if out.Code != o.want {
		w.t.Errorf("%s: %d, want %d: %s", name, out.Code, o.want, out.Body)
	}
	response := d.object("paths", route.Path, strings.ToLower(route.Method), "responses", strconv.Itoa(out.Code))
	for _, header := range []string{"X-Request-Id", "X-Service-Version", "Cache-Control", "X-Content-Type-Options"} {
		if !strings.Contains(fmt.Sprint(d.at("info", "description")), header) || out.Header().Get(header) == "" {
			w.t.Errorf("%s: no header %s", name, header)
		}
	}
	media := out.Header().Get("Content-Type")
	schema, found := asObject(response.at("content", media, "schema"))
	if !found {
		w.t.Errorf("%s: %d is not in the document with %s", name, out.Code, media)
	}
	for text := range bytes.Lines(out.Body.Bytes()) { // one, or those of an export
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			w.t.Errorf("%s: %v: %s", name, err, text)
		} else if fault := d.fault(schema, value); fault != "" {
			w.t.Errorf("%s: %s: %s", name, fault, text)
		}
	}
}
