package walletapp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/local/simulated"
	"checkout/internal/local/simulator"
	"checkout/internal/money"
	"checkout/internal/reason"
)

func start(t *testing.T) *simulated.Family {
	f := simulated.Start(t, "walletapp", New)
	f.MID["service"] = "pens"
	return f
}

func charge() connector.Charge {
	return connector.Charge{
		Method: "wallet_app", Operation: "purchase", ReturnURL: "https://pay.example/back",
		Parameters: json.RawMessage(`{"phone":"+15595550100"}`),
	}
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		f := start(t)
		p := f.Provider()
		p.Charge = func(b conformance.Behaviour) connector.Charge {
			f.ExpectCharge(b)
			return charge()
		}
		p.Forge = func(
			kind connector.RequestKind, reference, paymentID string, outcome connector.Outcome,
		) connector.Notification {
			query := f.Query(f.MID["secret"], kind, reference, paymentID)
			return connector.Notification{Query: query, Body: forged(reference, outcome)}
		}
		return p
	})
}

// forged is the body of a notice, at the right address, that is signed without a secret.
func forged(reference string, outcome connector.Outcome) []byte {
	p := response{PartnerID: simulator.Key, TransactionID: reference, PaymentID: "sim1", Status: "REVERSED"}
	switch outcome {
	case connector.OutcomeApproved:
		p.Status = "PAID"
	case connector.OutcomeDeclined:
		p.Status = "DECLINED"
	}
	p.Order.Amount, p.Order.Currency = "10.00", "840"
	p.Signature = sign("", p.signed())
	body, _ := json.Marshal(p)
	return body
}

func send(t *testing.T, f *simulated.Family, c connector.Charge, reference string) (connector.Result, error) {
	t.Helper()
	c.ProviderRequest = f.Request(reference)
	return f.Connector.Charge(t.Context(), c)
}

// TestRequests compares requests with those that the specification prints. One has no page to return to: its
// conditional addresses are left out of body and signature, which the provider checks.
func TestRequests(t *testing.T) {
	f := start(t)
	elsewhere := charge()
	elsewhere.BillingAddress.Language, elsewhere.ReturnURL = "pt_BR", ""
	for i, c := range []connector.Charge{charge(), elsewhere} {
		r, err := send(t, f, c, fmt.Sprintf("reference-%d", i+1))
		if err != nil || r.RequiredAction == nil || r.RequiredAction.Kind != connector.ActionRedirect ||
			r.RequiredAction.ExpiresAt.IsZero() {
			t.Errorf("returned %+v, %v", r, err)
		}
	}
	f.LookUp(t, f.Request("reference-1"))
	if _, err := f.Connector.(connector.Canceller).Cancel(t.Context(), f.Request("reference-1")); err != nil {
		t.Error(err)
	}
	f.WantRequests(t)
}

// The payer's language is that of the page, else that of the address, else that of the MID.
func TestLanguage(t *testing.T) {
	for _, test := range []struct{ page, address, mid, want string }{
		{"uk", "pt_BR", "fr", "uk"}, {"zh-Hant", "", "fr", "zh-Hant"}, {"", "pt_BR", "fr", "pt-BR"}, {"", "", "fr", "fr"},
		{"", "", "", "en"},
	} {
		c := connector.Charge{Language: test.page}
		c.BillingAddress.Language, c.Credentials = test.address, map[string]string{"language": test.mid}
		if got := languageOf(c); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// TestNumericCurrency sends codes as integers, of currencies with any number of decimals.
func TestNumericCurrency(t *testing.T) {
	for code, want := range map[string]string{
		"JPY": `"order":{"amount":10.00,"currency":392}`, "ALL": `"order":{"amount":10.00,"currency":8}`,
		"AUD": `"order":{"amount":10.00,"currency":36}`, "KWD": `"order":{"amount":10.000,"currency":414}`,
	} {
		f := start(t)
		f.Expect(simulator.Charge, simulator.Next{Settles: true})
		c := charge()
		c.ProviderRequest = f.Request("reference-1")
		currency, _ := money.Find(code)
		c.Amount, _ = money.Parse("10", currency)
		r, err := f.Connector.Charge(t.Context(), c)
		sent := f.Simulator.Requests()[0].Body
		if err != nil || r.Outcome != connector.OutcomeApproved || !strings.Contains(sent, want) {
			t.Errorf("%s: %+v, %v, sent was %s", code, r, err, sent)
		}
	}
	f := start(t)
	c := charge()
	c.ProviderRequest = f.Request("reference-1")
	coin, _ := money.Find("BTC")
	c.Amount, _ = money.Parse("10", coin)
	r, err := f.Connector.Charge(t.Context(), c)
	if err != nil || r.ReasonCode != reason.CurrencyNotSupported || len(f.Simulator.Requests()) > 0 {
		t.Errorf("of coins: %+v, %v", r, err)
	}
}

// TestSignature changes each field after the signature was made, and moves an address to another field.
func TestSignature(t *testing.T) {
	f := start(t)
	c := charge()
	c.ProviderRequest = f.Request("reference-1")
	m, err := midOf(c.ProviderRequest)
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]func(*payment){
		"payerId":       func(p *payment) { p.PayerID = "+15595550101" },
		"transactionId": func(p *payment) { p.TransactionID = "reference-2" },
		"order.amount":  func(p *payment) { p.Order.Amount = "10.01" },
		"currency":      func(p *payment) { p.Order.Currency = 978 },
		"callbackUrl":   func(p *payment) { p.CallbackURL += "0" },
		"returnUrl":     func(p *payment) { p.ReturnURL = "" },
		"cancelUrl":     func(p *payment) { p.CancelURL, p.DeclineURL = p.CancelURL+"0", "" },
		"service":       func(p *payment) { p.Service = "cars" },
		"language":      func(p *payment) { p.Language = "fr" },
		"moved":         func(p *payment) { p.ReturnURL, p.DeclineURL = "", p.ReturnURL },
	}
	changes["nothing"] = func(*payment) {}
	for name, change := range changes {
		body, err := m.payment(c)
		if err != nil {
			t.Fatal(err)
		}
		if name == "moved" { // so that the values in their order are the same
			body.DeclineURL, body.CancelURL = "", ""
			body.Signature = sign(m.secret, body.signed())
		}
		change(&body)
		text, _ := json.Marshal(body)
		got, err := http.Post(m.url+"/payments", "application/json", strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, got.Body)
		got.Body.Close()
		want := http.StatusUnauthorized
		if name == "nothing" {
			want = http.StatusOK
		}
		if got.StatusCode != want {
			t.Errorf("%s changed: status %d", name, got.StatusCode)
		}
	}
}

// TestNotices are genuine in a part only: body and address have to be of the same request.
func TestNotices(t *testing.T) {
	f := start(t)
	for _, reference := range []string{"reference-1", "reference-2"} {
		if _, err := send(t, f, charge(), reference); err != nil {
			t.Fatal(err)
		}
	}
	f.Act("reference-1", simulator.Approve)
	paid := f.Notice("reference-1")
	got, err := f.Read(paid)
	if err != nil || got.Result.Outcome != connector.OutcomeApproved || got.Kind != connector.RequestCharge {
		t.Errorf("read %+v, %v", got, err)
	}
	paid.Query = f.Notice("reference-2").Query
	if got, err := f.Read(paid); err == nil {
		t.Errorf("at another payment's address: %+v", got)
	}
	f.Act("reference-1", simulator.Dispute)
	if got, err := f.Read(f.Notice("reference-1")); err != nil || got.Result.Outcome != connector.OutcomeChargeback {
		t.Errorf("a chargeback: %+v, %v", got, err)
	}
	c := charge()
	c.ProviderRequest = f.Request("reference-1")
	f.WantNeverApproved(t, c)
	f.MID["secret"] = "another"
	if got, err := f.Read(f.Notice("reference-1")); !errors.Is(err, connector.ErrNotAuthentic) {
		t.Errorf("with another secret: %+v, %v", got, err)
	}
}

// TestNothingSent fails before anything is sent, and if the provider does not take the signature.
func TestNothingSent(t *testing.T) {
	for _, lacks := range []string{"url", "key", "secret", "service", "phone number", "right secret", "notice address"} {
		f := start(t)
		c := charge()
		c.ProviderRequest = f.Request("reference-1")
		delete(c.Credentials, lacks)
		switch lacks {
		case "phone number":
			c.Parameters = nil
		case "right secret":
			c.Credentials["secret"] = "wrong"
		case "notice address":
			c.NoticeURL = ""
		}
		r, err := f.Connector.Charge(t.Context(), c)
		if !errors.Is(err, connector.ErrNotSent) || len(f.Simulator.Operations()) > 0 ||
			lacks != "right secret" && !strings.Contains(err.Error(), lacks) {
			t.Errorf("without %s: %+v, %v", lacks, r, err)
		}
	}
}

// TestOtherAmount is about a provider that charges another amount.
func TestOtherAmount(t *testing.T) {
	f := start(t)
	f.Expect(simulator.Charge, simulator.Next{Settles: true, Fault: simulator.OtherAmount})
	r, err := send(t, f, charge(), "reference-1")
	if err == nil || errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), "9.99") {
		t.Errorf("returned %+v, %v", r, err)
	}
}
