package payment

import (
	"cmp"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/request"
)

// Some jobs are about an earlier request of the payment, which has ended: a contradiction, a give-back, and the look-up
// of an operator. They go to the MID of that request, which in a cascade is not the payment's.

// Requests finds what the payment's jobs and references stand for: which request, at which MID, of which amount.
type Requests struct{ p *Payment }

// Requests returns the finder of the payment's requests.
func (p *Payment) Requests() Requests { return Requests{p} }

// about returns the transaction of the request that a job is about, nil for a job of the payment's own.
func (r Requests) about(job *Job) *Transaction {
	if job.Kind.OfPayment() {
		return nil
	}
	return r.p.Transactions.Ended(cmp.Or(job.About, job.Reference))
}

// Place returns the MID and connector of a job's request.
func (r Requests) Place(job *Job) (mid, connector string) {
	if of := r.about(job); of != nil && of.MID != "" {
		return of.MID, of.Connector
	}
	return r.p.MID, r.p.Connector
}

// PlaceOfGiveBack returns the MID and connector of the give-back with a reference. found is false if there is none.
func (r Requests) PlaceOfGiveBack(reference string) (mid, connector string, found bool) {
	if job := r.p.Jobs.Find(reference); job != nil && job.Kind == JobGiveBack {
		mid, connector = r.Place(job)
		return mid, connector, true
	}
	of := r.p.Transactions.Ended(reference)
	if of == nil || of.Type != EventGiveBack {
		return "", "", false
	}
	return of.MID, of.Connector, true
}

// Connector returns the connector of the job with a reference.
func (r Requests) Connector(reference string) string {
	if job := r.p.Jobs.Find(reference); job != nil {
		_, connector := r.Place(job)
		return connector
	}
	return r.p.Connector
}

// SentKind returns the kind of request that a job sends or looks up.
func (r Requests) SentKind(job *Job) JobKind {
	switch of := r.about(job); {
	case of == nil:
		return job.Kind
	case job.Kind != JobGiveBack:
		return of.Type.kind()
	case r.Contradiction(job).Authorised:
		return JobVoid
	}
	return JobRefund
}

// Original returns the reference and the provider's id of the charge that a job's request follows or looks up.
func (r Requests) Original(job *Job) (reference, providerID string) {
	of := r.about(job)
	if of == nil || of.Type.kind() != JobCharge {
		return r.p.ChargeReference, r.p.ProviderID
	}
	if of.Reference == r.p.ChargeReference {
		providerID = r.p.ProviderID
	}
	if c := r.Contradiction(job); c != nil && c.Reported != nil {
		providerID = cmp.Or(c.Reported.ProviderID, providerID)
	}
	return of.Reference, providerID
}

// Contradiction returns the report that a contradiction or give-back is about, nil for any other job.
func (r Requests) Contradiction(job *Job) *Transaction {
	if job.Kind != JobContradiction && job.Kind != JobGiveBack {
		return nil
	}
	return r.p.Transactions.latestContradiction(cmp.Or(job.About, job.Reference))
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

// Amount returns the amount of a job's request: zero with its currency if the payer enters it at the provider.
func (r Requests) Amount(job *Job) (amount money.Amount, payerEnters bool, err error) {
	amount = job.Amount
	if r.SentKind(job) == JobCharge {
		amount = r.p.Amount
	}
	switch {
	case amount.IsZero():
		return money.Zero(request.CurrencyOf(r.p.Order)), true, nil
	case amount.Currency().Code == "":
		return amount, false, r.p.Amounts().unknownCurrency()
	}
	return amount, false, nil
}

// Kind returns the kind of the payment's request with a reference, as it was sent. known is false if it made
// none.
func (r Requests) Kind(reference string) (kind JobKind, known bool) {
	if job := r.p.Jobs.Find(reference); job != nil {
		return r.SentKind(job), true
	}
	of := r.p.Transactions.Ended(reference)
	switch {
	case of == nil:
		return "", false
	case of.Type == EventGiveBack:
		return r.SentKind(&Job{Kind: JobGiveBack, About: of.About}), true
	}
	return of.Type.kind(), true
}

// IsAboutCharge reports whether a job of the payment is about a charge that has ended.
func (r Requests) IsAboutCharge(job *Job) bool {
	of := r.about(job)
	return of != nil && of.Type.kind() == JobCharge
}

// IsFollowUp reports whether a reference is that of a capture, void, refund or give-back.
func (r Requests) IsFollowUp(reference string) bool {
	kind, known := r.Kind(reference)
	return known && kind != JobCharge
}
