package payment

import (
	"cmp"
	"slices"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/request"
)

// Some jobs are about an earlier request of the payment, which has ended: a contradiction, a give-back, and the look-up
// of an operator. They go to the MID of that request, which in a cascade is not the payment's.

// about returns the transaction of the request that a job is about, nil for a job of the payment's own.
func (p *Payment) about(job *Job) *Transaction {
	if job.Kind.OfPayment() {
		return nil
	}
	return p.Transactions.Ended(cmp.Or(job.About, job.Reference))
}

// PlaceOf returns the MID and connector of a job's request.
func (p *Payment) PlaceOf(job *Job) (mid, connector string) {
	if of := p.about(job); of != nil && of.MID != "" {
		return of.MID, of.Connector
	}
	return p.MID, p.Connector
}

// PlaceOfGiveBack returns the MID and connector of the give-back with a reference. found is false if there is none.
func (p *Payment) PlaceOfGiveBack(reference string) (mid, connector string, found bool) {
	if job := p.Jobs.Find(reference); job != nil && job.Kind == JobGiveBack {
		mid, connector = p.PlaceOf(job)
		return mid, connector, true
	}
	of := p.Transactions.Ended(reference)
	if of == nil || of.Type != EventGiveBack {
		return "", "", false
	}
	return of.MID, of.Connector, true
}

// ConnectorOf returns the connector of the job with a reference.
func (p *Payment) ConnectorOf(reference string) string {
	if job := p.Jobs.Find(reference); job != nil {
		_, connector := p.PlaceOf(job)
		return connector
	}
	return p.Connector
}

// SentKind returns the kind of request that a job sends or looks up.
func (p *Payment) SentKind(job *Job) JobKind {
	switch of := p.about(job); {
	case of == nil:
		return job.Kind
	case job.Kind != JobGiveBack:
		return of.Type.kind()
	case p.ContradictionOf(job).Authorised:
		return JobVoid
	}
	return JobRefund
}

// OriginalOf returns the reference and the provider's id of the charge that a job's request follows or looks up.
func (p *Payment) OriginalOf(job *Job) (reference, providerID string) {
	of := p.about(job)
	if of == nil || of.Type.kind() != JobCharge {
		return p.ChargeReference, p.ProviderID
	}
	if of.Reference == p.ChargeReference {
		providerID = p.ProviderID
	}
	if c := p.ContradictionOf(job); c != nil && c.Reported != nil {
		providerID = cmp.Or(c.Reported.ProviderID, providerID)
	}
	return of.Reference, providerID
}

// ContradictionOf returns the report that a contradiction or give-back is about, nil for any other job.
func (p *Payment) ContradictionOf(job *Job) *Transaction {
	if job.Kind != JobContradiction && job.Kind != JobGiveBack {
		return nil
	}
	return p.Transactions.latestContradiction(cmp.Or(job.About, job.Reference))
}

// AddAct stores what an operator asks for. Of look-ups of a request only the latest one is stored.
func (p *Payment) AddAct(a Act) {
	if a.Do == VerdictLookUp {
		p.Acts = slices.DeleteFunc(p.Acts, func(old Act) bool {
			return old.Do == VerdictLookUp && old.Reference == a.Reference
		})
	}
	p.Acts = append(p.Acts, a)
}

// FinishAct stores what came of an operator's acts about a request that were not executed yet.
func (p *Payment) FinishAct(reference, text string) {
	for i := range p.Acts {
		if a := &p.Acts[i]; a.Reference == reference && a.Result == "" {
			a.Result = text
		}
	}
}

// Message returns the queue message for the job with a reference.
func (p *Payment) Message(reference string) JobMessage {
	return JobMessage{
		PaymentID: p.ID, SessionID: p.SessionID, Reference: reference, Test: p.Test, Merchant: p.Merchant,
	}
}

// EventType returns the type that callbacks have for a job of the payment (protocol.md, Events).
func (p *Payment) EventType(kind JobKind) EventType {
	switch {
	case kind != JobCharge:
		return EventType(kind)
	case p.Recurring:
		return EventRecurring
	case p.Operation == method.Purchase:
		return EventSale
	}
	return EventType(p.Operation)
}

// JobEvent returns the event of a job, nil if the merchant is not told. That of a capture or refund has the job's own
// amount.
func (p *Payment) JobEvent(j Job, status TransactionStatus, reason *reason.Reason) *Event {
	if !j.Kind.OfPayment() {
		return nil
	}
	e := &Event{Type: p.EventType(j.Kind), Status: status, Reason: reason}
	if j.Kind == JobCapture || j.Kind == JobRefund {
		e.Amount = j.Amount
	}
	return e
}

// RequestAmount returns the amount of a job's request: zero with its currency if the payer enters it at the provider.
func (p *Payment) RequestAmount(job *Job) (amount money.Amount, payerEnters bool, err error) {
	amount = job.Amount
	if p.SentKind(job) == JobCharge {
		amount = p.Amount
	}
	switch {
	case amount.IsZero():
		return money.Zero(request.CurrencyOf(p.Order)), true, nil
	case amount.Currency().Code == "":
		return amount, false, p.unknownCurrency()
	}
	return amount, false, nil
}

// RequestKind returns the kind of the payment's request with a reference, as it was sent. known is false if it made
// none.
func (p *Payment) RequestKind(reference string) (kind JobKind, known bool) {
	if job := p.Jobs.Find(reference); job != nil {
		return p.SentKind(job), true
	}
	of := p.Transactions.Ended(reference)
	switch {
	case of == nil:
		return "", false
	case of.Type == EventGiveBack:
		return p.SentKind(&Job{Kind: JobGiveBack, About: of.About}), true
	}
	return of.Type.kind(), true
}

// IsFollowUp reports whether a reference is that of a capture, void, refund or give-back.
func (p *Payment) IsFollowUp(reference string) bool {
	kind, known := p.RequestKind(reference)
	return known && kind != JobCharge
}
