package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/reason"
)

// addTransactions adds what was sent to which MID, and the outcomes, each with the moves of the status that it led to.
func (h *History) addTransactions(p *payment.Payment, moves []payment.StatusMove) {
	for _, t := range p.Transactions {
		h.addTransaction(p, t)
		for len(moves) > 0 && !moves[0].At.After(t.Date) {
			h.addMove(p, moves[0])
			moves = moves[1:]
		}
	}
	for _, move := range moves {
		h.addMove(p, move)
	}
}

func (h *History) addMove(p *payment.Payment, move payment.StatusMove) {
	text := "The " + nameOf(p.EventType(payment.JobCharge)) + " is " + statusInSentence(p, move.To, move.At) + "."
	if p.Operation == method.Credit && move.To == payment.StatusSettled {
		text = "The payout is made."
	}
	h.event(move.At, "status", text)
}

func (h *History) addTransaction(p *payment.Payment, t payment.Transaction) {
	if t.Decision != nil && t.Decision.Transfer != "" {
		h.addReturned(t)
		return
	}
	what := RequestText(t.Type, t.Amount, p)
	if !t.SentAt.IsZero() && t.Type != payment.EventContradiction {
		h.event(t.SentAt, "sent", fmt.Sprintf("The %s was sent to %s.", what, t.MID)+askedByShop(p, t.Type, t.Reference),
			"reference", t.Reference, "connector", t.Connector, "asked for by request", t.Cause)
	}
	if !t.SucceededAt.IsZero() {
		h.event(t.SucceededAt, "outcome", endText(t, what, payment.Success))
	}
	if t.Type == payment.EventContradiction {
		h.event(t.Date, "report", t.MID+" reported the opposite: "+reported[t.Status]+".", "reference", t.Reference,
			"code", t.Code, "reason code", string(t.ReasonCode), "reason", p.Masker().Mask(t.Reason))
		return
	}
	text := endText(t, what, t.Status)
	if !t.SucceededAt.IsZero() && t.Type != payment.EventChargeback {
		text = "It no longer counts: " + text
	}
	said := ""
	if t.Trouble != "" {
		words := ""
		words, said = findingWords(p, p.Masker().Mask(t.Trouble))
		text += " At first it had no outcome: " + uncapital(words)
	}
	if words := lookUps(t.LookUps); words != "" {
		text += " It was " + words + " before that."
	}
	h.event(t.Date, "outcome", text, "code", t.Code,
		"reason code", string(t.ReasonCode), "reason", p.Masker().Mask(t.Reason), "provider's id", elsewhereID(t),
		"3-D Secure", t.ThreeDSVersion, "ECI", t.ECI, "liability shift", t.LiabilityShift,
		"directory server's id", t.DSTransaction)
	h.said(said)
}

// askedByShop says that a request is the shop's own, "" for one that an operator asked for, or for a charge.
func askedByShop(p *payment.Payment, kind payment.EventType, reference string) string {
	followUp := kind == payment.EventCapture || kind == payment.EventVoid || kind == payment.EventRefund
	byPerson := slices.ContainsFunc(p.Acts, func(a payment.Act) bool {
		return a.Do == payment.VerdictRequest && a.Reference == reference
	})
	switch {
	case !followUp || byPerson:
		return ""
	case p.Test:
		return " The shop asked for it by API, with its test key."
	}
	return " The shop asked for it by API, with its live key."
}

// endText says how a transaction has ended.
func endText(t payment.Transaction, what string, status payment.TransactionStatus) string {
	verb := map[payment.TransactionStatus]string{payment.Success: "approved", payment.Fail: "declined"}[status]
	switch {
	case t.Type == payment.EventChargeback && status == payment.Success:
		return fmt.Sprintf("The payer's bank has charged back %s at %s.", amount(t.Amount), t.MID)
	case t.Type == payment.EventChargeback:
		return fmt.Sprintf("The dispute about %s at %s was won: the chargeback does not count.", amount(t.Amount), t.MID)
	case t.Type == payment.EventReversal:
		return fmt.Sprintf("%s has reversed the payment and returned %s.", t.MID, amount(t.Amount))
	case t.Elsewhere:
		return fmt.Sprintf("A %s was made at %s, without a request of ours.", what, t.MID)
	case t.ReasonCode == reason.PaidTooLate && status == payment.Fail:
		return t.Reason + " The payment stays declined."
	case t.SentAt.IsZero() && status == payment.Success:
		return fmt.Sprintf("The %s was made without being sent.", what)
	case t.SentAt.IsZero():
		return fmt.Sprintf("The %s has failed, and nothing was sent to a provider.", what)
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
		h.event(job.SentAt, "sent", fmt.Sprintf("The %s was sent to %s.", what, mid)+
			askedByShop(p, OperationOf(p, job), job.Reference), "reference", job.Reference, "connector", connector,
			"asked for by request", job.Cause)
	}
	if job.Person {
		return // it waits for nothing that is due
	}
	text := "The " + what + " has no outcome yet. The provider is asked again, and it is sent again only if the " +
		"provider never received it."
	if job.SentAt.IsZero() {
		text = "The " + what + " is sent." + askedByShop(p, OperationOf(p, job), job.Reference)
	}
	h.event(job.DueAt.Add(-payment.JobGrace), "due", text, "so far", lookUps(job.LookUps),
		"asked for by request", job.Cause)
}

// addAct adds what an operator has asked for, and what the provider said when that was executed.
func (h *History) addAct(p *payment.Payment, a payment.Act) {
	what, did := RequestText(a.Type, a.Amount, p), decided[a.Do]
	if a.Coins != nil {
		what, did = a.Coins.Text()+" that had arrived for the "+nameOf(a.Type), decidedOfCoins[a.Do]
	}
	var text string
	switch {
	case a.Do == payment.VerdictRequest:
		text = a.By + " asked for the " + what + ": " + Sentence(a.Reason)
	case a.By != "":
		text = a.By + " decided " + did + " the " + what + ": " + Sentence(a.Reason)
	default:
		text = "An operator asked what became of the " + what + "."
	}
	result, said := resultWords(p, a)
	if a.Result == "" && a.Do != payment.VerdictRequest { // whose request is told
		result = "Not done yet."
	}
	h.event(a.At, "person", text, "reference", a.Reference, "result", result)
	h.said(said)
}

// decided says what a person has decided of a request.
var decided = map[payment.Verdict]string{
	payment.VerdictApproved: "that the provider has approved", payment.VerdictDeclined: "that the provider has declined",
	payment.VerdictGiveBack: "to give back", payment.VerdictAccept: "to accept the report about",
	payment.VerdictClose: "to close the case of",
}

// decidedOfCoins says what a person has decided of money that had arrived and did not count.
var decidedOfCoins = map[payment.Verdict]string{
	payment.VerdictGiveBack: "to give back", payment.VerdictAccept: "to accept",
	payment.VerdictReturned: "to count as returned by hand", payment.VerdictClose: "to close the case of",
}

// resultWords says what came of an act.
func resultWords(p *payment.Payment, a payment.Act) (words, said string) {
	if strings.HasPrefix(a.Result, "the provider says: ") {
		return findingWords(p, a.Result)
	}
	return Sentence(a.Result), ""
}

// ResultText returns a sentence about what came of an act, "" if it is not done yet.
func ResultText(p *payment.Payment, a payment.Act) string {
	words, _ := resultWords(p, a)
	return words
}

// OperationOf returns the type of the request that a job sends, or is about.
func OperationOf(p *payment.Payment, job *payment.Job) payment.EventType {
	if job.Kind == payment.JobGiveBack {
		return payment.EventGiveBack
	}
	return p.EventType(p.Requests().SentKind(job))
}

// WhyUndecided returns in sentences why a job has no outcome, or what contradicts one, and what the provider said at
// last; "" if nothing was said yet.
func WhyUndecided(p *payment.Payment, job *payment.Job) string {
	var parts []string
	if job.Coins != nil {
		parts = append(parts, job.Coins.Text()+" "+whyUnapplied(p)+".")
	}
	if report := p.Requests().Contradiction(job); report != nil && job.Kind == payment.JobContradiction {
		what := reported[report.Status]
		if report.Status == payment.Success && p.Requests().SentKind(job) == payment.JobRefund {
			what = "more is refunded than is left"
		}
		parts = append(parts, "The provider reports: "+what+".")
	}
	if job.Fault != "" {
		words, _ := troubleWords("the provider", job.Fault)
		parts = append(parts, cmp.Or(words, Sentence("It can't go on: "+job.Fault)))
	}
	if said := findingText(p, job); said != "" {
		parts = append(parts, said)
	}
	return strings.Join(parts, " ")
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
