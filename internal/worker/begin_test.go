package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
)

// beginner is a bank that gives charges their ids before any money moves.
type beginner struct {
	bank
	begins reply
}

// Begin implements connector.Beginner.
func (b beginner) Begin(_ context.Context, c connector.Charge) (connector.Result, error) {
	return b.ask("begin", c.ProviderRequest, b.begins)
}

// Charge notes the provider's id that is stored by then.
func (b beginner) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	result, err := b.bank.Charge(ctx, c)
	if stored, errRead := b.of.core.Payment(ctx, b.of.now, chargeID); errRead != nil {
		b.of.t.Error(errRead)
	} else {
		b.of.requests = append(b.of.requests, fmt.Sprintf("%q is stored, %q is sent", stored.ProviderID, c.ProviderID))
	}
	return result, err
}

// A charge is sent once its provider's id is stored, and not if that fails: another worker may be sending it.
func TestBegins(t *testing.T) {
	id := connector.Result{ProviderData: connector.ProviderData{ProviderID: "id"}}
	const begun = "begin the charge payment of 10.00 at one"
	for name, test := range map[string]struct {
		begins reply
		known  string                   // the stored id
		meets  []func(*payment.Payment) // before each of its saves
		want   string
		status payment.Status
	}{
		"it has begun": {reply{result: id}, "", nil, begun + `, send, "id" is stored, "id" is sent`, payment.StatusSettled},
		"it had begun": {reply{result: id}, "id", nil, begun + `, send, "id" is stored, "id" is sent`, payment.StatusSettled},
		"it is declined": {reply{result: connector.Result{Outcome: connector.OutcomeDeclined}}, "", nil, begun,
			payment.StatusDecline},
		"no response":             {reply{err: errors.New("got nothing")}, "", nil, begun, payment.StatusPrepare},
		"somebody has changed it": {reply{result: id}, "", meet(nil, other), begun, payment.StatusPrepare},
	} {
		p := at{make: has(payment.JobCharge, "")}.payment()
		p.ProviderID = test.known
		w := newWorld(t, reply{}, storedAt.Add(time.Second), p.Record())
		w.Connectors["bank"] = beginner{bank{"one", approved, approved, w}, test.begins}
		w.meeting(test.meets)
		_ = w.RunJob(t.Context(), payment.JobMessage{PaymentID: chargeID, Reference: chargeID})
		got := strings.ReplaceAll(strings.Join(w.requests, ", "), chargeID, "payment")
		got = strings.Replace(got, "send the charge payment of 10.00 at one", "send", 1)
		stored, err := w.core.Payment(t.Context(), w.now, chargeID)
		if err != nil || got != test.want || stored.Status != test.status {
			t.Errorf("%s: %s, %s, %v", name, got, stored.Status, err)
		}
	}
}
