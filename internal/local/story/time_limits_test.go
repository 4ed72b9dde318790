package story

import (
	"context"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
)

// The workers stop for so long that the sealed card expires: the payment is declined without a provider request.
func TestCardIsTooOld(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/38"))
	w.skip(15*time.Minute + time.Millisecond)
	w.work()
	payer.sees("form: declined (not_sent)")
	w.shop.told("sale fail decline")
	w.ledgerIs()
}

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

// Nobody is charged or paid long after the request.
func TestSavedCardLate(t *testing.T) {
	w := open(t, operations)
	token := w.shop.saves("pen-1", "01/38")
	payer := w.shop.visits("pen-2", with("card_token", []string{token}))
	w.queue.lose = loseJobs
	payer.chooses("1")
	w.app.Core.Pause = func(context.Context, time.Duration) error { return nil }
	body := w.shop.Sign(w.shop.Order("pay-out", with("operation", "credit"), with("card_token", []string{token})))
	if got := inWords(w.post("/api/v1/session", body)); got != "200 prepare" {
		t.Errorf("credit: %s", got)
	}
	w.queue.lose = nil
	w.skip(25 * time.Hour)
	w.pass(5 * time.Minute)
	payer.is("decline (The payment could not be carried out in time.)")
	if _, response := w.shop.status("order_id", "pay-out"); response["status"] != "decline" {
		t.Errorf("the payout is %v", response)
	}
	w.ledgerIs("1 x 10.00 USD approved")
}
