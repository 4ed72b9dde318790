package collection

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/local/simulated"
	"checkout/internal/local/simulator"
	"checkout/internal/reason"
)

// bench is a connector with its simulated provider.
type bench struct{ *simulated.Family }

func newBench(t *testing.T) bench {
	b := bench{simulated.Start(t, "collection", New)}
	maps.Copy(b.MID, map[string]string{
		"market": "AR", "merchant_name": "Pens and Paper", "merchant_type": "RETAIL", "account_id": "account-1",
	})
	return b
}

// charge is a charge of 10.00 USD by a method.
func (b bench) charge(method, parameters string) connector.Charge {
	return connector.Charge{
		ProviderRequest: b.Request("reference-1"),
		Operation:       "purchase", Method: method, Parameters: json.RawMessage(parameters),
		ReturnURL: "https://pay.example/back", ExpiresAt: b.Now().Add(30 * time.Minute),
	}
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		b := newBench(t)
		p := b.Provider()
		p.Totals = nil
		p.Forge = b.ForgeSigned(map[connector.Outcome]string{
			connector.OutcomeApproved: "PAID", connector.OutcomeDeclined: "REJECTED", connector.OutcomeChargeback: "REVERSED",
		})
		p.Charge = func(does conformance.Behaviour) connector.Charge {
			b.ExpectCharge(does)
			return b.charge("offline_service", "")
		}
		p.Method = func(id string) connector.Charge { return b.charge(id, samples[id]) }
		p.SecondForm = func() (connector.Charge, connector.Charge) {
			return b.charge("pull_bank", samples["pull_bank"]), b.charge("pull_bank", seconds["pull_bank"])
		}
		p.Address = b.Address(func() connector.Charge { return b.charge("instant_transfer", "") })
		return p
	})
}

// samples are what payers fill in, by method.
var samples = map[string]string{
	"offline_transfer_a": `{"clientTaxId":"20123456786"}`,
	"offline_transfer_b": `{"clientname":"Ana Paz"}`,
	"offline_transfer_c": `{"clientname":"Ana Paz"}`,
	"offline_transfer_d": `{"clientTaxId":"12345670K"}`,
	"pull_bank":          `{"bankDetails":{"cbu":"2850590940090418135201","alias":"ana.paz.pesos"}}`,
	"pull_wallet":        `{"bankDetails":{"phoneNumber":"+573001234567"}}`,
}

// seconds are what payers of pulls fill in after that.
var seconds = map[string]string{
	"pull_bank": `{"bankDetails":{"cbu":"2850590940090418135201","alias":"ana.paz.pesos",` +
		`"account":"Caja de ahorro 0101","otp":"123456"}}`,
	"pull_wallet": `{"bankDetails":{"phoneNumber":"+573001234567","otp":"123456"}}`,
}

// TestRequests compares the requests of all variants with the recorded ones, which were read beside the specification.
func TestRequests(t *testing.T) {
	b := newBench(t)
	for _, v := range variants {
		c := b.charge(v.method, samples[v.method])
		c.Reference = "reference-of-" + v.method
		r, err := b.Connector.Charge(t.Context(), c)
		if err != nil || r.Outcome != connector.OutcomeActionRequired {
			t.Errorf("%s: %+v, %v", v.method, r, err)
		}
		if second := seconds[v.method]; second != "" {
			if r := b.enter(t, c, second); r.Outcome != connector.OutcomeApproved {
				t.Errorf("%s: %+v", v.method, r)
			}
		}
		b.LookUp(t, c.ProviderRequest)
	}
	c := b.charge("instant_qr", "")
	c.Reference = "reference-of-instant_qr"
	if _, err := b.Connector.(connector.Canceller).Cancel(t.Context(), c.ProviderRequest); err != nil {
		t.Error(err)
	}
	b.WantRequests(t)
}

// enter sends the second form of a charge.
func (b bench) enter(t *testing.T, c connector.Charge, parameters string) connector.Result {
	t.Helper()
	c.Parameters = json.RawMessage(parameters)
	r, err := b.Connector.(connector.Continuer).Continue(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWhatIsShown has what the payer of each variant is shown.
func TestWhatIsShown(t *testing.T) {
	const transfer = "transfer_details: account_name copy, account_number copy, bank_name text, payment_reference copy, " +
		"amount_due amount, pay_until deadline, app_link link"
	for method, want := range map[string]string{
		"instant_qr":         "scan_qr: qr_code qr, amount_due amount, app_link link",
		"offline_transfer_a": transfer, "offline_transfer_b": transfer, "instant_transfer": transfer,
		"offline_service": "voucher_issued: voucher_number copy, voucher_barcode barcode, amount_due amount, " +
			"pay_until deadline, app_link link",
		"pull_bank":   "enter_code: bankDetails.account 3, bankDetails.otp 0",
		"pull_wallet": "enter_code: bankDetails.otp 0",
	} {
		b := newBench(t)
		c := b.charge(method, samples[method])
		r, err := b.Connector.Charge(t.Context(), c)
		if err != nil || r.RequiredAction == nil {
			t.Errorf("%s: %+v, %v", method, r, err)
			continue
		}
		var rows []string
		for _, row := range r.RequiredAction.Show {
			rows = append(rows, row.ID+" "+string(row.Type))
		}
		for _, field := range r.RequiredAction.Fields {
			rows = append(rows, field.ID+" "+strconv.Itoa(len(field.Options)))
		}
		if got := string(r.RequiredAction.Text) + ": " + strings.Join(rows, ", "); got != want {
			t.Errorf("%s: %s\nwant %s", method, got, want)
		}
		if !r.RequiredAction.ExpiresAt.Equal(c.ExpiresAt) {
			t.Errorf("%s: until %v, not the session's end %v", method, r.RequiredAction.ExpiresAt, c.ExpiresAt)
		}
	}
	b := newBench(t)
	r, err := b.Connector.Charge(t.Context(), b.charge("offline_transfer_b", `{"clientname":"Widget Wanda"}`))
	if err != nil || r.RequiredAction == nil || r.RequiredAction.Kind != connector.ActionRedirect ||
		!strings.HasPrefix(r.RequiredAction.URL, "https://provider.example/pay/") {
		t.Errorf("the widget alone: %+v, %v", r, err)
	}
}

// TestPullForms has codes that are wrong, an account without money, and forms that are sent again.
func TestPullForms(t *testing.T) {
	b := newBench(t)
	c := b.charge("pull_wallet", samples["pull_wallet"])
	send := func(parameters string) connector.Result { return b.enter(t, c, parameters) }
	send(samples["pull_wallet"])
	const wrong = `{"bankDetails":{"phoneNumber":"+573001234567","otp":"000000"}}`
	for range 2 {
		if r := send(wrong); r.RequiredAction == nil || r.RequiredAction.Text != "code_wrong" {
			t.Errorf("a wrong code: %+v", r)
		}
	}
	if r := send(wrong); r.Outcome != connector.OutcomeDeclined || r.ReasonCode != "too_many_pins" {
		t.Errorf("the third wrong code: %+v", r)
	}
	if r := send(seconds["pull_wallet"]); r.Outcome != connector.OutcomeDeclined {
		t.Errorf("the right code, too late: %+v", r)
	}
	c.Method, c.Reference = "pull_bank", "reference-2"
	send(samples["pull_bank"])
	other := strings.Replace(seconds["pull_bank"], "Caja de ahorro 0101", "Cuenta de otro", 1)
	if r := send(other); r.Outcome != connector.OutcomeActionRequired || len(r.RequiredAction.Fields) != 2 {
		t.Errorf("an account that was not offered: %+v", r)
	}
	empty := strings.Replace(seconds["pull_bank"], "Caja de ahorro 0101", "Cuenta vacia 0303", 1)
	if r := send(empty); r.Outcome != connector.OutcomeDeclined || r.ReasonCode != "insufficient_funds" {
		t.Errorf("an empty account: %+v", r)
	}
	c.Reference = "reference-3"
	send(samples["pull_bank"])
	if r := send(strings.Replace(seconds["pull_bank"], `,"otp":"123456"`, "", 1)); r.Outcome != connector.OutcomeApproved {
		t.Errorf("without the optional code: %+v", r)
	}
}

// TestNotices has what notices tell of a payment that was paid: that a part is missing, and that it is disputed.
func TestNotices(t *testing.T) {
	b := newBench(t)
	c := b.charge("instant_transfer", "")
	if _, err := b.Connector.Charge(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	b.Act("reference-1", simulator.Half)
	n, err := b.Read(b.Notice("reference-1"))
	if err != nil || n.Result.Outcome != connector.OutcomeActionRequired || n.Result.Received == nil ||
		n.Result.Received.Amount != "5.00" || n.Reference != "reference-1" || n.PaymentID != "payment-1" {
		t.Errorf("half has arrived: %+v, %+v, %v", n, n.Result.Received, err)
	}
	b.Act("reference-1", simulator.Rest)
	if n, err := b.Read(b.Notice("reference-1")); err != nil || n.Result.Outcome != connector.OutcomeApproved {
		t.Errorf("all has arrived: %+v, %v", n, err)
	}
	b.Act("reference-1", simulator.Dispute)
	if n, err := b.Read(b.Notice("reference-1")); err != nil || n.Result.Outcome != connector.OutcomeChargeback {
		t.Errorf("disputed: %+v, %v", n, err)
	}
	b.WantNeverApproved(t, c)
}

// TestContradictions has responses that are no approval, whatever their status says.
func TestContradictions(t *testing.T) {
	of := newBench(t).charge("instant_qr", "").ProviderRequest
	good := response{ID: "1", Reference: of.Reference, Status: "PAID", Amount: "10.00", Currency: "USD"}
	if r, err := good.result(of); err != nil || r.Outcome != connector.OutcomeApproved {
		t.Fatalf("%+v, %v", r, err)
	}
	for name, change := range map[string]func(*response){
		"another amount":      func(r *response) { r.Amount = "9.99" },
		"no amount":           func(r *response) { r.Amount = "" },
		"another currency":    func(r *response) { r.Currency = "EUR" },
		"another reference":   func(r *response) { r.Reference = "reference-2" },
		"no id":               func(r *response) { r.ID = "" },
		"too little":          func(r *response) { r.Received = "9.99" },
		"unreadable received": func(r *response) { r.Received = "1e1" },
		"an unknown status":   func(r *response) { r.Status = "DONE" },
		"no status":           func(r *response) { r.Status = "" },
		"an empty form":       func(r *response) { r.Status, r.Form = "PENDING", &form{} },
		"an unreadable end":   func(r *response) { r.Status, r.QR, r.ExpiryDate = "PENDING", "00", "soon" },
	} {
		bad := good
		change(&bad)
		if r, err := bad.result(of); err == nil || r.Outcome != connector.OutcomePending {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// TestCredentials has MIDs that lack a credential, and whose key the provider does not know: nothing was done.
func TestCredentials(t *testing.T) {
	for _, name := range []string{
		"url", "key", "secret", "market", "merchant_name", "merchant_type", "account_id",
	} {
		b := newBench(t)
		delete(b.MID, name)
		_, err := b.Connector.Charge(t.Context(), b.charge("offline_service", ""))
		if !errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), `"`+name+`"`) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	b := newBench(t)
	b.MID["key"] = "another"
	if _, err := b.Connector.Charge(t.Context(), b.charge("offline_service", "")); !errors.Is(err, connector.ErrNotSent) {
		t.Errorf("another key: %v", err)
	}
	b = newBench(t)
	b.Expect(simulator.Charge, simulator.Next{Fault: simulator.TooManyRequests})
	if _, err := b.Connector.Charge(t.Context(), b.charge("offline_service", "")); !errors.Is(err, connector.ErrNotSent) {
		t.Errorf("too many requests: %v", err)
	}
	b = newBench(t)
	b.Expect(simulator.Charge, simulator.Next{Fault: simulator.OtherAmount, Settles: true})
	r, err := b.Connector.Charge(t.Context(), b.charge("offline_service", ""))
	if err == nil || errors.Is(err, connector.ErrNotSent) {
		t.Errorf("another amount than was asked: %+v, %v", r, err)
	}
}

// A payment without a page has no end until which it could be paid, so nothing is sent.
func TestWithoutASession(t *testing.T) {
	b := newBench(t)
	c := b.charge("instant_qr", "")
	c.ExpiresAt = time.Time{}
	r, err := b.Connector.Charge(t.Context(), c)
	if err != nil || r.Outcome != connector.OutcomeDeclined || r.ReasonCode != reason.NotSupported ||
		len(b.Simulator.Requests()) > 0 {
		t.Errorf("%+v, %v, sent %d requests", r, err, len(b.Simulator.Requests()))
	}
}

// refuses refuses what is posted, and can't be reached for look-ups.
type refuses struct{}

func (refuses) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodPost {
		return nil, errors.New("no route")
	}
	body := `{"error":{"code":"invalid_request","message":"bankDetails.otp"}}`
	return &http.Response{StatusCode: 400, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// After a form was refused, a look-up that was not sent does not mean that nothing was sent.
func TestRefusedForm(t *testing.T) {
	b := newBench(t)
	c := b.charge("pull_wallet", seconds["pull_wallet"])
	own := &Collection{provider.Setup{Client: provider.Over(refuses{})}}
	if r, err := own.Continue(t.Context(), c); err == nil || errors.Is(err, connector.ErrNotSent) {
		t.Errorf("%+v, %v", r, err)
	}
}
