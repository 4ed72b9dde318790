// Package simulated runs connectors against the simulator: the suite of package conformance, and comparisons of what
// they send with recorded requests.
package simulated

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/local/simulator"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Family is a connector with the simulator's provider of its family.
type Family struct {
	Name      string
	Simulator *simulator.Simulator
	Connector connector.Connector
	Faults    *conformance.Faults
	MID       map[string]string
	mu        sync.Mutex
	now       time.Time
}

// Start starts the provider of a family, with a clock of its own.
func Start(t *testing.T, name string, build func(provider.Setup) connector.Connector) *Family {
	t.Helper()
	f := &Family{Name: name, now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	f.Simulator = simulator.New(simulator.Options{
		URL: "https://provider.example", Now: f.Now, After: func(time.Duration, func()) {},
	})
	f.Faults = conformance.NewFaults(t, f.Simulator, movesMoney)
	f.Connector = build(provider.Setup{Now: f.Now, BaseURL: "https://pay.example", Client: provider.NewClient()})
	f.MID = map[string]string{"url": f.Faults.URL + "/" + name, "key": simulator.Key, "secret": simulator.Secret}
	return f
}

// movesMoney reports whether a request does more than to get a token, or the reference that a payment is made with.
func movesMoney(r *http.Request) bool {
	preparing := strings.HasSuffix(r.URL.Path, "/authorization") || strings.HasSuffix(r.URL.Path, "/references")
	return r.Method == http.MethodPost && !preparing
}

// Now is the time of the provider and the connector.
func (f *Family) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Wait moves the time.
func (f *Family) Wait(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

// Expect chooses what the provider does with the next operation of a kind.
func (f *Family) Expect(kind simulator.Kind, n simulator.Next) {
	n.Family, n.Kind = f.Name, kind
	f.Simulator.Expect(n)
}

// Provider returns the provider for the suite. Its charges are up to the family.
func (f *Family) Provider() conformance.Provider {
	return conformance.Provider{
		Connector: f.Connector, Credentials: f.MID, Faults: f.Faults,
		Charges: func(_ *testing.T, reference string) (n int) {
			for _, o := range f.Simulator.Operations() {
				if o.Kind == simulator.Charge && o.Reference == reference {
					n++
				}
			}
			return n
		},
		Totals: func(_ *testing.T, reference string) conformance.Totals {
			found, _ := f.Simulator.Totals(f.Name, reference)
			totals := conformance.Totals{Voided: found.Voided}
			_, _ = fmt.Sscan(found.Authorised.Minor(), &totals.Authorised)
			_, _ = fmt.Sscan(found.Captured.Minor(), &totals.Captured)
			_, _ = fmt.Sscan(found.Refunded.Minor(), &totals.Refunded)
			return totals
		},
		Confirm: f.decide, Decide: f.decide,
		Notify: func(_ connector.RequestKind, reference string) connector.Notification { return f.Notice(reference) },
		Forge:  f.forge,
	}
}

func (f *Family) decide(_ *testing.T, reference string, approved bool) {
	choice := simulator.Decline
	if approved {
		choice = simulator.Approve
	}
	f.Act(reference, choice)
}

// ExpectCharge chooses the behaviour of the next charge, of a family whose charges do not choose it by themselves.
func (f *Family) ExpectCharge(b conformance.Behaviour) {
	next := map[conformance.Behaviour]simulator.Next{
		conformance.Approves:       {Settles: true},
		conformance.Declines:       {Decline: "payer_refused"},
		conformance.DeclinesSoftly: {Decline: "insufficient_funds"},
		conformance.Waits:          {Waits: true},
	}
	if n, found := next[b]; found {
		f.Expect(simulator.Charge, n)
	}
}

// Request is a request about a charge of 10.00 USD.
func (f *Family) Request(reference string) connector.ProviderRequest {
	currency, _ := money.Find("USD")
	amount, _ := money.Parse("10.00", currency)
	return connector.ProviderRequest{
		Kind: connector.RequestCharge, Reference: reference, PaymentID: "payment-1", SessionID: "session-1", Amount: amount,
		Credentials: f.MID, NoticeURL: "https://pay.example/api/v1/notify/" + f.Name + "/m",
	}
}

// Act lets the payer of a charge act.
func (f *Family) Act(reference string, choice simulator.Choice) {
	if o, found := f.Simulator.Find(f.Name, reference); found {
		f.Simulator.Act(o.ID, choice)
	}
}

// LookUp looks up a request.
func (f *Family) LookUp(t *testing.T, r connector.ProviderRequest) connector.Result {
	t.Helper()
	found, err := f.Connector.(connector.StatusQuerier).QueryStatus(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// WantNeverApproved looks up a charge that was reversed, and sends it again. Who knows nothing but that is told that it
// was declined.
func (f *Family) WantNeverApproved(t *testing.T, c connector.Charge) {
	t.Helper()
	again, err := f.Connector.Charge(t.Context(), c)
	if err != nil {
		t.Error(err)
	}
	for _, r := range []connector.Result{f.LookUp(t, c.ProviderRequest), again} {
		if r.Outcome != connector.OutcomeDeclined || r.ReasonCode != reason.Disputed {
			t.Errorf("a look-up or a repeat: %+v", r)
		}
	}
}

// Address is a charge that its payer pays elsewhere, as a whole or in parts, for the suite.
func (f *Family) Address(charge func() connector.Charge) *conformance.Address {
	return &conformance.Address{
		Charge: func(bool) connector.Charge { return charge() },
		Send: func(_ *testing.T, part string) {
			f.Act("reference-1", map[string]simulator.Choice{
				"all": simulator.Whole, "half": simulator.Half, "rest": simulator.Rest,
			}[part])
		},
		Expire: func() { f.Act("reference-1", simulator.Expire) },
	}
}

var update = flag.Bool("update", false, "write the recorded requests")

// shownHeaders are the headers of recorded requests.
var shownHeaders = []string{
	"Authorization", "Content-Type", "Idempotency-Key", "X-Api-Key", "X-Api-Secret", "X-Callback-Url",
}

// WantRequests compares all requests that the provider has received with testdata/requests.golden.
func (f *Family) WantRequests(t *testing.T) {
	t.Helper()
	var text strings.Builder
	for _, r := range f.Simulator.Requests() {
		fmt.Fprintf(&text, "%s %s\n", r.Method, r.Path)
		for _, name := range slices.Sorted(maps.Keys(r.Header)) {
			if slices.Contains(shownHeaders, name) {
				fmt.Fprintf(&text, "%s: %s\n", name, strings.Join(r.Header[name], ", "))
			}
		}
		fmt.Fprintf(&text, "%s\n\n", r.Body)
	}
	const name = "testdata/requests.golden"
	if *update {
		if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != text.String() {
		t.Errorf("%s has (%v)\n%s\nand sent was\n%s", name, err, want, text.String())
	}
}
