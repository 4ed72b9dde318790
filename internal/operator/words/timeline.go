package words

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/store"
)

// PaymentHistory returns what happened to a payment, or to the session if it has no such payment yet: the facts and the
// timeline of its View. It reads the payments, sessions, callbacks and chain of the order in one strongly consistent
// listing. Errors: CodeNotFound.
func PaymentHistory(ctx context.Context, documents store.Store, now time.Time, paymentID string) (History, error) {
	records, err := ListOrder(ctx, documents, now, paymentID)
	if err != nil {
		return History{}, err
	}
	h, _, err := HistoryOf(records, paymentID)
	return h, err
}

// HistoryOf returns what the documents of an order tell of a payment.
func HistoryOf(records []store.Record, paymentID string) (History, Order, error) {
	o, err := ReadOrder(records)
	if err != nil {
		return History{}, o, err
	}
	h := &History{PaymentID: paymentID, Facts: []Fact{}, Events: []Event{}}
	p := o.Payment(paymentID)
	sess := o.Session(p, paymentID)
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

// addSession adds the session's beginning, and that its payer was given more time.
func (h *History) addSession(sess *checkout.Session) {
	if sess == nil {
		return
	}
	req := &sess.Request
	amount := amountText(req.Order.Amount.Text, req.Order.Currency)
	if req.Order.Amount.ByPayer() {
		amount = amountText("", req.Order.Currency)
	}
	end, extended := sess.ExpiresAt, sess.Extension
	if extended != nil {
		end = extended.Before
	}
	h.event(sess.CreatedAt, "session", fmt.Sprintf("The shop asked for a %s of %s. The checkout page is open until %s.",
		req.Operation, amount, Clock(end)), "mapping", sess.Mapping)
	if extended != nil {
		h.event(extended.At, "session", "The payer asked for more time. The checkout page is open until "+
			Clock(sess.ExpiresAt)+".")
	}
}

// addAttempts adds all attempts to pay the order, those of other payments with their outcome. The payments of a
// recurring chain are none of another payment's.
func (h *History) addAttempts(o Order, p *payment.Payment) {
	n := 0
	for _, other := range o.Payments {
		sameSession := p.SessionID != "" && other.SessionID == p.SessionID
		if other.ID != p.ID && !sameSession && (p.Recurring || other.Recurring) {
			continue
		}
		var text string
		switch {
		case p.SessionID == "" && other.ID == p.ID:
			text = "The shop began a " + nameOf(p.EventType(payment.JobCharge)) + " without its payer, by " + wayOf(p)
			if p.Operation == method.Credit {
				text = "The shop began a payout to " + wayOf(p)
			}
		case other.ID != p.ID && !sameSession:
			text = "In another session the payer tried to pay by " + wayOf(other)
		default:
			n++
			text = fmt.Sprintf("The payer tried to pay by %s, attempt %d", wayOf(other), n)
		}
		if other.ID == p.ID {
			h.event(p.CreatedAt, "attempt", text+".")
			continue
		}
		text += ". That is another payment, which is " + StatusInSentence(other) + "."
		h.event(other.CreatedAt, "attempt", text,
			"payment", other.ID, "reason code", string(other.ReasonCode), "reason", other.Masker().Mask(other.Reason))
	}
}

// wayOf returns the method of a payment and its card.
func wayOf(p *payment.Payment) string {
	way := p.Method
	if m, ok := method.Find(p.Method); ok && p.Method != method.Card {
		way = m.Name
	}
	if p.Card == nil {
		return way
	}
	if mask := p.Card.MaskText(); mask != "" {
		way += " " + mask
	}
	return strings.TrimSpace(way + " " + string(p.Card.PANType))
}

// addCallbacks adds each callback with its tries, and when it is due.
func (h *History) addCallbacks(o Order, p *payment.Payment) {
	for _, c := range o.Callbacks {
		if c.PaymentID != p.ID {
			continue
		}
		name, stands, again := fmt.Sprintf("Callback %d", c.Seq), deliveryStates[c.State], ""
		if c.State == callback.Waiting && len(c.Tries) > 0 {
			stands, again = "It has not been delivered yet.", " again"
		}
		h.event(c.CreatedAt, "callback", name+" tells the shop "+eventText(c, p)+". "+stands,
			"event", c.Event(), "request", c.Cause)
		for i, try := range c.Tries {
			text, said := tryText(try)
			h.event(try.At, "try", fmt.Sprintf("%s, try %d: %s", name, i+1, text))
			h.said(said)
		}
		if !c.SentAgainAt.IsZero() {
			h.event(c.SentAgainAt, "callback", name+" is sent again by an operator.")
		}
		if c.State == callback.Waiting {
			h.event(c.NextAt, "due", name+" is sent"+again+".")
		}
	}
}

// deliveryStates say where a callback stands.
var deliveryStates = map[callback.State]string{
	callback.Waiting: "It is to be delivered.", callback.Delivered: "It was delivered.",
	callback.Parked:  "It was not delivered, and is not sent again automatically.",
	callback.Dropped: "It was not sent: the payer tried again, and only the last decline is told.",
}

// eventText says for people what a callback tells the shop.
func eventText(c *callback.Callback, p *payment.Payment) string {
	kind, rest, _ := strings.Cut(c.Event(), " ")
	status, _, _ := strings.Cut(rest, " ")
	t, end := payment.EventType(kind), payment.TransactionStatus(status)
	what := nameOf(t)
	switch {
	case t == payment.Event3DS:
		return "that the payer has to confirm the payment at the bank"
	case t == payment.EventRedirect:
		return "that the payer was sent to the provider's page"
	case t == payment.EventInit:
		return "that the payer was shown how to pay"
	case t == payment.EventChargeback && end == payment.Fail:
		return "that the dispute was won"
	case t == payment.EventChargeback:
		return "that the payment was charged back"
	case t == payment.EventReversal:
		return "that the payment was reversed"
	case end == payment.Waiting:
		return "that the provider has not decided the " + what + " yet"
	case end == payment.Undefined:
		return "that the outcome of the " + what + " is not known yet"
	case end == payment.Fail && p != nil && t == p.EventType(payment.JobCharge):
		return "that the " + what + " was declined"
	case end == payment.Fail:
		return "that the " + what + " has failed"
	case end == payment.Success && strings.HasSuffix(rest, " "+string(payment.StatusPending)):
		return "that the " + what + " is authorised"
	case end == payment.Success:
		return "that the " + what + " has succeeded"
	}
	return "that something has changed"
}

// tryText says for people how a try to deliver a callback has ended. said is what a program said of it.
func tryText(try callback.Try) (text, said string) {
	switch {
	case try.Status >= 200 && try.Status < 300:
		return "it was delivered (" + try.End() + ").", ""
	case try.Status != 0:
		return "the shop's server answered " + try.End() + ".", ""
	}
	text, said = troubleWords("the shop's server", try.End())
	if text == "" {
		text, said = "It was not delivered.", try.End()
	}
	return uncapital(text), said
}

// addNextCharge adds when the schedule of the payment's chain charges again.
func (h *History) addNextCharge(o Order, p *payment.Payment) {
	for _, c := range o.Chains {
		if c.PaymentID == p.ID && !c.NextAt.IsZero() {
			h.event(c.NextAt, "due", "The schedule charges "+amountText(c.Amount.Text, p.Order.Currency)+" again.")
		}
	}
}

// CallbackText says in a sentence what a callback tells the shop of a payment.
func CallbackText(c *callback.Callback, p *payment.Payment) string {
	text := strings.TrimPrefix(eventText(c, p), "that ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// Tries returns tries with sentences in place of what programs said, which the timeline has.
func Tries(tries []callback.Try) []callback.Try {
	all := append([]callback.Try{}, tries...)
	for i := range all {
		if all[i].Status == 0 {
			words, _ := tryText(all[i])
			all[i].Error = strings.ToUpper(words[:1]) + words[1:]
		}
	}
	return all
}

// addNotes adds the notes of the payment.
func (h *History) addNotes(o Order) {
	for _, n := range o.Notes {
		if n.PaymentID == h.PaymentID {
			h.Events = append(h.Events, n.Event())
		}
	}
}
