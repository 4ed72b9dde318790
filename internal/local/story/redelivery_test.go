package story

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/store"
)

// sendsAgain has one callback sent as an operator.
func (w *World) sendsAgain(id string, seq int, key string) (operator.Sent, error) {
	act := actOf(ann, store.NewUUID(w.app.Core.Random(16)))
	act.Key = key
	return w.app.Actor.By(act).SendAgain(context.Background(), id, seq)
}

// An operator sends a delivered callback again. The shop sees that it is one, with the same webhook-id and a good
// signature, and the operator what the shop responded. It is tried once, and holds no later callback.
func TestDeliveredCallbackIsSentAgain(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	w.pass(time.Minute)
	sent, err := w.sendsAgain(id, 1, "one")
	if err != nil || !sent.Decided || sent.State != callback.Delivered || sent.Try == nil || sent.Try.Status != 200 ||
		!strings.HasPrefix(sent.Text, "The shop has taken it: HTTP 200, after ") {
		t.Errorf("%+v, %v", sent, err)
	}
	w.shop.responds(503)
	if again, err := w.sendsAgain(id, 1, "one"); err != nil || again.Text != sent.Text { // the same call
		t.Errorf("repeated: %+v, %v", again, err)
	}
	failed, err := w.sendsAgain(id, 1, "two")
	if err != nil || failed.State != callback.Delivered || failed.Try.Status != 503 || !failed.Decided ||
		!strings.Contains(failed.Text, "not taken it again: HTTP 503") {
		t.Errorf("%+v, %v", failed, err)
	}
	w.shop.responds(200)
	w.shop.refunds(id, "4.00")
	w.pass(48 * time.Hour)
	var got []string
	for _, r := range w.shop.Received() {
		got = append(got, fmt.Sprint(r.Fields.Get("type"), r.Header.Get("Webhook-Redelivery")))
		if want := fmt.Sprintf("msg_%s_1", id); r.Fields.Get("type") == "sale" && r.Header.Get("Webhook-Id") != want {
			t.Errorf("webhook-id %s, want %s", r.Header.Get("Webhook-Id"), want)
		}
	}
	if text := fmt.Sprint(got); text != "[sale sale1 sale1 refund]" {
		t.Errorf("the shop got %s", text)
	}
	if all := w.acted(); len(all) != 2 || !strings.Contains(all[0], "sent now: callback 1") {
		t.Errorf("audit log %q", all)
	}
}

// Twenty operators send one delivered callback at the same moment: it is sent once, and the others are told why not.
func TestRedeliveriesAtOnce(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(time.Minute)
	errs := make([]error, 20)
	w.queue.lose = loseCallbacks // none is tried before all have asked
	w.atOnce(len(errs), func(i int) { _, errs[i] = w.sendsAgain(payer.paymentID(), 1, fmt.Sprint("key ", i)) })
	w.queue.lose = nil
	accepted := 0
	for _, err := range errs {
		switch {
		case err == nil:
			accepted++
		case fault.CodeOf(err) != fault.CodeNotAllowed:
			t.Errorf("refused by %v", err)
		}
	}
	w.pass(5 * time.Minute)
	if got := len(w.shop.Received()); accepted != 1 || got != 2 {
		t.Errorf("%d accepted, %d requests", accepted, got)
	}
}
