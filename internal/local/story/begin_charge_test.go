package story

import (
	"context"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
)

// beginner is a provider that gives charges their ids before any money moves.
type beginner struct {
	*provider
	begins func(connector.Charge)
	begun  int
}

func (b *beginner) Begin(_ context.Context, c connector.Charge) (connector.Result, error) {
	b.begun++
	if b.begins != nil {
		b.begins(c)
	}
	return connector.Result{ProviderData: connector.ProviderData{ProviderID: "id of " + c.Reference}}, nil
}

// The provider's id of a charge is stored before the charge is sent.
func TestChargeBegins(t *testing.T) {
	w := open(t)
	bank := &beginner{provider: &provider{}}
	bank.charge = func(c connector.Charge) (connector.Result, error) {
		if p := w.Stored(t)[0]; p.ProviderID != "id of "+c.Reference || c.ProviderID != p.ProviderID {
			t.Errorf("stored is the id %q, sent %q", p.ProviderID, c.ProviderID)
		}
		return approved, nil
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("settled")
}

// Somebody changes the payment while its charge begins: another worker may be sending it, so that nothing is charged.
// It is sent again, and charged once.
func TestChargeBeginsMeanwhile(t *testing.T) {
	w := open(t)
	bank := &beginner{provider: &provider{}}
	bank.begins = func(connector.Charge) {
		for _, record := range w.app.Store.Dump() {
			if bank.begun > 1 || !strings.HasSuffix(record.Key.Sort, "/payment") {
				continue
			}
			if err := w.app.Store.Save(t.Context(), w.clock.Now(), record); err != nil {
				t.Error(err)
			}
		}
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	if len(bank.charges) != 0 {
		t.Errorf("%d charges", len(bank.charges))
	}
	w.pass(5 * time.Minute)
	payer.is("settled")
	if len(bank.charges) != 1 || bank.begun != 2 {
		t.Errorf("begun %d times, charged %d times", bank.begun, len(bank.charges))
	}
}
