package query

import (
	"cmp"
	"fmt"
	"strings"

	"checkout/internal/checkout/payment"
	"checkout/internal/money"
)

// addTransactions adds what was sent to which MID, and the outcomes, each with the moves of the status that it led to.
func (h *History) addTransactions(p *payment.Payment, moves []payment.StatusMove) {
	for _, t := range p.Transactions {
		h.addTransaction(p, t)
		for len(moves) > 0 && !moves[0].At.After(t.Date) {
			h.addMove(moves[0])
			moves = moves[1:]
		}
	}
	for _, move := range moves {
		h.addMove(move)
	}
}

func (h *History) addMove(move payment.StatusMove) {
	h.event(move.At, "status", "The payment is "+StatusInSentence(string(move.To))+" now.")
}

func (h *History) addTransaction(p *payment.Payment, t payment.Transaction) {
	if t.Decision != nil && t.Decision.Transfer != "" {
		h.addReturned(t)
		return
	}
	what := RequestText(t.Type, t.Amount, p)
	if !t.SentAt.IsZero() && t.Type != payment.EventContradiction {
		h.event(t.SentAt, "sent", fmt.Sprintf("The %s was sent to %s.", what, t.MID),
			"reference", t.Reference, "connector", t.Connector)
	}
	if !t.SucceededAt.IsZero() {
		h.event(t.SucceededAt, "outcome", endText(t, what, payment.Success))
	}
	if t.Type == payment.EventContradiction {
		h.event(t.Date, "report", t.MID+" reports against that: "+reported[t.Status]+".", "reference", t.Reference,
			"code", t.Code, "reason code", string(t.ReasonCode), "reason", p.Masker().Mask(t.Reason))
		return
	}
	text := endText(t, what, t.Status)
	if !t.SucceededAt.IsZero() {
		text = "It counts no longer: " + text
	}
	if t.Trouble != "" {
		text += " Its outcome was not known at first."
	}
	if words := lookUps(t.LookUps); words != "" {
		text += " It was " + words + " before that."
	}
	h.event(t.Date, "outcome", text, "at first", p.Masker().Mask(t.Trouble), "code", t.Code,
		"reason code", string(t.ReasonCode), "reason", p.Masker().Mask(t.Reason), "provider's id", elsewhereID(t),
		"3-D Secure", t.ThreeDSVersion, "ECI", t.ECI, "liability shift", t.LiabilityShift,
		"directory server's id", t.DSTransaction)
}

// RequestText returns what people call a request of an amount.
func RequestText(kind payment.EventType, amount money.Amount, p *payment.Payment) string {
	if amount.IsZero() {
		return nameOf(kind)
	}
	return nameOf(kind) + " of " + amountText(amount.String(), p.Order.Currency)
}

// endText says how a transaction has ended.
func endText(t payment.Transaction, what string, status payment.TransactionStatus) string {
	verb := map[payment.TransactionStatus]string{payment.Success: "approved", payment.Fail: "declined"}[status]
	switch {
	case t.Type == payment.EventChargeback && status == payment.Success:
		return fmt.Sprintf("The payer's bank has charged back the payment at %s: a %s.", t.MID, what)
	case t.Type == payment.EventChargeback:
		return fmt.Sprintf("The %s at %s was won.", what, t.MID)
	case t.Type == payment.EventReversal:
		return fmt.Sprintf("%s has reversed the payment: a %s.", t.MID, what)
	case t.Elsewhere:
		return fmt.Sprintf("%s has made a %s by itself, without a request.", t.MID, what)
	case t.SentAt.IsZero():
		return fmt.Sprintf("The %s was %s without being sent.", what, verb)
	}
	return fmt.Sprintf("%s %s the %s.", t.MID, verb, what)
}

// elsewhereID returns the provider's id of what it did without a request.
func elsewhereID(t payment.Transaction) string {
	if t.Elsewhere {
		return t.Reference
	}
	return ""
}

// addJob adds a request without an outcome: when it was sent, and what happens next.
func (h *History) addJob(p *payment.Payment, job *payment.Job) {
	if job.Kind == payment.JobUnapplied {
		h.addUnapplied(job)
		return
	}
	what := RequestText(OperationOf(p, job), cmp.Or(job.Amount, p.Amount), p)
	if !job.SentAt.IsZero() && job.Kind.Sends() {
		mid, connector := p.Requests().Place(job)
		h.event(job.SentAt, "sent", fmt.Sprintf("The %s was sent to %s.", what, mid), "reference", job.Reference,
			"connector", connector)
	}
	if job.Person {
		return // it waits for nothing that is due
	}
	text := "The " + what + " has no outcome yet. It is looked up or sent again."
	if job.SentAt.IsZero() {
		text = "The " + what + " is sent."
	}
	h.event(job.DueAt, "due", text, "so far", lookUps(job.LookUps), "request", job.Cause)
}

// addAct adds what an operator has asked for, and what the provider said when that was executed.
func (h *History) addAct(p *payment.Payment, a payment.Act) {
	what := RequestText(a.Type, a.Amount, p)
	if a.Coins != nil {
		what = a.Coins.Text() + " that had arrived for the " + nameOf(a.Type)
	}
	text := "An operator asks for a look-up of the " + what + "."
	switch {
	case a.Do == payment.VerdictRequest:
		text = a.By + " asked for the " + what + ": " + Sentence(a.Reason)
	case a.By != "":
		text = strings.TrimSpace(fmt.Sprintf("%s by %s, %s It is about the %s.", a.Do, a.By, Sentence(a.Reason), what))
	}
	h.event(a.At, "person", text, "reference", a.Reference, "result", cmp.Or(a.Result, "not executed yet"))
}

// Sentence returns a text that ends with a full stop.
func Sentence(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}
