package story

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
)

// silent is a provider that takes every request and says nothing: neither a response nor an outcome.
func silent() *provider {
	nothing := func(connector.ProviderRequest) (connector.Result, error) {
		return connector.Result{}, errors.New("no response")
	}
	return &provider{charge: noResponse, followUp: nothing, lookUp: nothing}
}

// unknown returns the members of the payment's status that are about an unknown outcome.
func (v *Visit) unknown() string {
	v.w.t.Helper()
	_, s := v.shop.status("order_id", v.order)
	if s["unknown_since"] == nil {
		return "known"
	}
	return fmt.Sprint(s["unknown_operation"], " since ", s["unknown_since"], ", person ", s["waits_for_person"] == true)
}

// recordsLookUps returns when the look-ups of a provider were made, since the clock's start.
func (w *World) recordsLookUps(bank *provider) *[]time.Duration {
	start, lookUp := w.clock.Now(), bank.lookUp
	var at []time.Duration
	bank.lookUp = func(q connector.ProviderRequest) (connector.Result, error) {
		at = append(at, w.clock.Now().Sub(start))
		return lookUp(q)
	}
	return &at
}

// The table fails while a request for the status waits for a look-up: the merchant is told to try again.
func TestStatusFailsDuringALookUp(t *testing.T) {
	w := open(t, operations)
	w.goesLive(silent())
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id, pause := payer.paymentID(), w.app.Core.Pause
	w.app.Core.Pause = func(ctx context.Context, d time.Duration) error {
		w.store.down = true
		return pause(ctx, d)
	}
	for name, value := range map[string]string{"payment_id": id, "order_id": "pen-1"} {
		w.skip(11 * time.Second)
		if code, _ := w.shop.status(name, value); code != http.StatusInternalServerError {
			t.Errorf("by %s: %d", name, code)
		}
		if !w.store.down {
			t.Errorf("by %s: nothing was looked up", name)
		}
		w.store.down = false
	}
	if strings.Contains(w.log.String(), `"msg":"panic"`) {
		t.Error("a function has panicked")
	}
	w.app.Core.Pause = pause
	payer.is("prepare")
}

// A refund is asked for while the charge is unknown. If the provider knows the charge by then, the refund is made,
// else it is refused.
func TestRefundWhileTheChargeIsUnknown(t *testing.T) {
	w := open(t, operations)
	bank := silent()
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(20 * time.Minute)
	id := payer.paymentID()
	w.skip(11 * time.Second)
	if got := w.shop.refunds(id, "4.00"); !strings.HasPrefix(got, "400 ") {
		t.Errorf("refund of what is unknown: %s", got)
	}
	before := len(bank.lookUps)
	w.skip(11 * time.Second)
	bank.lookUp, bank.followUp = onFollowUp(approved), nil
	if got := w.shop.refunds(id, "4.00"); got != "200 accepted" {
		t.Errorf("refund of what the provider knows: %s", got)
	}
	if got := len(bank.lookUps) - before; got != 1 {
		t.Errorf("%d look-ups", got)
	}
	w.pass(time.Hour)
	payer.is("settled")
	w.shop.told("sale undefined prepare", "sale success settled", "refund success settled")
	if len(bank.charges) != 1 || len(bank.followUps) != 1 {
		t.Errorf("%d charges, %d refunds", len(bank.charges), len(bank.followUps))
	}
}

// The response to a refund is lost. It is looked up and never sent twice, another refund gets no more than what is
// left, and after three days a person settles the first one.
func TestRefundWithoutAResponse(t *testing.T) {
	w := open(t, operations)
	bank := silent()
	bank.charge = onCharge(approved)
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	if got := w.shop.refunds(id, "10.00"); got != "200 accepted" {
		t.Fatal(got)
	}
	w.pass(30 * time.Minute)
	if got := payer.unknown(); got != "refund since 2030-03-04 10:00:00, person false" {
		t.Errorf("status: %s", got)
	}
	if got := w.shop.refunds(id, "1.00"); !strings.HasPrefix(got, "400 ") {
		t.Errorf("another refund: %s", got)
	}
	w.waitsForPerson()
	if got := w.waiting(); !slices.Equal(got, []string{"pen-1 refund 10.00 USD"}) {
		t.Errorf("waiting: %q", got)
	}
	w.settles(id, false)
	w.pass(2 * time.Minute)
	payer.is("settled")
	w.shop.told("sale success settled", "refund undefined settled", "refund fail settled")
	if len(bank.followUps) != 1 {
		t.Errorf("sent %d times", len(bank.followUps))
	}
}

// However often a merchant asks for the status, there is at most one look-up in ten seconds.
func TestManyStatusCallsMakeFewLookUps(t *testing.T) {
	w := open(t)
	bank := silent()
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(20 * time.Minute)
	before := len(bank.lookUps)
	for range 100 {
		payer.is("prepare")
	}
	if got := len(bank.lookUps) - before; got != 1 {
		t.Errorf("100 calls at once made %d look-ups", got)
	}
	before = len(bank.lookUps)
	w.atOnce(20, func(int) { w.shop.status("order_id", "pen-1") })
	for range 100 {
		w.skip(time.Second)
		payer.is("prepare")
	}
	if got := len(bank.lookUps) - before; got < 9 || got > 11 {
		t.Errorf("100 calls in 100 s made %d look-ups", got)
	}
	due := w.Stored(t)[0].Jobs[0].DueAt.Sub(w.Stored(t)[0].Jobs[0].UnknownSince)
	if due != time.Hour+5*time.Minute+30*time.Second {
		t.Errorf("the calls moved the look-up of the schedule to %s", due)
	}
}

// A payment that waits for a person is stored until somebody has settled it, however short the retention is.
func TestPaymentThatWaitsForAPersonDoesNotExpire(t *testing.T) {
	w := open(t)
	w.retain(5)
	w.goesLive(silent())
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	w.waitsForPerson()
	w.skip(100 * day)
	w.settles(id, true)
	w.pass(2 * time.Minute)
	payer.is("settled")
	w.skip(5 * day)
	if payments, _, _ := w.retained(); payments != 0 {
		t.Error("it is stored for ever")
	}
}
