package cash

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/local/simulated"
	"checkout/internal/local/simulator"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

func start(t *testing.T) *simulated.Family {
	f := simulated.Start(t, "cash", New)
	f.MID["gateway_id"], f.MID["currency"] = "cash-USD", "USD"
	delete(f.MID, "key")
	return f
}

func chargeOf(f *simulated.Family, reference string) connector.Charge {
	return connector.Charge{ProviderRequest: f.Request(reference), Method: "cash_mx", Operation: "purchase"}
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		f := start(t)
		p := f.Provider()
		p.Charge = func(b conformance.Behaviour) connector.Charge {
			f.ExpectCharge(b)
			return chargeOf(f, "")
		}
		p.Address = f.Address(func() connector.Charge { return chargeOf(f, "reference-1") })
		return p
	})
}

// charge sends a charge that waits for its payer.
func charge(t *testing.T, c connector.Connector, charge connector.Charge) connector.Result {
	t.Helper()
	r, err := c.Charge(t.Context(), charge)
	if err != nil || r.Outcome != connector.OutcomeActionRequired {
		t.Fatalf("returned %+v, %v", r, err)
	}
	return r
}

// TestRequests compares requests with those that the specification prints: for a single and a recurring reference, and
// with a token that has become too old.
func TestRequests(t *testing.T) {
	f := start(t)
	charge(t, f.Connector, chargeOf(f, "reference-1"))
	f.Wait(time.Hour)
	recurring := chargeOf(f, "reference-2")
	recurring.Recurring = true
	charge(t, f.Connector, recurring)
	f.LookUp(t, recurring.ProviderRequest)
	if r, err := f.Connector.(connector.Canceller).Cancel(t.Context(), recurring.ProviderRequest); err != nil {
		t.Errorf("%+v, %v", r, err)
	}
	f.WantRequests(t)
}

// TestShown has what the payer takes to the till.
func TestShown(t *testing.T) {
	f := start(t)
	action := charge(t, f.Connector, chargeOf(f, "reference-1")).RequiredAction
	var rows []string
	for _, row := range action.Show {
		rows = append(rows, row.ID+" "+string(row.Type)+" "+row.Value+row.Currency)
	}
	o, _ := f.Simulator.Find("cash", "reference-1")
	want := []string{
		"voucher_number copy 895077624859", "voucher_barcode barcode 895077624859987291735754",
		"amount_due amount 10.00USD", "pay_until deadline 2030-01-05T03:04:05Z",
		"app_link link https://provider.example/pay/" + o.ID,
	}
	if strings.Join(rows, "\n") != strings.Join(want, "\n") || action.Text != screen.TextVoucherIssued {
		t.Errorf("shown is, with %s,\n%s", action.Text, strings.Join(rows, "\n"))
	}
	if until := f.Now().Add(72 * time.Hour); !action.ExpiresAt.Equal(until) {
		t.Errorf("until %v, not %v", action.ExpiresAt, until)
	}
}

// lossy drops one response to a path, after the provider has done what was asked.
type lossy struct {
	path string
	mu   sync.Mutex
	done bool
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || l.done || !strings.HasSuffix(r.URL.Path, l.path) {
		return response, err
	}
	l.done = true
	response.Body.Close()
	return nil, errors.New("the connection broke")
}

// TestLostBetween loses the response to each of the steps. The charge goes on when it is sent again.
func TestLostBetween(t *testing.T) {
	for path, test := range map[string]struct {
		sent  bool
		known connector.Outcome
	}{
		"/authorization": {false, connector.OutcomeUnknown},
		"/references":    {true, connector.OutcomeUnknown},
		"/payments":      {true, connector.OutcomeActionRequired},
	} {
		f := start(t)
		f.Connector = New(provider.Setup{Client: provider.Over(&lossy{path: path})})
		c := chargeOf(f, "reference-1")
		r, err := f.Connector.Charge(t.Context(), c)
		if err == nil || errors.Is(err, connector.ErrNotSent) == test.sent {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
		if found := f.LookUp(t, c.ProviderRequest); found.Outcome != test.known {
			t.Errorf("%s: looked up %+v", path, found)
		}
		again := charge(t, f.Connector, c)
		other := charge(t, New(provider.Setup{Client: provider.NewClient()}), c)
		if one, two := again.RequiredAction.Show[0], other.RequiredAction.Show[0]; one != two {
			t.Errorf("%s: the numbers are %+v and %+v", path, one, two)
		}
		if n := len(f.Simulator.Operations()); n != 1 {
			t.Errorf("%s: %d payments were made", path, n)
		}
	}
}

// received counts the requests to a path that got a status.
func received(f *simulated.Family, path string, status int) (n int) {
	for _, r := range f.Simulator.Requests() {
		if strings.HasPrefix(r.Path, path) && r.Status == status {
			n++
		}
	}
	return n
}

// TestTokens are cached until they are refused, and then fetched once more.
func TestTokens(t *testing.T) {
	f := start(t)
	for i := range 3 {
		charge(t, f.Connector, chargeOf(f, fmt.Sprintf("reference-%d", i)))
	}
	if n := received(f, "/authorization", 200); n != 1 {
		t.Errorf("%d tokens were fetched", n)
	}
	f.Wait(time.Hour)
	charge(t, f.Connector, chargeOf(f, "reference-4"))
	refused := received(f, "/references", 401)
	if n := received(f, "/authorization", 200); n != 2 || refused != 1 {
		t.Errorf("%d tokens were fetched, after %d requests were refused", n, refused)
	}
	f.Wait(time.Hour)
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			r, err := f.Connector.Charge(t.Context(), chargeOf(f, fmt.Sprintf("reference-of-many-%d", i)))
			if err != nil || r.Outcome != connector.OutcomeActionRequired {
				t.Errorf("returned %+v, %v", r, err)
			}
		})
	}
	wait.Wait()
	before := received(f, "/authorization", 200)
	charge(t, f.Connector, chargeOf(f, "reference-5"))
	if n := received(f, "/authorization", 200); n != before {
		t.Error("a token was fetched again")
	}
}

// TestRefusedTokens has a provider that refuses tokens as soon as it has made them, and one that makes none.
func TestRefusedTokens(t *testing.T) {
	f := start(t)
	old := New(provider.Setup{Client: provider.Over(swap("authorization", "wrong"))})
	c := chargeOf(f, "reference-1")
	r, err := old.Charge(t.Context(), c)
	twice := received(f, "/authorization", 200) == 2 && received(f, "/references", 401) == 2
	if !errors.Is(err, connector.ErrNotSent) || !twice {
		t.Errorf("refused tokens: %+v, %v", r, err)
	}
	c.Credentials["secret"] = "of-yesterday"
	r, err = f.Connector.Charge(t.Context(), c)
	if !errors.Is(err, connector.ErrNotSent) || strings.Contains(err.Error(), "yesterday") {
		t.Errorf("a wrong private key: %+v, %v", r, err)
	}
	if len(f.Simulator.Operations()) > 0 {
		t.Error("something was made")
	}
}

// swap is a transport that replaces a header that a request has.
func swap(name, value string) http.RoundTripper {
	return transport(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get(name) != "" {
			r.Header.Set(name, value)
		}
		return http.DefaultTransport.RoundTrip(r)
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// TestTokensOfTwo MIDs are two, and one that is refused is not that which was fetched since.
func TestTokensOfTwo(t *testing.T) {
	var cache tokens
	one, two := account{url: "u", privateKey: "1"}.tokenKey(), account{url: "u", privateKey: "2"}.tokenKey()
	cache.set(one, "a")
	cache.set(two, "b")
	cache.drop(one, "an older one")
	if cache.get(one) != "a" || cache.get(two) != "b" {
		t.Errorf("%q, %q", cache.get(one), cache.get(two))
	}
	cache.drop(one, "a")
	if cache.get(one) != "" || cache.get(two) != "b" {
		t.Errorf("after one was refused: %q, %q", cache.get(one), cache.get(two))
	}
	for i := range 2 * maxTokens {
		cache.set(account{privateKey: fmt.Sprint(i)}.tokenKey(), "c")
	}
	if n := len(cache.all); n > maxTokens {
		t.Errorf("%d tokens are cached", n)
	}
}

// TestNothingSent fails before a payment is made.
func TestNothingSent(t *testing.T) {
	for _, lacks := range []string{"url", "secret", "gateway_id", "currency"} {
		f := start(t)
		c := chargeOf(f, "reference-1")
		delete(c.Credentials, lacks)
		r, err := f.Connector.Charge(t.Context(), c)
		if !errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), lacks) || len(f.Simulator.Requests()) > 0 {
			t.Errorf("without %s: %+v, %v", lacks, r, err)
		}
	}
	f := start(t)
	c := chargeOf(f, strings.Repeat("x", maxPublicID+1))
	if r, err := f.Connector.Charge(t.Context(), c); !errors.Is(err, connector.ErrNotSent) {
		t.Errorf("a long public id: %+v, %v", r, err)
	}
	c = chargeOf(f, "reference-1")
	peso, _ := money.Find("MXN")
	c.Amount, _ = money.Parse("10.00", peso)
	r, err := f.Connector.Charge(t.Context(), c)
	if err != nil || r.ReasonCode != reason.CurrencyNotSupported || len(f.Simulator.Requests()) > 0 {
		t.Errorf("pesos: %+v, %v", r, err)
	}
}

// TestContradictions has payments of another amount or currency than was asked for: a person decides.
func TestContradictions(t *testing.T) {
	f := start(t)
	f.MID["gateway_id"] = "cash-MXN"
	r, err := f.Connector.Charge(t.Context(), chargeOf(f, "reference-1"))
	if err == nil || errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), "MXN") {
		t.Errorf("another currency: %+v, %v", r, err)
	}
	f.MID["gateway_id"] = "cash-USD"
	f.Expect(simulator.Charge, simulator.Next{Settles: true, Fault: simulator.OtherAmount})
	r, err = f.Connector.Charge(t.Context(), chargeOf(f, "reference-2"))
	if err == nil || errors.Is(err, connector.ErrNotSent) {
		t.Errorf("another amount: %+v, %v", r, err)
	}
}

// TestNotices tell of a part, of the rest and of a reversal.
func TestNotices(t *testing.T) {
	f := start(t)
	c := chargeOf(f, "reference-1")
	charge(t, f.Connector, c)
	for _, test := range []struct {
		choice  simulator.Choice
		outcome connector.Outcome
		arrived string
	}{
		{simulator.Half, connector.OutcomeActionRequired, "5.00"},
		{simulator.Rest, connector.OutcomeApproved, "10.00"},
		{simulator.Dispute, connector.OutcomeReversal, ""},
	} {
		f.Act("reference-1", test.choice)
		got, err := f.Read(f.Notice("reference-1"))
		arrived := ""
		if got.Result.Received != nil {
			arrived = got.Result.Received.Amount
		}
		if err != nil || got.Result.Outcome != test.outcome || got.PaymentID != "payment-1" {
			t.Errorf("%s: %+v, %v", test.choice, got, err)
		}
		if test.arrived != "" && arrived != test.arrived {
			t.Errorf("%s: %s has arrived", test.choice, arrived)
		}
	}
	f.WantNeverApproved(t, c)
}
