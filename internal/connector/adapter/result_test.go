package adapter

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/local/simulator"
	"checkout/internal/reason"
)

// bank is a transport to an adapter that responds with a status and body to all requests.
type bank struct {
	status   int
	body     string
	unsigned bool
	at       time.Time // of the signature; zero: now
	id       string    // "": that of the request
	then     int       // status of all later responses; 0: the same
	sent     []string  // paths
}

func (b *bank) RoundTrip(r *http.Request) (*http.Response, error) {
	b.sent = append(b.sent, r.URL.Path)
	w := httptest.NewRecorder()
	id, at := r.Header.Get(headerID), seconds(time.Now())
	if b.id != "" {
		id = b.id
	}
	if !b.at.IsZero() {
		at = seconds(b.at)
	}
	w.Header().Set(headerID, id)
	w.Header().Set(headerTime, at)
	if !b.unsigned {
		w.Header().Set(headerSignature, "v1,old "+sign("secret-1", id, at, strconv.Itoa(b.status)+"."+b.body))
	}
	w.WriteHeader(b.status)
	_, _ = w.WriteString(b.body)
	if b.then != 0 {
		b.status = b.then
	}
	return w.Result(), nil
}

// connector is a connector to the bank, and a charge of 10.00 USD.
func (b *bank) connector() (*Adapter, connector.Charge) {
	c := whole()
	c.Credentials = map[string]string{"url": "https://bank.example", "key": "key-1", "secret": "secret-1"}
	return &Adapter{provider.Setup{Now: time.Now, Client: provider.Over(b)}}, c
}

const ten = `{"value":"10.00","currency":"USD","exponent":2}`

// approved is a good result.
const approved = `{"kind":"charge","reference":"r-1","status":"approved","requested":` + ten + `,"amount":` + ten + `}`

// TestUnclearResults wants to know of each result that decides nothing what is wrong with it.
func TestUnclearResults(t *testing.T) {
	edit := func(from, to string) string {
		if !strings.Contains(approved, from) {
			t.Fatalf("%s is not in the good result", from)
		}
		return strings.Replace(approved, from, to, 1)
	}
	three := strings.Replace(ten, `"exponent":2`, `"exponent":3`, 1)
	none := strings.Replace(ten, `,"exponent":2`, "", 1)
	for body, want := range map[string]string{
		edit(`"charge"`, `"refund"`): "kind is not that of the request",
		edit("r-1", "r-2"):           "reference is not that of the request",
		edit(`"amount":{"value":"10.00"`, `"amount":{"value":"9.99"`):           "another amount than was asked for: 9.99",
		edit(ten+`,"amount"`, three+`,"amount"`):                                "requested is not the amount of the request",
		edit(`"amount":`+ten, `"amount":`+three):                                "amount can't be read",
		edit(`"amount":`+ten, `"amount":`+none):                                 "amount can't be read",
		strings.ReplaceAll(approved, "10.00", "9.99"):                           "requested is not the amount of the request",
		strings.ReplaceAll(approved, "USD", "EUR"):                              "requested is not the amount of the request",
		edit(`,"amount":`+ten, ""):                                              "amount is missing",
		edit(`"requested":`+ten+`,`, ""):                                        "requested is missing",
		edit(`"amount":{"value":"10.00"`, `"amount":{"value":10.00`):            "amount.value is of the JSON type number",
		edit(`"status"`, `"authentication":{"liability_shift":"yes"},"status"`): "authentication.liability_shift is",
		edit(`"status"`, `"provider":{"id":4111},"status"`):                     "provider.id is of the JSON type number",
		edit(`"status":"approved",`, ""):                                        "status is not one of the contract's",
		edit("approved", "paid"):                                                "status is not one of the contract's",
		edit("approved", "declined"):                                            "decline is missing",
		edit("approved", "action_required"):                                     "action is missing",
		edit("approved", "unknown"):                                             "the adapter does not know what it was sent",
		"[]":                                                                    "the body is of the JSON type array",
		"<html>":                                                                "the body is no JSON: 6 bytes",
	} {
		b := &bank{status: 200, body: body}
		a, c := b.connector()
		r, err := a.Charge(t.Context(), c)
		if err == nil || !strings.HasPrefix(err.Error(), want) || errors.Is(err, connector.ErrNotSent) ||
			!reflect.DeepEqual(r, connector.Result{}) {
			t.Errorf("%s: %+v, %v", body, r, err)
		}
	}
	b := &bank{status: 200, body: approved}
	a, c := b.connector()
	if r, err := a.Charge(t.Context(), c); err != nil || r.Outcome != connector.OutcomeApproved {
		t.Errorf("the good result: %+v, %v", r, err)
	}
}

// TestWrongActions wants to know of each action that can't be shown what is wrong with it.
func TestWrongActions(t *testing.T) {
	const (
		noPage = "url is no https or http address of a website's page"
		noZone = "expires_at is no time of RFC 3339 with a time zone"
	)
	for action, want := range map[string]string{
		`{"type":"dance"}`:                                                    "type is not redirect, 3ds or wait",
		`{"type":"redirect"}`:                                                 noPage,
		`{"type":"redirect","url":"javascript:1"}`:                            noPage,
		`{"type":"redirect","url":"https://a@b.example"}`:                     noPage,
		`{"type":"redirect","url":"https://b.example/a b"}`:                   noPage,
		`{"type":"3ds","url":"https://b.example/\u200b"}`:                     noPage,
		`{"type":"3ds","url":"https://b.example:0"}`:                          noPage,
		`{"type":"3ds","url":"bank://pay/1"}`:                                 noPage,
		`{"type":"wait","url":"https://b.example"}`:                           "url does not belong to the type wait",
		`{"type":"redirect","url":"https://b.example","fields":[{"id":"a"}]}`: "fields belong to the type wait alone",
		`{"type":"wait","expires_at":"2030-01-02T10:11:12"}`:                  noZone,
		`{"type":"wait","expires_at":4111111111111111}`:                       "expires_at is of the JSON type number",
		`{"type":"wait","show":{}}`:                                           "show is of the JSON type object",
		`"wait"`:                                                              "as a whole is of the JSON type string",
		shows(`"type":"text","value":"a"`):                                    "show[0].id is missing",
		shows(`"id":"a","type":"html","value":"a"`):                           "show[0].type is not one of the contract's",
		shows(`"id":"a","type":"text"`):                                       "show[0].value has not 1 to 8000 characters",
		shows(`"id":"a","type":"deadline","value":"2030-01-02T10:11:12"`):     "show[0].value" + noZone[len("expires_at"):],
		shows(`"id":"a","type":"amount","value":"1,5","currency":"EUR"`):      "show[0].value is not of its type",
		shows(`"id":"a","type":"amount","value":"1.5"`):                       "show[0].currency is missing of an amount",
		shows(`"id":"a","type":"barcode","value":"a1"`):                       "show[0].value is not of its type",
		shows(`"id":"a","type":"link","value":"pay/1"`):                       "show[0].value is not of its type",
		shows(`"id":"a","type":"image","value":"<svg>"`):                      "show[0].value is not of its type",
	} {
		wrong := strings.Replace(approved, `"approved"`, `"action_required","action":`+action, 1)
		b := &bank{status: 200, body: wrong}
		a, c := b.connector()
		_, err := a.Charge(t.Context(), c)
		var refused *connector.ActionError
		if !errors.As(err, &refused) || err.Error() != "the required action can't be shown: "+want {
			t.Errorf("%s: %v", action, err)
		}
	}
}

// shows is an action with a row of those members.
func shows(members string) string { return `{"type":"wait","show":[{` + members + `}]}` }

// TestForgedResponses checks good results whose signature is not that of a response to this request.
func TestForgedResponses(t *testing.T) {
	for name, b := range map[string]*bank{
		"not signed":         {unsigned: true},
		"old":                {at: time.Now().Add(-6 * time.Minute)},
		"of the future":      {at: time.Now().Add(6 * time.Minute)},
		"to another request": {id: "req_1"},
	} {
		b.status, b.body = 200, approved
		a, c := b.connector()
		if r, err := a.Charge(t.Context(), c); !errors.Is(err, errNotSigned) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestStatuses(t *testing.T) {
	const refused = `{"error":{"reason":"amount_invalid","code":"13","message":"for developers"}}`
	decline := connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.AmountInvalid, Code: "13"}
	for _, test := range []struct {
		bank    bank
		want    connector.Result
		notSent bool
	}{
		{bank: bank{status: 400, body: refused}, want: decline},
		{bank: bank{status: 422, body: refused}, want: decline},
		{bank: bank{status: 400, body: refused, unsigned: true}},
		{bank: bank{status: 404, body: "<h1>Not found</h1>"}},
		{bank: bank{status: 302, body: refused}},
		{bank: bank{status: 201, body: approved}},
		{bank: bank{status: 409, body: refused}}, // and the look-up after it is refused, too
		{bank: bank{status: 500, body: refused}},
		{bank: bank{status: 401, unsigned: true}, notSent: true},
		{bank: bank{status: 429, unsigned: true}, notSent: true},
	} {
		a, c := test.bank.connector()
		r, err := a.Charge(t.Context(), c)
		fails := reflect.DeepEqual(test.want, connector.Result{})
		if !reflect.DeepEqual(r, test.want) || (err != nil) != fails || errors.Is(err, connector.ErrNotSent) != test.notSent {
			t.Errorf("status %d: %+v, %v", test.bank.status, r, err)
		}
	}
}

// TestRefusalsThatDecideNothing checks that a refused second form, or a refused end, is no decline of the charge.
func TestRefusalsThatDecideNothing(t *testing.T) {
	b := &bank{status: 422, body: `{"error":{"reason":"not_supported"}}`}
	a, c := b.connector()
	for _, call := range []func() (connector.Result, error){
		func() (connector.Result, error) { return a.Continue(t.Context(), c) },
		func() (connector.Result, error) { return a.Cancel(t.Context(), c.ProviderRequest) },
	} {
		if r, err := call(); err == nil {
			t.Errorf("%+v", r)
		}
	}
	if want := []string{"/continue", "/lookup", "/cancel", "/lookup"}; !reflect.DeepEqual(b.sent, want) {
		t.Errorf("sent %v", b.sent)
	}
}

// TestUnreachableLookUp checks that a look-up after a refusal that is not sent does not say that the charge was not.
func TestUnreachableLookUp(t *testing.T) {
	b := &bank{status: 409, body: `{"error":{"reason":"duplicate"}}`, then: 429}
	a, c := b.connector()
	for _, call := range []func() (connector.Result, error){
		func() (connector.Result, error) { return a.Charge(t.Context(), c) },
		func() (connector.Result, error) { return a.Continue(t.Context(), c) },
	} {
		b.status = 409
		if r, err := call(); err == nil || errors.Is(err, connector.ErrNotSent) {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

func TestMissingCredentials(t *testing.T) {
	for _, name := range []string{"url", "key", "secret"} {
		b := &bank{}
		a, c := b.connector()
		delete(c.Credentials, name)
		if _, err := a.Charge(t.Context(), c); !errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if len(b.sent) > 0 {
			t.Errorf("%s: sent %v", name, b.sent)
		}
	}
}

func TestPrivateAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"https://bank.example": true, "http://127.0.0.1:8080": true, "http://[::1]:8080/a": true, "http://localhost": true,
		"http://bank.example": false, "http://10.0.0.1": false, "http://127.0.0.1.bank.example": false, "bank.example": false,
		"https://": false, "ftp://127.0.0.1": false, "": false,
	} {
		b := &bank{status: 200, body: approved}
		a, c := b.connector()
		c.Credentials["url"] = address
		_, err := a.Charge(t.Context(), c)
		if sent := len(b.sent) == 1; sent != want || sent != (err == nil) || !sent && !errors.Is(err, connector.ErrNotSent) {
			t.Errorf("%s: sent %v, %v", address, b.sent, err)
		}
	}
}

// TestDisputesAndOtherAmounts reads notices of the simulator.
func TestDisputesAndOtherAmounts(t *testing.T) {
	e, a := newExchanges(t, time.Now)
	c := whole()
	c.Auth = false
	if _, err := a.Charge(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	o, _ := e.simulator.Find("adapter", "r-1")
	e.simulator.Act(o.ID, simulator.Dispute)
	n := notificationOf(e.simulator.Notice("adapter", "r-1"))
	n.Credentials = inMemory
	got, err := a.(*Adapter).HandleNotification(t.Context(), n)
	if err != nil || got.Result.Outcome != connector.OutcomeChargeback || got.PaymentID != "p-1" ||
		got.SessionID != "s-1" {
		t.Errorf("%+v, %v", got, err)
	}
	found, err := a.(*Adapter).QueryStatus(t.Context(), c.ProviderRequest)
	if err != nil || found.Outcome != connector.OutcomeApproved {
		t.Errorf("a look-up returns %+v, %v: what became of the charge is told by the notice", found, err)
	}

	c.Reference = "r-2"
	e.simulator.Expect(simulator.Next{Fault: simulator.OtherAmount})
	if r, err := a.Charge(t.Context(), c); err == nil {
		t.Errorf("another amount was charged: %+v", r)
	}
	n = notificationOf(e.simulator.Notice("adapter", "r-2"))
	n.Credentials = inMemory
	got, err = a.(*Adapter).HandleNotification(t.Context(), n)
	if err != nil || !connector.ApprovesOther(got.OtherAmount) || got.Reference != "r-2" {
		t.Errorf("another amount was charged, says a notice: %+v, %v", got, err)
	}
	var sent struct{ Amount, Requested amount }
	if err := json.Unmarshal(n.Body, &sent); err != nil || sent.Amount == sent.Requested {
		t.Errorf("%s, %v", n.Body, err)
	}
}
