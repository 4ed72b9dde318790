package words

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/sums"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/store"
)

// addSessionFacts adds the session's state, without the secret part of its id.
func (h *History) addSessionFacts(sess *checkout.Session, p *payment.Payment) {
	if sess == nil {
		if p.SessionID != "" {
			h.fact("session", store.PublicID(p.SessionID)+", no longer kept")
		}
		return
	}
	h.fact("session", store.PublicID(sess.ID)+", "+string(sess.State)+", attempts: "+fmt.Sprint(len(sess.Attempts)))
	if p == nil {
		h.fact("merchant", sess.Request.Owner.Label())
		h.fact("order", sess.Request.Order.Number)
	}
}

// addFacts adds the payment's properties.
func (h *History) addFacts(o Order, p *payment.Payment) {
	h.fact("merchant", p.Owner.Label())
	h.fact("order", p.Order.Number)
	h.fact("operation", string(p.Operation))
	h.fact("amount", amountText(known(p.Amount), p.Order.Currency))
	h.addMoney(p)
	h.fact("status", StatusInSentence(p))
	h.fact("reason", p.Masker().Mask(p.Reason))
	h.fact("reason code", string(p.ReasonCode))
	if k := (Standing{ID: p.ID, Payment: p, Order: o}); k.otherPaid() != nil && p.Operation != method.Credit {
		h.fact("also paid by", k.otherPaid().ID)
	}
	h.fact("MID", p.MID+" ("+p.Connector+")")
	h.fact("provider's id", p.ProviderID)
	h.fact("approval code", p.ApprovalCode)
	h.fact("RRN", p.RRN)
	h.fact("network id", p.NetworkTransactionID)
	h.fact("retried by", p.RetriedBy)
	for i := range p.Jobs {
		job := &p.Jobs[i]
		operation := nameOf(OperationOf(p, job))
		if !job.UnknownSince.IsZero() && job.Kind.Sends() {
			h.fact("unknown", operation+" since "+job.UnknownSince.UTC().Format(time.DateTime)+" UTC")
		}
		h.fact("why", WhyUndecided(p, job))
		if job.Person {
			h.fact("waits", "for a person: "+waitsFor(p, job)+", reference "+
				job.Reference+", "+cmp.Or(lookUps(job.LookUps), "not looked up"))
		}
	}
	h.addChain(o, p)
}

// addMoney adds what became of the money, as far as there is any.
func (h *History) addMoney(p *payment.Payment) {
	s := sums.Of(p)
	arrived, kept := "arrived", "kept"
	if s.PaysOut {
		arrived, kept = "paid out", "not returned"
	}
	add := func(name string, a money.Amount) {
		if !a.IsZero() {
			h.fact(name, amount(a))
		}
	}
	add("reserved", s.Reserved)
	add(arrived, s.Arrived)
	add("refunded", s.Refunded)
	add("returned", s.Returned)
	if !s.Returned.IsZero() {
		h.fact(kept, amount(s.Net))
	}
	add("being returned", s.Returning)
	if s.Received != nil {
		add("received", s.Received.Arrived)
		add("due", s.Received.Due)
	}
}

// addChain adds the recurring chain that the payment began or belongs to.
func (h *History) addChain(o Order, p *payment.Payment) {
	if p.Chain != "" && p.Chain != p.ID {
		h.fact("chain", "of payment "+p.Chain)
	}
	for _, c := range o.Chains {
		if c.PaymentID == p.ID {
			h.fact("chain", fmt.Sprintf("begun by this payment, %s, scheduled charges made: %d",
				cmp.Or(strings.TrimSuffix("schedule "+c.ScheduleID, "schedule "), "no schedule"), c.Charges))
		}
	}
}
