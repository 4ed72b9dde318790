package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/store"
)

// PaymentHistory returns what happened to a payment, or to the session if it has no such payment yet: the facts and the
// timeline of its View. It reads the payments, sessions, callbacks and chain of the order in one strongly consistent
// listing. Errors: CodeNotFound.
func PaymentHistory(ctx context.Context, documents store.Store, now time.Time, paymentID string) (History, error) {
	records, err := listOrder(ctx, documents, now, paymentID)
	if err != nil {
		return History{}, err
	}
	h, _, err := historyOf(records, paymentID)
	return h, err
}

// historyOf returns what the documents of an order tell of a payment.
func historyOf(records []store.Record, paymentID string) (History, orderRecords, error) {
	o, err := readOrderRecords(records)
	if err != nil {
		return History{}, o, err
	}
	h := &History{PaymentID: paymentID, Facts: []Fact{}, Events: []Event{}}
	p := o.payment(paymentID)
	sess := o.session(p, paymentID)
	if p == nil && sess == nil {
		return History{}, o, payment.ErrNotFound()
	}
	h.addSessionFacts(sess, p)
	h.addSession(sess)
	h.addNotes(o)
	if p != nil {
		h.addFacts(o, p)
		h.addAttempts(o, p)
		for _, act := range p.Acts {
			h.addAct(p, act)
		}
		h.addTransactions(p, p.Moves)
		for i := range p.Jobs {
			h.addJob(p, &p.Jobs[i])
		}
		h.addCallbacks(o, p)
		h.addNextCharge(o, p)
	}
	slices.SortStableFunc(h.Events, func(a, b Event) int { return a.At.Compare(b.At) })
	return *h, o, nil
}

// addSession adds the session's beginning.
func (h *History) addSession(sess *checkout.Session) {
	if sess == nil {
		return
	}
	req := &sess.Request
	amount := amountText(req.Order.Amount.Text, req.Order.Currency)
	if req.Order.Amount.ByPayer() {
		amount = amountText("", req.Order.Currency)
	}
	h.event(sess.CreatedAt, "session", fmt.Sprintf("The shop asked for a %s of %s. The checkout page is open until %s.",
		req.Operation, amount, Clock(sess.ExpiresAt)), "mapping", sess.Mapping)
}

// addAttempts adds all payment attempts of the payment's session, those of other payments with their outcome.
func (h *History) addAttempts(o orderRecords, p *payment.Payment) {
	n := 0
	for _, other := range o.payments {
		if other.ID != p.ID && (p.SessionID == "" || other.SessionID != p.SessionID) {
			continue
		}
		n++
		text := fmt.Sprintf("The payer tried to pay by %s, attempt %d", wayOf(other), n)
		if p.SessionID == "" {
			text = "The shop began a payment without its payer, by " + wayOf(other)
		}
		if other.ID == p.ID {
			h.event(p.CreatedAt, "attempt", text+".")
			continue
		}
		text += ". That is another payment, which is " + StatusInSentence(string(other.Status)) + "."
		h.event(other.CreatedAt, "attempt", text,
			"payment", other.ID, "reason code", string(other.ReasonCode), "reason", other.Masker().Mask(other.Reason))
	}
}

// wayOf returns the method of a payment and its card.
func wayOf(p *payment.Payment) string {
	way := p.Method
	if p.Card == nil {
		return way
	}
	if mask := p.Card.MaskText(); mask != "" {
		way += " " + mask
	}
	return strings.TrimSpace(way + " " + string(p.Card.PANType))
}

// addCallbacks adds each callback with its tries, and when it is due.
func (h *History) addCallbacks(o orderRecords, p *payment.Payment) {
	for _, c := range o.callbacks {
		if c.PaymentID != p.ID {
			continue
		}
		name := fmt.Sprintf("Callback %d", c.Seq)
		h.event(c.CreatedAt, "callback", name+" tells the shop: "+c.Event()+". It is "+string(c.State)+".",
			"request", c.Cause)
		for i, try := range c.Tries {
			result := "was not taken"
			if try.Status >= 200 && try.Status < 300 {
				result = "was delivered"
			}
			h.event(try.At, "try", fmt.Sprintf("%s %s, try %d: %s.", name, result, i+1, try.End()))
		}
		if !c.SentAgainAt.IsZero() {
			h.event(c.SentAgainAt, "callback", name+" is sent again by an operator.")
		}
		if c.State == callback.Waiting {
			h.event(c.NextAt, "due", name+" is sent.")
		}
	}
}

// addNextCharge adds when the schedule of the payment's chain charges again.
func (h *History) addNextCharge(o orderRecords, p *payment.Payment) {
	for _, c := range o.chains {
		if c.PaymentID == p.ID && !c.NextAt.IsZero() {
			h.event(c.NextAt, "due", "The schedule charges "+amountText(c.Amount.Text, p.Order.Currency)+" again.")
		}
	}
}
