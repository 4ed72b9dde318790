package story

import (
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/checkout/blocklist"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/signin"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// grants stores who has which roles, in place of all grants.
func (w *World) grants(grants ...grant.Grant) {
	w.t.Helper()
	ctx := w.t.(*testing.T).Context()
	old, err := store.GetOne(ctx, w.app.Store, w.clock.Now(), store.GrantsKey())
	if err != nil {
		w.t.Fatalf("read grants: %v", err)
	}
	r := store.Encode(store.GrantsKey(), old.Version, map[string]any{"grants": grants})
	if err := w.app.Store.Save(ctx, w.clock.Now(), r); err != nil {
		w.t.Fatalf("store grants: %v", err)
	}
}

// blocks stores a block list of an owner with an entry for each caller to remove, and one more.
func (w *World) blocks(o fault.Owner) {
	w.t.Helper()
	list := w.blockList(o)
	for i, caller := range roleCallers() {
		list.Entries = append(list.Entries, list.Entries[0])
		list.Entries[i+1].ID = "of " + caller.name
	}
	if err := w.app.Store.Save(w.t.(*testing.T).Context(), w.clock.Now(), list.Record(o)); err != nil {
		w.t.Fatalf("store a block list: %v", err)
	}
}

// blockList returns an owner's block list with an address that nobody has.
func (w *World) blockList(o fault.Owner) (list blocklist.List) {
	if _, err := w.app.Core.Load(w.t.(*testing.T).Context(), w.clock.Now(), store.BlocksKey(o.Text()), &list); err != nil {
		w.t.Fatalf("read a block list: %v", err)
	}
	list.Entries = []blocklist.Entry{{
		ID: "of nobody", Kind: blocklist.IP, Value: "192.0.2.1", Until: w.clock.Now().AddDate(1, 0, 0),
	}}
	return list
}

// apiCall is a request of an operator.
type apiCall struct {
	who, method, path string
	body              map[string]any
	key               string // Idempotency-Key
}

// admin makes a request of an operator and returns the response.
func (w *World) admin(a apiCall) *httptest.ResponseRecorder {
	w.t.Helper()
	text, err := json.Marshal(a.body)
	if err != nil {
		w.t.Fatalf("%s: %v", a.path, err)
	}
	r := httptest.NewRequest(a.method, a.path, bytes.NewReader(text))
	if a.key != "" {
		r.Header.Set("Idempotency-Key", a.key)
	}
	out := httptest.NewRecorder()
	w.app.Admin().ServeHTTP(out, r.WithContext(api.WithCaller(r.Context(), a.who, "page")))
	return out
}

// owned is what there is of an owner for one caller: payments that are settled and whose callbacks fail, authorised,
// and without an outcome. All callers share a payment that waits for a person, and a MID whose circuit breaker is open.
type owned struct {
	fault.Owner
	caller, url                        string
	settled, captured, voided, unknown string
	open                               string // the payment that a session is open for
	declined                           string // a later payment of the chain that settled has begun
	forPerson, session                 string
	waits                              [2]string // approvals that somebody else has asked for
	from, until                        time.Time // when captured and voided were authorised
}

func (o owned) mode() string {
	if o.Test {
		return "test"
	}
	return "live"
}

// order is the number of the caller's settled order.
func (o owned) order() string {
	return "pen-" + strings.NewReplacer("/", "-", " ", "", ",", "-").Replace(o.caller+"-"+o.Text())
}

// query names the merchant and the mode.
func (o owned) query() string { return "merchant=" + o.Merchant + "&mode=" + o.mode() }

// act is a body about something of the owner.
func (o owned) act(members ...string) map[string]any {
	body := map[string]any{"reason": "The payer has called.", "merchant": o.Merchant, "mode": o.mode()}
	for i := 0; i < len(members); i += 2 {
		body[members[i]] = members[i+1]
	}
	return body
}

// because is a body with a reason, and with other members.
func because(members ...string) map[string]any {
	body := owned{}.act(members...)
	delete(body, "merchant")
	delete(body, "mode")
	return body
}

// roleCaller is somebody with a grant for the merchant shop.
type roleCaller struct {
	name  string
	grant grant.Grant
}

// roleCallers are all of them, and one without a grant.
func roleCallers() []roleCaller {
	all := []roleCaller{{"nobody", grant.Grant{Role: "none"}}}
	for _, role := range grant.Roles {
		all = append(all, roleCaller{string(role), grant.Grant{Role: role, Mode: grant.Both}})
	}
	return append(all, roleCaller{"support, test", grant.Grant{Role: grant.Support, Mode: grant.Test}},
		roleCaller{"admin of all", grant.Grant{Role: grant.Admin, Mode: grant.Both, Merchants: []string{grant.AllMerchants}}})
}

// hasGooglePay gives a merchant a wallet that can have keys.
func hasGooglePay(m *settings.Merchant) {
	m.Wallets.GooglePay = &settings.GooglePay{
		TermsAcceptedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Environment: settings.WalletTest,
		AuthMethods: []string{settings.AuthPANOnly}, Networks: []string{"VISA"}, Gateway: "bank", GatewayMerchantID: "shop",
	}
}

// newWalletKey returns a private key for Google Pay.
func newWalletKey() string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// rolesWorld is a world of two shops, with what each owner has for each caller.
func rolesWorld(t *testing.T) (w *World, of map[string][]owned) {
	w = open(t, hasSchedule, hasSecret, hasGooglePay)
	bank := silent()
	w.connects(settings.SandboxConnector, bank)
	w.connects(realBank, bank)
	shops := []*Shop{w.shop, w.newShop("-other", hasSchedule, hasSecret, hasGooglePay)}
	var grants []grant.Grant
	shared := map[fault.Owner]owned{}
	each := func(do func(s *Shop, o owned)) {
		for _, s := range shops {
			for _, test := range []bool{false, true} {
				s.live = !test
				o := owned{Owner: fault.Owner{Merchant: s.merchant.ID, Test: test}}
				do(s, o)
			}
		}
	}
	pay := func(s *Shop, number string, changes ...func(map[string]any)) string {
		v := s.visits(number, append(changes, knownPayer)...)
		v.pays("01/38")
		return v.paymentID()
	}
	each(func(s *Shop, o owned) {
		s.responds(http.StatusInternalServerError)
		bank.charge = noResponse
		o.forPerson = pay(s, "pen-person-"+o.mode())
		shared[o.Owner] = o
		w.blocks(o.Owner)
		grants = append(grants, grant.Grant{
			Who: "of-" + o.Text(), Role: grant.Viewer, Mode: grant.Mode(o.mode()), Merchants: []string{o.Merchant},
		})
	})
	for range 13 {
		w.skip(6 * time.Hour)
		w.sweep()
		w.work()
	}
	of = map[string][]owned{}
	for _, caller := range roleCallers() {
		each(func(s *Shop, o owned) {
			w.skip(time.Minute)
			o.caller, o.forPerson = caller.name, shared[o.Owner].forPerson
			o.url = s.server.URL + "/" + o.mode()
			bank.charge, bank.followUp = nil, nil
			o.settled = pay(s, o.order(), with("req_token", true), with("recurring_init", true),
				with("schedule_id", "monthly"))
			o.declined = w.declinedLater(s, bank, o)
			w.skip(time.Minute)
			o.from = w.clock.Now()
			o.captured, o.voided = pay(s, o.order()+"-c", with("auth", "Y")), pay(s, o.order()+"-v", with("auth", "Y"))
			w.skip(time.Minute)
			o.until = w.clock.Now()
			bank.charge = noResponse
			o.unknown = pay(s, o.order()+"-u")
			o.open = s.visits(o.order()+"-o", knownPayer, with("session_expiry", 720)).reserved()
			of[caller.name] = append(of[caller.name], o)
		})
		if caller.grant.Merchants == nil {
			caller.grant.Merchants = []string{w.shop.merchant.ID}
		}
		if caller.grant.Who = caller.name; caller.grant.Mode != "" {
			grants = append(grants, caller.grant)
		}
	}
	bank.charge = down
	each(func(s *Shop, o owned) {
		for i := range 5 { // until the circuit breaker of the MID opens
			pay(s, fmt.Sprintf("pen-%d-%s", i, o.mode()))
		}
	})
	w.grants(grants...)
	sessions := signin.NewSessions(w.app.Store, w.clock.Now, w.app.Core.Random)
	for caller := range of {
		for i := range of[caller] {
			of[caller][i].session = w.signedIn(sessions)
			of[caller][i].waits = [2]string{w.asksAnother(of[caller][i]), w.asksAnother(of[caller][i])}
		}
	}
	if err := w.app.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w, of
}

// asksAnother returns the id of a refund that waits for the approval of another person.
func (w *World) asksAnother(o owned) string {
	w.t.Helper()
	now := w.clock.Now()
	id := store.NewApprovalID(now, w.app.Core.Random(8))
	r := store.Encode(store.ApprovalKey(id), 0, operator.Approval{
		ID: id, Owner: o.Owner, PaymentID: o.settled, Do: "refund", Amount: "1.00", Currency: "USD", Who: "joe", By: "joe",
		At: now, Until: now.Add(time.Hour), Decided: operator.Decided{State: operator.ApprovalWaiting},
	})
	if err := w.app.Store.Save(w.t.(*testing.T).Context(), now, r); err != nil {
		w.t.Fatalf("store an approval: %v", err)
	}
	return id
}

// hasSchedule gives a merchant a schedule that is not due while a test runs.
func hasSchedule(m *settings.Merchant) {
	everyMonth := settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitMonth}
	m.Schedules = []settings.Schedule{{ID: "monthly", Name: "Monthly", Interval: everyMonth}}
}

// declinedLater returns the id of a later payment, softly declined, of the chain that an owner's settled payment began.
func (w *World) declinedLater(s *Shop, bank *provider, o owned) string {
	w.t.Helper()
	c, err := w.app.Core.Chain(w.t.(*testing.T).Context(), w.clock.Now(), o.settled)
	if err != nil || c == nil {
		w.t.Fatalf("no chain: %v", err)
	}
	before := bank.charge
	bank.charge = func(connector.Charge) (connector.Result, error) { return soft, nil }
	code, response := chain{s, o.settled, c.Token}.charge(o.order()+"-l", "2.00")
	if bank.charge = before; code != http.StatusOK || response["status"] != "decline" {
		w.t.Fatalf("a later payment: %d %v", code, response)
	}
	return response["payment_id"].(string)
}

// signedIn returns the id of a new session, which an administrator can end.
func (w *World) signedIn(sessions *signin.Sessions) string {
	w.t.Helper()
	who := signin.Identity{Issuer: "https://id.example", Subject: "joe"}
	_, session, err := sessions.Start(w.t.(*testing.T).Context(), who, "")
	if err != nil {
		w.t.Fatalf("sign in: %v", err)
	}
	return session.ID
}

// roleCalls has a call of each route of the admin API about what an owner has, and what a response shows if the caller
// sees it; without one the response is the same for all owners.
var roleCalls = map[string]func(o owned) (call apiCall, sign string){
	"GET /admin/v1/me":       func(o owned) (apiCall, string) { return apiCall{}, `"id":"` + o.Merchant + `"` },
	"GET /admin/v1/describe": func(owned) (apiCall, string) { return apiCall{}, `"statuses"` },
	"GET /admin/v1/overview": func(o owned) (apiCall, string) {
		return apiCall{path: "?" + o.query()}, o.forPerson
	},
	"GET /admin/v1/find": func(o owned) (apiCall, string) {
		return apiCall{path: "?q=" + o.order() + "&" + o.query()}, o.settled
	},
	"GET /admin/v1/payments":      func(o owned) (apiCall, string) { return apiCall{path: "?" + o.query()}, o.settled },
	"GET /admin/v1/payments/{id}": func(o owned) (apiCall, string) { return apiCall{path: o.settled}, o.settled },
	"GET /admin/v1/chains":        func(o owned) (apiCall, string) { return apiCall{path: "?" + o.query()}, o.settled },
	"GET /admin/v1/chains/{id}":   func(o owned) (apiCall, string) { return apiCall{path: o.settled}, o.settled },
	"GET /admin/v1/totals":        func(o owned) (apiCall, string) { return apiCall{path: "?" + o.query()}, `"day"` },
	"GET /admin/v1/export":        func(o owned) (apiCall, string) { return apiCall{path: "?" + o.query()}, o.settled },
	"GET /admin/v1/under-way":     func(o owned) (apiCall, string) { return apiCall{path: "?" + o.query()}, o.unknown },
	"GET /admin/v1/waiting":       func(o owned) (apiCall, string) { return apiCall{}, o.forPerson },
	"GET /admin/v1/unfinished/{merchant}": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant + "?mapping=default"}, `"payments"`
	},
	"GET /admin/v1/callbacks": func(o owned) (apiCall, string) { return apiCall{path: "?" + o.query()}, o.settled },
	"GET /admin/v1/addresses": func(o owned) (apiCall, string) { return apiCall{}, o.url },
	"GET /admin/v1/circuits": func(o owned) (apiCall, string) {
		return apiCall{}, `"merchant":"` + o.Merchant + `","mode":"` + o.mode() + `"`
	},
	"GET /admin/v1/blocks": func(o owned) (apiCall, string) {
		return apiCall{}, `"merchant":"` + o.Merchant + `","mode":"` + o.mode() + `","kind":"ip"`
	},
	"GET /admin/v1/approvals": func(o owned) (apiCall, string) { return apiCall{}, o.waits[0] },
	"GET /admin/v1/operators": func(o owned) (apiCall, string) { return apiCall{}, `"who":"of-` + o.Text() + `"` },
	"GET /admin/v1/forget": func(owned) (apiCall, string) {
		return apiCall{path: "?email=no@pens.example"}, `"ended"`
	},
	"GET /admin/v1/sessions":     func(owned) (apiCall, string) { return apiCall{}, `"who":"oidc/id.example/joe"` },
	"GET /admin/v1/audit":        func(o owned) (apiCall, string) { return apiCall{path: "?limit=500"}, o.settled },
	"GET /admin/v1/audit/verify": func(owned) (apiCall, string) { return apiCall{}, `"faults"` },

	"POST /admin/v1/payments/{id}/refund": func(o owned) (apiCall, string) {
		return apiCall{path: o.settled, body: because("amount", "1.00"), key: o.settled}, ""
	},
	"POST /admin/v1/payments/{id}/capture": func(o owned) (apiCall, string) {
		return apiCall{path: o.captured, body: because(), key: o.captured}, ""
	},
	"POST /admin/v1/payments/{id}/void": func(o owned) (apiCall, string) {
		return apiCall{path: o.voided, body: because(), key: o.voided}, ""
	},
	"POST /admin/v1/payments/{id}/retry": func(o owned) (apiCall, string) {
		return apiCall{path: o.declined, body: because(), key: o.declined + "retry"}, ""
	},
	"POST /admin/v1/chains/{id}/stop": func(o owned) (apiCall, string) {
		return apiCall{path: o.settled, body: because(), key: o.settled + "stop"}, ""
	},
	"POST /admin/v1/chains/{id}/resume": func(o owned) (apiCall, string) {
		return apiCall{path: o.settled, body: because(), key: o.settled + "resume"}, ""
	},
	"POST /admin/v1/chains/{id}/move": func(o owned) (apiCall, string) {
		day := o.until.AddDate(0, 0, 10).Format(time.DateOnly)
		return apiCall{path: o.settled, body: because("day", day), key: o.settled + "move"}, ""
	},
	"POST /admin/v1/chains/{id}/lower": func(o owned) (apiCall, string) {
		return apiCall{path: o.settled, body: because("amount", "1.00"), key: o.settled + "lower"}, ""
	},
	"POST /admin/v1/payments/{id}/look-up": func(o owned) (apiCall, string) {
		return apiCall{path: o.settled, body: because()}, ""
	},
	"POST /admin/v1/payments/{id}/settle": func(o owned) (apiCall, string) {
		return apiCall{path: o.unknown, body: because("verdict", "declined")}, ""
	},
	"POST /admin/v1/payments/{id}/note": func(o owned) (apiCall, string) {
		return apiCall{path: o.settled, body: map[string]any{"text": "Called back."}}, ""
	},
	"POST /admin/v1/payments/{id}/end-session": func(o owned) (apiCall, string) {
		return apiCall{path: o.open, body: because()}, ""
	},
	"POST /admin/v1/payments/{id}/callbacks/{seq}/send": func(o owned) (apiCall, string) {
		return apiCall{path: o.settled, body: because()}, ""
	},
	"POST /admin/v1/callbacks/send": func(o owned) (apiCall, string) {
		body := o.act("from", o.from.Format(time.RFC3339), "until", o.until.Format(time.RFC3339))
		body["expected"] = 2
		return apiCall{body: body}, `"sent":2`
	},
	"POST /admin/v1/addresses/open": func(o owned) (apiCall, string) { return apiCall{body: o.act("url", o.url)}, "" },
	"POST /admin/v1/circuits/close": func(o owned) (apiCall, string) {
		return apiCall{body: o.act("mapping", "cards", "mid", "mid-1")}, ""
	},
	"POST /admin/v1/blocks/add": func(o owned) (apiCall, string) {
		until := o.until.AddDate(0, 0, 9).Format(time.DateOnly)
		return apiCall{body: o.act("kind", "ip", "value", "192.0.2.7", "until", until)}, ""
	},
	"POST /admin/v1/blocks/remove": func(o owned) (apiCall, string) {
		return apiCall{body: o.act("id", "of "+o.caller)}, ""
	},
	"POST /admin/v1/try": func(o owned) (apiCall, string) {
		body := because("amount", "1.00", "currency", "USD", "return_url", "https://admin.example/")
		body["merchant"] = o.Merchant // in mode test, whatever the owner's is
		return apiCall{body: body}, ""
	},
	"GET /admin/v1/offer": func(o owned) (apiCall, string) {
		return apiCall{path: "?" + o.query() + "&amount=1.00&currency=USD"}, `"mids"`
	},
	"POST /admin/v1/approvals/{approval}/approve": func(o owned) (apiCall, string) {
		return apiCall{path: o.waits[0], body: because(), key: o.waits[0]}, ""
	},
	"POST /admin/v1/approvals/{approval}/reject": func(o owned) (apiCall, string) {
		return apiCall{path: o.waits[1], body: because(), key: o.waits[1]}, ""
	},
	"POST /admin/v1/operators/limit": func(o owned) (apiCall, string) {
		return apiCall{body: because("role", "finance", "currency", map[bool]string{true: "USD", false: "EUR"}[o.Test],
			"one", "1000.00", "day", "1000000.00")}, ""
	},
	"POST /admin/v1/operators/grant": func(o owned) (apiCall, string) {
		body := because("who", "joe", "role", "viewer")
		body["mode"], body["merchants"] = o.mode(), []string{o.Merchant}
		return apiCall{body: body}, ""
	},
	"POST /admin/v1/forget": func(owned) (apiCall, string) {
		body := because("email", "no@pens.example")
		body["expected"] = 0
		return apiCall{body: body}, `"ended":0`
	},
	"POST /admin/v1/sessions/end": func(o owned) (apiCall, string) {
		return apiCall{body: because("id", o.session)}, ""
	},
	"GET /admin/v1/merchants": func(o owned) (apiCall, string) { return apiCall{}, `"id":"` + o.Merchant + `"` },
	"POST /admin/v1/merchants": func(o owned) (apiCall, string) {
		id := strings.NewReplacer(" ", "", ",", "").Replace(o.caller) + "-" + o.Merchant + "-" + o.mode()
		return apiCall{body: because("id", id, "for", "own")}, ""
	},
	"GET /admin/v1/merchants/{merchant}": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant}, `"name"`
	},
	"GET /admin/v1/merchants/{merchant}/versions": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant}, `"versions"`
	},
	"GET /admin/v1/uses/{merchant}": func(o owned) (apiCall, string) { return apiCall{path: o.Merchant}, `"password"` },
	"GET /admin/v1/settings":        func(owned) (apiCall, string) { return apiCall{}, `"rows"` },
	"POST /admin/v1/preview/{merchant}": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant, body: map[string]any{"settings": map[string]any{"disabled": true}}}, `"sessions"`
	},
	"POST /admin/v1/merchants/{merchant}/check": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant, body: map[string]any{"settings": map[string]any{"rate_limit": -1}}}, `"faults":[{`
	},
	"POST /admin/v1/merchants/{merchant}/publish": func(o owned) (apiCall, string) {
		address := map[bool]string{true: "test_notification_url", false: "notification_url"}[o.Test]
		body := because()
		body["settings"] = map[string]any{address: o.url + "/" + url.PathEscape(o.caller)}
		return apiCall{path: o.Merchant, body: body}, ""
	},
	"POST /admin/v1/merchants/{merchant}/restore": func(o owned) (apiCall, string) {
		body := because()
		body["version"] = 2
		return apiCall{path: o.Merchant, body: body}, ""
	},
	"POST /admin/v1/merchants/{merchant}/switch": func(o owned) (apiCall, string) {
		body := because("mapping", "cards", "kind", "country", "name", "FR")
		body["closed"] = true
		return apiCall{path: o.Merchant, body: body}, ""
	},
	"POST /admin/v1/merchants/{merchant}/disable": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant, body: because()}, ""
	},
	"POST /admin/v1/merchants/{merchant}/enable": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant, body: because()}, ""
	},
	"POST /admin/v1/merchants/{merchant}/rotate": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant, body: because("what", map[bool]string{true: "test-key", false: "key"}[o.Test])}, ""
	},
	"POST /admin/v1/merchants/{merchant}/wallet-keys": func(o owned) (apiCall, string) {
		return apiCall{path: o.Merchant, body: because("googlepay_key", newWalletKey())}, ""
	},
	"POST /admin/v1/operators/revoke": func(o owned) (apiCall, string) {
		return apiCall{body: because("who", "of-"+o.Text(), "role", "viewer")}, ""
	},
}

// shown says what a response shows of an owner.
func shown(out *httptest.ResponseRecorder, sign string) string {
	body := out.Body.String()
	switch {
	case out.Code != http.StatusOK:
		return strconv.Itoa(out.Code)
	case sign == "":
		return "done"
	case !strings.Contains(body, sign):
		return "-"
	case strings.Contains(body, "A***@pens.example"):
		return "masked"
	}
	return "yes"
}

// Who may do what: each route is called by each role for live and test payments of its own merchant and of another one.
// testdata/roles.txt says what comes of it: yes, masked (without the payer's address), - (nothing of that owner is
// shown), done, or the status. A 404 is what a payment gets that does not exist.
func TestRoles(t *testing.T) {
	w, of := rolesWorld(t)
	var got, responses strings.Builder
	routes := api.Admin(&api.Services{})
	slices.SortStableFunc(routes, func(a, b api.Route) int { // the audit log after what it tells of
		return cmp.Compare(strings.Index(a.Path, "/audit"), strings.Index(b.Path, "/audit"))
	})
	for _, route := range routes {
		name := route.Method + " " + route.Path
		call := roleCalls[name]
		if call == nil {
			t.Errorf("roleCalls has no call of %s", name)
			continue
		}
		fmt.Fprintf(&got, "%s  right: %s\n", name, route.Rule().Right)
		before := got.Len()
		for _, caller := range roleCallers() {
			cells := []string{fmt.Sprintf("  %-14s", caller.name)}
			for _, o := range of[caller.name] {
				a, sign := call(o)
				a.who, a.method = caller.name, route.Method
				path := strings.ReplaceAll(route.Path, "{seq}", "1")
				if name := regexp.MustCompile(`{id}|{merchant}|{approval}`).FindString(path); name != "" {
					a.path = strings.ReplaceAll(path, name, a.path)
				} else {
					a.path = path + a.path
				}
				out := w.admin(a)
				if route.Path != "/admin/v1/try" { // whose caller pays the session
					responses.WriteString(out.Body.String())
				}
				if out.Code == http.StatusInternalServerError || out.Code == http.StatusBadRequest {
					t.Logf("%s as %s of %s: %d %s", a.path, caller.name, o.Text(), out.Code, out.Body)
				}
				cells = append(cells, fmt.Sprintf("%-7s", shown(out, sign)))
			}
			got.WriteString(strings.TrimRight(strings.Join(cells, " "), " ") + "\n")
		}
		if rows := got.String()[before:]; !strings.Contains(rows, " yes") && !strings.Contains(rows, " done") {
			t.Errorf("%s: nobody sees or does anything", name)
		}
	}
	w.operatorsSeeNoSecret(responses.String())
	log := w.log.String()
	for _, said := range []string{"The payer has called.", "Ann@pens.example", "q=pen"} {
		if strings.Contains(log, said) {
			t.Errorf("%q is in the log", said)
		}
	}
	if !strings.Contains(log, `"who":"support, test"`) {
		t.Error("the log does not say who called")
	}
	file := filepath.Join("testdata", "roles.txt")
	text := rolesHead + got.String()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != text {
		t.Errorf("%s is out of date (-update writes it); now:\n%s", file, text)
	}
}

const rolesHead = "# own live, own test, another merchant's live, another merchant's test\n"
