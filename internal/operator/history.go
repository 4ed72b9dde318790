package operator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/payment"
	"checkout/internal/request"
	"checkout/internal/store"
)

// History is what happened to a payment, for an operator. It has no secret, no card number, no token, of the payer's
// data only the card's mask, and of the session's id only the part that does not open it.
type History struct {
	PaymentID string  `json:"payment_id"`
	Facts     []Fact  `json:"facts"`
	Events    []Event `json:"events"` // by time, also those that are still due
}

// Fact is a property of the payment.
type Fact struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Event is something that happened to the payment, or is due.
type Event struct {
	At   time.Time `json:"at"`
	Kind string    `json:"kind"` // session, attempt, sent, outcome, report, person, status, callback, try, due
	Text string    `json:"text"`
}

// PaymentHistory returns what happened to a payment, or to the session if it has no such payment yet. It reads the
// payments, sessions, callbacks and chain of the order in one strongly consistent listing. Errors: CodeNotFound.
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
	h := &History{PaymentID: paymentID}
	p := o.payment(paymentID)
	sess := o.session(p, paymentID)
	if p == nil && sess == nil {
		return History{}, o, payment.ErrNotFound()
	}
	h.addSession(sess, p)
	if p != nil {
		h.addAttempts(o, p)
		h.addPayment(p)
		h.addCallbacks(o, p)
		h.addChain(o, p)
	}
	slices.SortStableFunc(h.Events, func(a, b Event) int { return a.At.Compare(b.At) })
	return *h, o, nil
}

func (h *History) fact(name, text string) {
	if text != "" {
		h.Facts = append(h.Facts, Fact{name, request.Printable(text, request.MaxHistoryText)})
	}
}

func (h *History) event(at time.Time, kind string, parts ...string) {
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	h.Events = append(h.Events, Event{at, kind, request.Printable(strings.Join(parts, ", "), request.MaxHistoryText)})
}

// addSession adds the session's beginning and state, without the secret part of its id.
func (h *History) addSession(sess *checkout.Session, p *payment.Payment) {
	if sess == nil {
		if p.SessionID != "" {
			h.fact("session", store.PublicID(p.SessionID)+", no longer kept")
		}
		return
	}
	req := &sess.Request
	h.fact("session", store.PublicID(sess.ID)+", "+string(sess.State)+", attempts: "+fmt.Sprint(len(sess.Attempts)))
	if p == nil {
		h.fact("merchant", req.Owner.Label())
		h.fact("order", req.Order.Number)
	}
	amount := req.Order.Amount.Text
	if req.Order.Amount.ByPayer() {
		amount = ""
	}
	h.event(sess.CreatedAt, "session", "created: "+string(req.Operation)+" of "+amountText(amount, req.Order.Currency),
		"mapping "+sess.Mapping, "open until "+sess.ExpiresAt.UTC().Format(time.DateTime))
}

func amountText(amount, currency string) string {
	return cmp.Or(amount, "an amount that the payer enters") + " " + currency
}

// addAttempts adds all payment attempts of the payment's session, those of other payments with their outcome.
func (h *History) addAttempts(o orderRecords, p *payment.Payment) {
	n := 0
	for _, other := range o.payments {
		if other.ID != p.ID && (p.SessionID == "" || other.SessionID != p.SessionID) {
			continue
		}
		n++
		text := fmt.Sprintf("%d: %s", n, other.Method)
		if p.SessionID == "" {
			text = "without a page: " + other.Method
		}
		if other.ID != p.ID {
			h.event(other.CreatedAt, "attempt", text, "payment "+other.ID, string(other.Status),
				string(other.ReasonCode), other.Masked(other.Reason))
			continue
		}
		card := ""
		if p.Card != nil {
			card = strings.TrimSpace(p.Card.Mask + " " + string(p.Card.PANType))
		}
		h.event(p.CreatedAt, "attempt", text, card, "this payment")
	}
}

// addPayment adds the payment's state, what was sent to which MID, the outcomes, and the changes of its status.
func (h *History) addPayment(p *payment.Payment) {
	h.fact("merchant", p.Owner.Label())
	h.fact("order", p.Order.Number)
	h.fact("operation", string(p.Operation))
	h.fact("amount", amountText(p.Amount.String(), p.Order.Currency))
	h.fact("status", string(p.Status))
	h.fact("reason", p.Masked(p.Reason))
	h.fact("reason code", string(p.ReasonCode))
	h.fact("captured", p.Captured.String())
	h.fact("MID", p.MID+" ("+p.Connector+")")
	h.fact("provider's id", p.ProviderID)
	h.fact("network id", p.NetworkTransactionID)
	h.fact("retried by", p.RetriedBy)
	for _, t := range p.Transactions {
		what := string(t.Type) + " of " + t.Amount.String()
		if !t.SentAt.IsZero() && t.Type != payment.EventContradiction {
			h.event(t.SentAt, "sent", what+" to "+t.MID+" ("+t.Connector+")", "reference "+t.Reference)
		}
		if !t.SucceededAt.IsZero() {
			h.event(t.SucceededAt, "outcome", what+" at "+t.MID+": "+string(payment.Success))
		}
		if t.Type == payment.EventContradiction {
			h.event(t.Date, "report", "of "+t.MID+": "+reported[t.Status], "reference "+t.Reference, with("code ", t.Code),
				string(t.ReasonCode), p.Masked(t.Reason))
			continue
		}
		h.event(t.Date, "outcome", what+" at "+t.MID+": "+string(t.Status),
			with("code ", t.Code), string(t.ReasonCode), p.Masked(t.Reason), lookUps(t.LookUps), notRequested(t),
			with("3-D Secure ", t.ThreeDSVersion), with("ECI ", t.ECI), with("liability shift ", t.LiabilityShift),
			with("directory server's id ", t.DSTransaction))
	}
	for i := range p.Jobs {
		h.addJob(p, &p.Jobs[i])
	}
	for _, act := range p.Acts {
		h.addAct(act)
	}
	for _, move := range p.Moves {
		h.event(move.At, "status", string(move.To))
	}
}

// reported is what a provider reports against the outcome of a request.
var reported = map[payment.TransactionStatus]string{
	payment.Success: "approved after it was declined", payment.Fail: "declined after a person had approved it",
}

// addJob adds a request without an outcome: when it was sent, why it has none, and what happens next.
func (h *History) addJob(p *payment.Payment, job *payment.Job) {
	operation := operationOf(p, job)
	what := string(operation) + " of " + cmp.Or(job.Amount, p.Amount).String()
	if !job.SentAt.IsZero() && job.Kind.Sends() {
		mid, connector := p.PlaceOf(job)
		h.event(job.SentAt, "sent", what+" to "+mid+" ("+connector+")", "reference "+job.Reference)
	}
	if !job.UnknownSince.IsZero() && job.Kind.Sends() {
		h.fact("unknown", string(operation)+" since "+job.UnknownSince.UTC().Format(time.DateTime))
	}
	h.fact("why", whyUndecided(p, job))
	if job.Person {
		h.fact("waits", "for a person: "+what+", reference "+job.Reference+", "+
			cmp.Or(lookUps(job.LookUps), "not looked up"))
		return
	}
	h.event(job.DueAt, "due", what+" is not decided", lookUps(job.LookUps), with("request ", job.Cause))
}

// addAct adds what an operator has asked for, and what the provider said when that was executed.
func (h *History) addAct(a payment.Act) {
	by := "asked for"
	if a.By != "" {
		by = "by " + a.By
	}
	h.event(a.At, "person", strings.TrimSpace(string(a.Type)+" of "+a.Amount.String())+" "+string(a.Do)+" "+by, a.Reason,
		"reference "+a.Reference, cmp.Or(a.Result, "not executed yet"))
}

// with returns a text after its name, "" if there is no text.
func with(name, text string) string {
	if text == "" {
		return ""
	}
	return name + text
}

// notRequested returns the provider's id of what it did without a request.
func notRequested(t payment.Transaction) string {
	if !t.Elsewhere {
		return ""
	}
	return with("the provider's ", t.Reference)
}

func lookUps(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "looked up once"
	}
	return fmt.Sprintf("looked up %d times", n)
}

// addCallbacks adds each callback with its tries, and when it is due.
func (h *History) addCallbacks(o orderRecords, p *payment.Payment) {
	for _, c := range o.callbacks {
		if c.PaymentID != p.ID {
			continue
		}
		name := fmt.Sprintf("%d", c.Seq)
		h.event(c.CreatedAt, "callback", name+": "+c.Event(), string(c.State), with("request ", c.Cause))
		for i, try := range c.Tries {
			h.event(try.At, "try", name+": "+try.End(), fmt.Sprintf("try %d", i+1))
		}
		if !c.SentAgainAt.IsZero() {
			h.event(c.SentAgainAt, "callback", name+": an operator has it sent again")
		}
		if c.State == callback.Waiting {
			h.event(c.NextAt, "due", "callback "+name+" is sent")
		}
	}
}

// addChain adds the recurring chain that the payment began or belongs to.
func (h *History) addChain(o orderRecords, p *payment.Payment) {
	if p.Chain != "" && p.Chain != p.ID {
		h.fact("chain", "of payment "+p.Chain)
	}
	for _, c := range o.chains {
		if c.PaymentID != p.ID {
			continue
		}
		h.fact("chain", fmt.Sprintf("begun by this payment, %s, %d scheduled charges",
			cmp.Or(with("schedule ", c.ScheduleID), "no schedule"), c.Charges))
		if !c.NextAt.IsZero() {
			h.event(c.NextAt, "due", "the schedule's next charge of "+c.Amount.Text)
		}
	}
}

// String returns the history as text: the facts, and a line for each event.
func (h History) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "payment        %s\n", h.PaymentID)
	for _, f := range h.Facts {
		fmt.Fprintf(&out, "%-14s %s\n", f.Name, f.Text)
	}
	out.WriteByte('\n')
	for _, e := range h.Events {
		fmt.Fprintf(&out, "%s  %-8s  %s\n", e.At.UTC().Format("2006-01-02 15:04:05.000"), e.Kind, e.Text)
	}
	return out.String()
}
