package query

import (
	"errors"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/verdict"
	"checkout/internal/operator/words"
)

// Possible is an act that people may ask for, and why not now.
type Possible struct {
	Act       string          `json:"act"` // refund, capture, void, look-up, settle, end-session
	Label     string          `json:"label"`
	Allowed   bool            `json:"allowed"`
	Why       string          `json:"why,omitempty"`       // it is not allowed
	Amount    string          `json:"amount,omitempty"`    // the most
	Partial   bool            `json:"partial,omitempty"`   // a smaller amount may be named
	Reference string          `json:"reference,omitempty"` // of the request that it is about
	Verdicts  []string        `json:"verdicts,omitempty"`  // of settle
	Needs     []verdict.Needs `json:"needs,omitempty"`     // of settle: what each of the verdicts needs
}

// possible returns the acts of a payment, each with why it is not possible now.
func (s *Reader) possible(by grant.Person, p *payment.Payment, sess *checkout.Session, now time.Time) []Possible {
	var all []Possible
	for _, kind := range []payment.JobKind{payment.JobRefund, payment.JobCapture, payment.JobVoid} {
		all = append(all, s.possibleFollowUp(p, kind, now))
	}
	all = append(all, possibleLookUp(p))
	all = append(all, s.possibleSettle(p, sess)...)
	rights := map[string]grant.Right{words.ActLookUp: grant.LookUp, words.ActSettle: grant.Settle}
	for i := range all {
		right, ok := rights[all[i].Act]
		if !ok {
			right = grant.Money
		}
		all[i].Label = words.Acts[all[i].Act].Label
		if by.Level(right, p.Owner) == grant.None {
			all[i].Allowed, all[i].Why = false, noRight
		}
	}
	return all
}

// possibleEnd returns whether the session can be ended, nothing if it is over or not stored any more.
func possibleEnd(by grant.Person, sess *checkout.Session, now time.Time) []Possible {
	if sess == nil {
		return nil
	}
	switch sess.StateAt(now) {
	case checkout.SessionOpen, checkout.SessionHeld, checkout.SessionProcessing:
	default:
		return nil
	}
	act := Possible{Act: words.ActEndSession, Label: words.Acts[words.ActEndSession].Label, Why: WhyNotEnded(sess, now)}
	if by.Level(grant.EndSession, sess.Request.Owner) == grant.None {
		act.Why = noRight
	}
	act.Allowed = act.Why == ""
	return []Possible{act}
}

// WhyNotEnded says why a session can't be ended at a time, "" if it can. A nil one is not stored any more.
func WhyNotEnded(sess *checkout.Session, now time.Time) string {
	if sess == nil {
		return "The checkout session is over, and no longer kept."
	}
	switch sess.StateAt(now) {
	case checkout.SessionOpen:
		return ""
	case checkout.SessionProcessing:
		return "The payer's attempt to pay is in progress. The session can be ended if that is declined."
	case checkout.SessionHeld:
		return "An attempt of the session was approved after it was declined, and waits for a person."
	}
	return "The checkout session is over already."
}

const noRight = "Your role does not allow it."

func (s *Reader) possibleFollowUp(p *payment.Payment, kind payment.JobKind, now time.Time) Possible {
	act := Possible{Act: string(kind), Partial: kind != payment.JobVoid}
	amount, err := s.core.MayFollowUp(p, kind, "", now)
	var refused *checkout.Refusal
	switch {
	case errors.As(err, &refused):
		act.Why = refused.Why
	case err != nil:
		act.Why = "What is stored of it can't be right: " + err.Error() + "."
	default:
		act.Allowed, act.Amount = true, amount.String()
	}
	return act
}

// possibleLookUp returns whether something was sent to a provider that can be looked up.
func possibleLookUp(p *payment.Payment) Possible {
	act := Possible{Act: words.ActLookUp}
	for i := range p.Jobs {
		if job := &p.Jobs[i]; !job.SentAt.IsZero() && job.Decision == nil {
			act.Allowed = true
			return act
		}
	}
	if of := p.Transactions.Ended(p.ChargeReference); of != nil && !of.SentAt.IsZero() && of.MID != "" {
		act.Allowed, act.Reference = true, p.ChargeReference
		return act
	}
	act.Why = "Nothing was sent to a provider."
	return act
}

// possibleSettle returns an act for each request that a person may decide.
func (s *Reader) possibleSettle(p *payment.Payment, sess *checkout.Session) (all []Possible) {
	t := checkout.Task{Payment: p, Session: sess}
	for i := range p.Jobs {
		job, act := &p.Jobs[i], Possible{Act: words.ActSettle, Reference: p.Jobs[i].Reference}
		for _, v := range payment.Verdicts {
			if _, err := verdict.Decidable(p, job.Reference, v); err != nil {
				act.Why = err.Error()
				continue
			}
			givesBack := v == payment.VerdictGiveBack
			if verdict.AcceptsMoney(p, job, v) && t.MayAccept(job) != "" ||
				givesBack && !verdict.MayGiveBack(s.core.Declarations, p, job) {
				continue
			}
			act.Verdicts = append(act.Verdicts, string(v))
			act.Needs = append(act.Needs, verdict.NeedsOf(p, job, v))
		}
		if requested, payerEnters, err := p.Requests().Amount(job); err == nil && !payerEnters &&
			job.Kind != payment.JobUnapplied {
			act.Amount, act.Partial = requested.String(), job.Kind != payment.JobVoid
		}
		if act.Allowed = len(act.Verdicts) > 0; act.Allowed {
			act.Why = ""
		}
		all = append(all, act)
	}
	if len(all) == 0 {
		all = append(all, Possible{Act: words.ActSettle, Why: "The outcome of every request is known."})
	}
	return all
}
