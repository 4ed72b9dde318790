package story

import (
	"context"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/page/form"
	"checkout/internal/reason"
	"checkout/internal/settings"
)

// deadline is a context with a deadline that it doesn't enforce.
type deadline struct {
	context.Context
	at time.Time
}

func (d *deadline) Deadline() (time.Time, bool) { return d.at, true }

// No other MID is tried if the function may end before that one responds.
func TestCascadeWithoutTimeLeft(t *testing.T) {
	w := open(t, mids("", "", "", ""))
	bank := &provider{charge: func(connector.Charge) (connector.Result, error) {
		w.clock.Move(14 * time.Second)
		return soft, nil
	}}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	w.queue.lose = loseAll
	payer.send(payer.attempt("01/38"))
	w.queue.lose = nil
	payments := w.Stored(t)
	function := &deadline{context.Background(), w.clock.Now().Add(30 * time.Second)}
	message := payment.JobMessage{PaymentID: payments[0].ID, SessionID: payer.Session}
	if err := w.app.Runner.RunJob(function, message); err != nil {
		t.Error(err)
	}
	if len(bank.charges) != 1 {
		t.Errorf("%d charges of 14 s each in 30 s", len(bank.charges))
	}
	payer.sees("form: declined (Later.)")
}

// The first MID declines softly. While the second one charges, the first reports the decline without a reference.
func TestLateNoticeOfFirstMID(t *testing.T) {
	w := open(t, mids("", ""))
	bank := &provider{}
	bank.charge = func(c connector.Charge) (connector.Result, error) {
		if len(bank.charges) == 1 {
			return soft, nil
		}
		w.reported(realBank, connector.Notice{PaymentID: c.PaymentID, Result: declined})
		return approved, nil
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.sees("go https://shop.example/paid")
	w.shop.told("sale success settled")
}

// A payer who saw an address may send money there: after that no other MID is tried, and what arrived is reported.
func TestNoCascadeAfterAnAddress(t *testing.T) {
	w := open(t, mids("", ""), func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Methods = []string{"crypto"}
		m.Mappings[0].MIDs[1].Methods = []string{"crypto"}
	})
	// The look-up doesn't find the first charge.
	bank := &provider{lookUp: onFollowUp(connector.Result{Outcome: connector.OutcomeUnknown})}
	bank.charge = func(connector.Charge) (connector.Result, error) {
		if len(bank.charges) == 1 {
			return address, nil
		}
		received := &connector.Received{Currency: "BTC", Amount: "0.0005", Due: "0.001"}
		late := connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.TryAgainLater}
		late.Received = received
		return late, nil
	}
	w.goesLive(bank)
	order := map[string]any{"number": "pen-1", "amount": "0.001", "currency": "BTC", "description": "A pen"}
	payer := w.shop.visits("pen-1", with("order", order), cryptoBTC)
	payer.send(form.Request{Attempt: "11111111-1111-4111-8111-111111111111", Method: "crypto"})
	w.pass(10 * time.Minute)
	w.shop.told("init success pending", "sale fail decline")
	w.shop.reasons("", halfLate)
	if len(bank.charges) != 2 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}
