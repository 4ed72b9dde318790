package query

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
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
func (h *History) addFacts(o orderRecords, p *payment.Payment) {
	h.fact("merchant", p.Owner.Label())
	h.fact("order", p.Order.Number)
	h.fact("operation", string(p.Operation))
	h.fact("amount", amountText(p.Amount.String(), p.Order.Currency))
	h.fact("status", string(p.Status))
	h.fact("reason", p.Masker().Mask(p.Reason))
	h.fact("reason code", string(p.ReasonCode))
	h.fact("captured", p.Captured.String())
	h.fact("MID", p.MID+" ("+p.Connector+")")
	h.fact("provider's id", p.ProviderID)
	h.fact("approval code", p.ApprovalCode)
	h.fact("RRN", p.RRN)
	h.fact("network id", p.NetworkTransactionID)
	h.fact("retried by", p.RetriedBy)
	for i := range p.Jobs {
		job := &p.Jobs[i]
		operation := string(OperationOf(p, job))
		if !job.UnknownSince.IsZero() && job.Kind.Sends() {
			h.fact("unknown", operation+" since "+job.UnknownSince.UTC().Format(time.DateTime)+" UTC")
		}
		h.fact("why", whyUndecided(p, job))
		if job.Person {
			amount, _ := amountOf(p, job)
			h.fact("waits", "for a person: "+operation+" of "+amount+", reference "+
				job.Reference+", "+cmp.Or(lookUps(job.LookUps), "not looked up"))
		}
	}
	h.addChain(o, p)
}

// addChain adds the recurring chain that the payment began or belongs to.
func (h *History) addChain(o orderRecords, p *payment.Payment) {
	if p.Chain != "" && p.Chain != p.ID {
		h.fact("chain", "of payment "+p.Chain)
	}
	for _, c := range o.chains {
		if c.PaymentID == p.ID {
			h.fact("chain", fmt.Sprintf("begun by this payment, %s, %d scheduled charges",
				cmp.Or(strings.TrimSuffix("schedule "+c.ScheduleID, "schedule "), "no schedule"), c.Charges))
		}
	}
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
