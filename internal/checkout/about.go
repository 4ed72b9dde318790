package checkout

import (
	"cmp"
	"slices"
)

// Some jobs are about an earlier request of the payment, which has ended: a contradiction, a give-back, and the look-up
// of an operator. They go to the MID of that request, which in a cascade is not the payment's.

// about returns the transaction of the request that a job is about, nil for a job of the payment's own.
func (p *Payment) about(job *Job) *Transaction {
	if job.Kind.ofPayment() {
		return nil
	}
	return p.ended(cmp.Or(job.About, job.Reference))
}

// ended returns the first transaction of the request with a reference, nil if it has not ended.
func (p *Payment) ended(reference string) *Transaction {
	i := slices.IndexFunc(p.Transactions, func(t Transaction) bool {
		return t.Reference == reference && t.Type != EventContradiction
	})
	if i < 0 {
		return nil
	}
	return &p.Transactions[i]
}

// PlaceOf returns the MID and connector of a job's request.
func (p *Payment) PlaceOf(job *Job) (mid, connector string) {
	if of := p.about(job); of != nil && of.MID != "" {
		return of.MID, of.Connector
	}
	return p.MID, p.Connector
}

// placeOfGiveBack returns the MID and connector of the give-back with a reference. found is false if there is none.
func (p *Payment) placeOfGiveBack(reference string) (mid, connector string, found bool) {
	if job := p.job(reference); job != nil && job.Kind == JobGiveBack {
		mid, connector = p.PlaceOf(job)
		return mid, connector, true
	}
	of := p.ended(reference)
	if of == nil || of.Type != EventGiveBack {
		return "", "", false
	}
	return of.MID, of.Connector, true
}

// connectorOf returns the connector of the job with a reference.
func (p *Payment) connectorOf(reference string) string {
	if job := p.job(reference); job != nil {
		_, connector := p.PlaceOf(job)
		return connector
	}
	return p.Connector
}

// sentKind returns the kind of request that a job sends or looks up.
func (p *Payment) sentKind(job *Job) JobKind {
	switch of := p.about(job); {
	case of == nil:
		return job.Kind
	case job.Kind != JobGiveBack:
		return of.Type.kind()
	case p.contradictionOf(job).Authorised:
		return JobVoid
	}
	return JobRefund
}

// originalOf returns the reference and the provider's id of the charge that a job's request follows or looks up.
func (p *Payment) originalOf(job *Job) (reference, providerID string) {
	of := p.about(job)
	if of == nil || of.Type.kind() != JobCharge {
		return p.ChargeReference, p.ProviderID
	}
	if of.Reference == p.ChargeReference {
		providerID = p.ProviderID
	}
	if c := p.contradictionOf(job); c != nil && c.Reported != nil {
		providerID = cmp.Or(c.Reported.ProviderID, providerID)
	}
	return of.Reference, providerID
}
