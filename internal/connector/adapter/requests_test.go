package adapter

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/standard-webhooks/standard-webhooks/libraries/go"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// exchanges is a transport to the simulator that checks bodies by the schemas of infra/adapter.yaml, and writes the
// requests down.
type exchanges struct {
	t         *testing.T
	simulator *simulator.Simulator
	schemas   map[string]*jsonschema.Schema
	paths     map[string]string // names of schemas by path
	written   strings.Builder
}

func newExchanges(t *testing.T, now func() time.Time) (*exchanges, connector.Connector) {
	t.Helper()
	e := &exchanges{t: t, schemas: schemas(t), paths: map[string]string{}}
	e.simulator = simulator.New(simulator.Options{
		URL: "https://simulator.example", Client: unsent, Now: now, After: func(time.Duration, func()) {},
	})
	d := readDocument(t)
	for path, item := range at(t, d, "paths").(map[string]any) {
		e.paths[path] = schemaOf(t, at(t, item, "post", "requestBody"))
	}
	return e, New(provider.Setup{Now: now, Client: provider.Over(e)})
}

var inMemory = map[string]string{
	"url": "https://simulator.example/adapter/", "key": simulator.Key, "secret": simulator.Secret,
}

func (e *exchanges) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	path := strings.TrimPrefix(r.URL.Path, "/adapter")
	e.validate(e.paths[path], body)
	fmt.Fprintf(&e.written, "%s %s\n", r.Method, r.URL)
	for _, name := range []string{"Content-Type", "Accept", "Adapter-Key", "Idempotency-Key", headerID, headerTime,
		headerSignature} {
		if value := r.Header.Get(name); value != "" {
			fmt.Fprintf(&e.written, "%s: %s\n", name, value)
		}
	}
	fmt.Fprintf(&e.written, "\n%s\n\n", body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	w := httptest.NewRecorder()
	e.simulator.ServeHTTP(w, r)
	e.validate(map[bool]string{true: "Result", false: "Refusal"}[w.Code == http.StatusOK], w.Body.Bytes())
	return w.Result(), nil
}

// validate checks a body by a schema of the document.
func (e *exchanges) validate(name string, body []byte) {
	e.t.Helper()
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = e.schemas[name].Validate(read)
	}
	if err != nil {
		e.t.Errorf("%s: %v\n%s", name, err, body)
	}
}

// at0 is the time of the golden file.
func at0() time.Time { return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC) }

// whole is a charge that has every field.
func whole() connector.Charge {
	address := request.Address{
		Country: "DE", State: "BE", City: "Berlin", Address: "Street", HouseNumber: "1", Zip: "10115", Phone: "301234567",
		PhoneCountryCode: "49", District: "Mitte", Language: "de",
	}
	return connector.Charge{
		ProviderRequest: connector.ProviderRequest{
			Kind: connector.RequestCharge, Reference: "r-1", PaymentID: "p-1", SessionID: "s-1", Amount: usd("1000"),
			Credentials: inMemory, NoticeURL: "https://pay.example/api/v1/notify/adapter/a1",
		},
		Operation: "purchase", Method: "card", Description: "A pen", Auth: true,
		Card: card.Card{
			Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2030, SecurityCode: "123", PayeeNumber: "4242424242424242",
			Values: map[string]string{"bankDetails.otp": "123456"},
		},
		CardName: "Jane Doe",
		Parties: request.Parties{
			Customer:       request.Customer{Name: "Jane Doe", Email: "jane@shop.example", BirthDate: "1990-02-01"},
			BillingAddress: address, Payee: request.Payee{Name: "John Roe", Email: "john@shop.example", Address: address},
		},
		StartsChain: true, SavesCard: true, Browser: browser(),
		PayerIP: "192.0.2.7", StatedIP: "192.0.2.8", Network: "eth", Parameters: []byte(`{"descriptor":"PEN"}`),
		ReturnURL: "https://pay.example/page/v1/s-1/return", ExpiresAt: at0().Add(time.Hour), Language: "de",
	}
}

func browser() request.Browser {
	berlin, java, script := -60, false, true
	return request.Browser{
		UserAgent: "Mozilla/5.0", AcceptHeader: "*/*", Measures: request.Measures{
			Language: "de-DE", ScreenWidth: 1920, ScreenHeight: 1080,
			ColorDepth: 24, TimeZoneOffset: &berlin, JavaEnabled: &java, JavaScriptEnabled: &script,
		},
	}
}

// follow is a request about the whole charge.
func follow(kind connector.RequestKind, reference string) connector.ProviderRequest {
	r := whole().ProviderRequest
	r.Kind, r.Reference, r.OriginalReference, r.ProviderID = kind, reference, "r-1", "sim1"
	return r
}

// TestRequests compares every kind of request with the golden file, bytes and signatures included.
func TestRequests(t *testing.T) {
	e, c := newExchanges(t, at0)
	a := c.(*Adapter)
	yen, _ := money.Find("JPY")
	later := whole()
	later.Reference, later.Card, later.CardName, later.Auth = "r-2", card.Card{}, "", false
	later.Recurring, later.InitialTransaction, later.SessionID, later.ReturnURL = true, "sim1", "", ""
	later.StartsChain, later.SavesCard, later.Browser = false, false, request.Browser{}
	later.InitialNetworkID = "MCC0000010102"
	later.Amount, _ = money.ParseMinor("1000", yen)
	saved := whole()
	saved.Reference, saved.StartsChain, saved.SavesCard, saved.SavedCard = "r-13", false, false, true
	saved.InitialNetworkID = "MCC0000010102"
	anyAmount := whole()
	anyAmount.Reference, anyAmount.Method, anyAmount.Amount, anyAmount.PayerEntersAmount = "r-3", "crypto", usd("0"), true
	payout := connector.Charge{
		ProviderRequest: follow(connector.RequestCharge, "r-4"), Operation: "credit", Method: "payout_wd1",
	}
	charge := func(c connector.Charge) func() (connector.Result, error) {
		return func() (connector.Result, error) { return a.Charge(t.Context(), c) }
	}
	for _, send := range []func() (connector.Result, error){
		charge(whole()),
		charge(later), charge(anyAmount), charge(payout),
		func() (connector.Result, error) { return a.Continue(t.Context(), whole()) },
		func() (connector.Result, error) {
			return a.Capture(t.Context(), follow(connector.RequestCapture, "r-5"))
		},
		func() (connector.Result, error) { return a.Refund(t.Context(), follow(connector.RequestRefund, "r-6")) },
		func() (connector.Result, error) { return a.Void(t.Context(), follow(connector.RequestVoid, "r-7")) },
		func() (connector.Result, error) { return a.Cancel(t.Context(), follow(connector.RequestCharge, "r-3")) },
		func() (connector.Result, error) {
			return a.QueryStatus(t.Context(), follow(connector.RequestRefund, "r-6"))
		},
		charge(paidWith("r-8", virtual(method.GooglePay))),
		charge(paidWith("r-9", virtual(method.GooglePay).later())),
		charge(paidWith("r-10", device(method.ApplePay))),
		charge(paidWith("r-11", device(method.ApplePay).later())),
		charge(paidWith("r-12", typed())), charge(saved),
	} {
		if _, err := send(); err != nil {
			t.Error(err)
		}
	}
	path := filepath.Join("testdata", "requests.golden")
	if *update {
		if err := os.WriteFile(path, []byte(e.written.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(path)
	if err != nil || string(golden) != e.written.String() {
		t.Errorf("the requests are not those of %s (%v); see the change with -update and git diff", path, err)
	}
	if n := strings.Count(e.written.String(), "411111"); n != 5 {
		t.Errorf("a card number is in %d requests, not in that with a card and those with the card of a wallet", n)
	}
}

// TestEveryMethod charges by every method, lets the payer act, and looks at the result.
func TestEveryMethod(t *testing.T) {
	e, c := newExchanges(t, at0)
	for i, m := range method.Methods {
		charge := whole()
		charge.Reference, charge.Method, charge.Auth = fmt.Sprintf("m-%d", i), m.ID, false
		if len(m.Operations) > 0 {
			charge.Operation = m.Operations[0]
		}
		if method.IsWallet(m.ID) {
			charge = paidWith(charge.Reference, virtual(m.ID))
		}
		r, err := c.Charge(t.Context(), charge)
		if err != nil || r.Outcome != connector.OutcomeApproved && r.Outcome != connector.OutcomeActionRequired {
			t.Errorf("%s: %+v, %v", m.ID, r, err)
			continue
		}
		if acts(m) != (r.RequiredAction != nil) {
			t.Errorf("%s: the payer acts: %v, required: %+v", m.ID, acts(m), r.RequiredAction)
		}
		o, _ := e.simulator.Find("adapter", charge.Reference)
		e.simulator.Act(o.ID, simulator.Approve)
		found, err := c.(*Adapter).QueryStatus(t.Context(), charge.ProviderRequest)
		if err != nil || found.Outcome != connector.OutcomeApproved {
			t.Errorf("%s: %+v, %v", m.ID, found, err)
		}
	}
}

// acts reports whether a method's payer has to do more than to fill in the form.
func acts(m method.Method) bool {
	form := slices.Contains([]method.Behaviour{method.CardForm, method.ExtraFields}, m.Behaviour)
	return !form || len(m.SecondFields(method.Purchase)) > 0
}

// TestSecondForm enters a wrong code, and then the right one.
func TestSecondForm(t *testing.T) {
	_, c := newExchanges(t, at0)
	charge := whole()
	charge.Method, charge.Auth, charge.Card = "pull_wallet", false, card.Card{}
	first, err := c.Charge(t.Context(), charge)
	if err != nil || first.RequiredAction == nil || len(first.RequiredAction.Fields) != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	for _, step := range []struct {
		code string
		want connector.Outcome
	}{{"000000", connector.OutcomeActionRequired}, {simulator.RightCode, connector.OutcomeApproved}} {
		charge.Card.Values = map[string]string{"bankDetails.otp": step.code}
		r, err := c.(*Adapter).Continue(t.Context(), charge)
		if err != nil || r.Outcome != step.want {
			t.Errorf("%s: %+v, %v", step.code, r, err)
		}
	}
}

// TestAnyAmount lets the payer choose the amount at the provider.
func TestAnyAmount(t *testing.T) {
	e, c := newExchanges(t, at0)
	charge := whole()
	charge.Method, charge.Auth, charge.Amount, charge.PayerEntersAmount = "crypto", false, usd("0"), true
	if _, err := c.Charge(t.Context(), charge); err != nil {
		t.Fatal(err)
	}
	o, _ := e.simulator.Find("adapter", "r-1")
	e.simulator.Receive(o.ID, usd("2500"))
	r, err := c.(*Adapter).QueryStatus(t.Context(), charge.ProviderRequest)
	if err != nil || r.Amount != usd("2500") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestNoticeIsOneOfStandardWebhooks verifies a notice with the library of the standard.
func TestNoticeIsOneOfStandardWebhooks(t *testing.T) {
	e, c := newExchanges(t, time.Now)
	if _, err := c.Charge(t.Context(), whole()); err != nil {
		t.Fatal(err)
	}
	n := notificationOf(e.simulator.Notice("adapter", "r-1"))
	e.validate("Result", n.Body)
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte(simulator.Secret))
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := verifier.Verify(n.Body, n.Header); err != nil {
		t.Error(err)
	}
}
