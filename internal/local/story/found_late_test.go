package story

import (
	"testing"
	"time"

	"checkout/internal/connector"
)

// finds is a provider that finds what it was sent so long after now, and until then knows nothing of it. Its connector
// declares that it may take 600 s.
func (w *World) finds(after time.Duration, r connector.Result) *provider {
	can := w.app.Core.Declarations[realBank]
	can.FoundAfter = 600
	w.declares(realBank, can)
	from := w.clock.Now().Add(after)
	late := func(connector.ProviderRequest) (connector.Result, error) {
		if w.clock.Now().Before(from) {
			return connector.Result{Outcome: connector.OutcomeUnknown}, nil
		}
		return r, nil
	}
	bank := &provider{charge: noResponse, lookUp: late, cancel: late}
	w.goesLive(bank)
	return bank
}

const neverFound = 1000 * time.Hour

// A provider that finds a charge only minutes after it has made it is not sent another. A charge that it never received
// is sent again soon after that is certain.
func TestFoundLate(t *testing.T) {
	for name, after := range map[string]time.Duration{
		"found late": 10*time.Minute + 20*time.Second, "never received": neverFound,
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			bank := w.finds(after, approved)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.pass(10 * time.Minute)
			payer.is("prepare")
			payer.sees("wait: checking_outcome")
			if len(bank.charges) != 1 {
				t.Errorf("%d charges", len(bank.charges))
			}
			bank.charge = onCharge(approved)
			w.pass(45 * time.Second) // 600 s after the lease of 40 s
			payer.is("settled")
			if again := len(bank.charges) == 2; again != (after == neverFound) {
				t.Errorf("%d charges", len(bank.charges))
			}
		})
	}
}
