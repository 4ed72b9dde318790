package stripe_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stripe/stripe-mock/embedded"
	mock "github.com/stripe/stripe-mock/server"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

var update = flag.Bool("update", false, "write testdata/requests.golden")

// running is a connector with a simulator.
type running struct {
	*simulator.Simulator
	connector   connector.Connector
	credentials map[string]string
}

func start(t *testing.T) running {
	t.Helper()
	s := simulator.New(simulator.Options{})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return running{s, newConnector(), credentials(server.URL)}
}

// post sends a form to a simulated provider.
func post(t *testing.T, s http.Handler, path, form string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form))
	r.Header.Set("Authorization", "Bearer "+simulator.Key)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
}

func amount(t *testing.T, text, code string) money.Amount {
	t.Helper()
	currency, found := money.Find(code)
	a, err := money.Parse(text, currency)
	if !found || err != nil {
		t.Fatal(text, code, err)
	}
	return a
}

// charge is a charge of 10.00 USD.
func (r running) charge(t *testing.T, reference string) connector.Charge {
	return connector.Charge{
		ProviderRequest: connector.ProviderRequest{
			Kind: connector.RequestCharge, Reference: reference, PaymentID: "p-" + reference, SessionID: "s-" + reference,
			Amount: amount(t, "10", "USD"), Credentials: r.credentials,
		},
		Operation: method.Purchase, Method: "card", Description: "A pen", Card: cardOf(conformance.Approves),
		CardName: "Al Doe", ReturnURL: "https://pay.example/back", PayerIP: "203.0.113.7",
		Browser: request.Browser{UserAgent: "Mozilla/5.0"},
		Parties: request.Parties{
			Customer:       request.Customer{Name: "Al Doe", Email: "al@example.com"},
			BillingAddress: request.Address{Address: "High St", HouseNumber: "1", City: "Ely", Zip: "CB7", Country: "GB"},
		},
		Parameters: []byte(`{"descriptor":"PEN*SHOP"}`),
	}
}

func (r running) send(t *testing.T, c connector.Charge) connector.Result {
	t.Helper()
	result, err := r.connector.Charge(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// follow sends a capture, void or refund, which must be approved.
func (r running) follow(
	t *testing.T, kind connector.RequestKind, charge connector.Charge, id, reference, text string,
) connector.ProviderRequest {
	t.Helper()
	request := charge.ProviderRequest
	request.Kind, request.OriginalReference, request.ProviderID = kind, charge.Reference, id
	request.Reference, request.Amount = reference, amount(t, text, "USD")
	send := map[connector.RequestKind]func() (connector.Result, error){
		connector.RequestCapture: func() (connector.Result, error) {
			return r.connector.(connector.Capturer).Capture(t.Context(), request)
		},
		connector.RequestVoid: func() (connector.Result, error) {
			return r.connector.(connector.Voider).Void(t.Context(), request)
		},
		connector.RequestRefund: func() (connector.Result, error) {
			return r.connector.(connector.Refunder).Refund(t.Context(), request)
		},
	}[kind]
	if result, err := send(); err != nil || result.Outcome != connector.OutcomeApproved {
		t.Fatalf("%s %s: %+v, %v", kind, reference, result, err)
	}
	return request
}

func (r running) query(t *testing.T, request connector.ProviderRequest, want connector.Outcome) connector.Result {
	t.Helper()
	result, err := r.connector.(connector.StatusQuerier).QueryStatus(t.Context(), request)
	if err != nil || result.Outcome != want {
		t.Fatalf("%s %s: %+v, %v", request.Kind, request.Reference, result, err)
	}
	return result
}

// everything sends every request that the connector can send.
func everything(t *testing.T, r running) {
	t.Helper()
	paid := r.charge(t, "paid")
	id := r.send(t, paid).ProviderID
	r.follow(t, connector.RequestRefund, paid, id, "refund-1", "3")
	r.query(t, r.follow(t, connector.RequestRefund, paid, id, "refund-2", "7"), connector.OutcomeApproved)
	r.query(t, paid.ProviderRequest, connector.OutcomeApproved)

	held := r.charge(t, "held")
	held.Auth = true
	id = r.send(t, held).ProviderID
	r.query(t, r.follow(t, connector.RequestCapture, held, id, "capture-1", "8"), connector.OutcomeApproved)
	r.follow(t, connector.RequestVoid, held, id, "void-captured", "8")

	void := r.charge(t, "void")
	void.Auth = true
	id = r.send(t, void).ProviderID
	r.query(t, r.follow(t, connector.RequestVoid, void, id, "void-1", "10"), connector.OutcomeApproved)

	first := r.charge(t, "first")
	first.StartsChain = true
	later := r.charge(t, "later")
	later.Recurring, later.InitialTransaction = true, r.send(t, first).ProviderID
	later.SessionID, later.ReturnURL, later.Card.SecurityCode = "", "", ""
	if result := r.send(t, later); result.Outcome != connector.OutcomeApproved {
		t.Errorf("a later payment of a chain: %+v", result)
	}
	wallet := r.charge(t, "wallet")
	wallet.Method, wallet.Card, wallet.CardName = method.GooglePay, card.Card{}, ""
	wallet.Wallet, wallet.StartsChain = walletOf("tok_1MadeByTheWalletForAPayment"), true
	again := r.charge(t, "wallet-later")
	again.Method, again.Card, again.CardName, again.Wallet = method.GooglePay, card.Card{}, "", &connector.Wallet{
		Kind: method.GooglePay,
	}
	again.Recurring, again.InitialTransaction = true, r.send(t, wallet).ProviderID
	again.SessionID, again.ReturnURL = "", ""
	if result := r.send(t, again); result.Outcome != connector.OutcomeApproved {
		t.Errorf("a later payment of a chain that began with a wallet: %+v", result)
	}
	left := r.charge(t, "left")
	left.Card = cardOf(conformance.RequiresAction)
	r.send(t, left)
	if result, err := r.connector.(connector.Canceller).Cancel(t.Context(), left.ProviderRequest); err != nil ||
		result.Outcome != connector.OutcomeDeclined {
		t.Errorf("left by the payer: %+v, %v", result, err)
	}
	r.query(t, r.charge(t, "never-sent").ProviderRequest, connector.OutcomeUnknown)
}

// TestRequests compares every request that the connector sends with those that were read beside Stripe's reference.
func TestRequests(t *testing.T) {
	r := start(t)
	everything(t, r)
	var out strings.Builder
	for _, sent := range r.Requests() {
		if sent.Status != http.StatusOK {
			t.Errorf("%s %s: status %d", sent.Method, sent.Path, sent.Status)
		}
		path, query, _ := strings.Cut(sent.Path, "?")
		fmt.Fprintf(&out, "%s %s\n", sent.Method, path)
		for _, name := range []string{"Idempotency-Key", "Stripe-Version", "Content-Type"} {
			if value := sent.Header.Get(name); value != "" {
				fmt.Fprintf(&out, "    %s: %s\n", name, value)
			}
		}
		values, err := url.ParseQuery(query + sent.Body)
		if err != nil {
			t.Error(err)
		}
		for _, name := range slices.Sorted(func(yield func(string) bool) {
			for name := range values {
				if !yield(name) {
					return
				}
			}
		}) {
			fmt.Fprintf(&out, "  %s = %s\n", name, strings.Join(values[name], " | "))
		}
	}
	const file = "testdata/requests.golden"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the requests differ from %s; see git diff after a run with -update", file)
	}
}

// TestStripeTakesTheRequests sends the requests that the simulator took to Stripe's own mock server, which checks them
// by Stripe's OpenAPI document, so that connector and simulator can't be wrong together. STRIPE_MOCK_URL names a mock
// server that runs elsewhere.
func TestStripeTakesTheRequests(t *testing.T) {
	r := start(t)
	everything(t, r)
	post(t, r.Simulator, "/stripe/v1/webhook_endpoints", "url=https://pay.example/notify&enabled_events[0]=*")
	address := os.Getenv("STRIPE_MOCK_URL")
	if address == "" {
		address = stripeMock(t)
	}
	taken := 0
	for _, sent := range r.Requests() {
		if got := replay(t, address, sent); got != "" {
			t.Errorf("%s %s: %s", sent.Method, sent.Path, got)
		}
		taken++
	}
	if taken < 30 {
		t.Errorf("only %d requests were sent", taken)
	}
	wrong := r.Requests()[0]
	wrong.Body += "&colour=red"
	if got := replay(t, address, wrong); got == "" {
		t.Error("the mock server takes a parameter that Stripe does not have")
	}
}

// replay sends a recorded request, and returns what is wrong with it.
func replay(t *testing.T, address string, sent simulator.Recorded) string {
	t.Helper()
	if sent.Path == "/v1/payment_methods" { // Stripe's document lacks them, and its website has them
		values, err := url.ParseQuery(sent.Body)
		if err != nil {
			t.Fatal(err)
		}
		values.Del("ip")
		values.Del("user_agent")
		sent.Body = values.Encode()
	}
	request, err := http.NewRequest(sent.Method, address+sent.Path, strings.NewReader(sent.Body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = sent.Header.Clone()
	request.Header.Set("Authorization", "Bearer sk_test_123")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return ""
	}
	text := make([]byte, 500)
	n, _ := response.Body.Read(text)
	return fmt.Sprintf("status %d, %s", response.StatusCode, text[:n])
}

func stripeMock(t *testing.T) string {
	t.Helper()
	spec, err := mock.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := mock.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		t.Fatal(err)
	}
	stub, err := mock.NewStubServer(fixtures, spec, false, false)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(stub.HandleRequest))
	t.Cleanup(server.Close)
	return server.URL
}
