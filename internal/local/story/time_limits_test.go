package story

import (
	"context"
	"testing"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
)

// endingSender ends a function's context as soon as the shop has responded.
type endingSender struct {
	callback.Sender
	end func()
}

func (l endingSender) Send(ctx context.Context, out callback.Outgoing) (int, error) {
	defer l.end()
	return l.Sender.Send(ctx, out)
}

// A function's time limit is reached at the moment of a response: the response is stored nevertheless.
func TestTimeIsOverWithTheResponse(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/38"))

	ctx, end := context.WithCancel(t.Context())
	w.connects(settings.SandboxConnector, w.bank.ends(end))
	message := payment.JobMessage{PaymentID: payer.paymentID(), SessionID: payer.Session}
	if err := w.app.Runner.RunJob(ctx, message); err != nil {
		t.Error(err)
	}
	payer.is("settled")

	ctx, end = context.WithCancel(t.Context())
	w.app.Callbacks.Sender = endingSender{Sender: w.sender, end: end}
	if err := w.app.Callbacks.SendCallback(ctx, callback.Message{PaymentID: payer.paymentID(), Seq: 1}); err != nil {
		t.Error(err)
	}
	if c := w.Callbacks(); len(c) != 1 || c[0].State != callback.Delivered {
		t.Errorf("stored: %+v", c)
	}
}
