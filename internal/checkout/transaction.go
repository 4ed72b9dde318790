package checkout

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// Transaction is a request to the provider and its outcome.
type Transaction struct {
	Type      EventType         `json:"type"`
	Status    TransactionStatus `json:"status"`
	Date      time.Time         `json:"date"` // when it ended
	Amount    money.Amount      `json:"amount"`
	Reference string            `json:"reference,omitempty"`
	MID       string            `json:"mid,omitempty"`
	Connector string            `json:"connector,omitempty"`
	Code      string            `json:"code,omitempty"`      // the provider's
	SentAt    time.Time         `json:"sent_at,omitzero"`    // when it was last sent; zero: never
	LookUps   int               `json:"look_ups,omitempty"`  // how often it was looked up
	Elsewhere bool              `json:"elsewhere,omitempty"` // the provider did it without a request; Reference is its id

	SucceededAt time.Time `json:"succeeded_at,omitzero"` // of a refund or void that failed later

	Authentication // of a charge

	Reason     string            `json:"reason,omitempty"` // of a fail, an overpayment, a dispute or a decision
	ReasonCode screen.ReasonCode `json:"reason_code,omitempty"`

	Decision *Decision `json:"decision,omitempty"` // of a person, if nobody else knew the outcome

	// Of a contradiction, which has the reference of the request that it is about: what was reported of an approval.
	Authorised bool          `json:"authorised,omitempty"`
	Reported   *ProviderData `json:"reported,omitempty"`
	About      string        `json:"about,omitempty"` // of a give-back: reference of the charge
}

// ended returns what a result says of a transaction.
func ended(status TransactionStatus, now time.Time, result Result, reason *screen.Reason) Transaction {
	t := Transaction{Status: status, Date: now, Code: result.Code, Authentication: result.Authentication}
	return t.because(reason)
}

// because returns the transaction with its reason, which may be nil.
func (t Transaction) because(reason *screen.Reason) Transaction {
	t.Reason, t.ReasonCode = reason.Text(), reason.MerchantCode()
	return t
}

// success returns the index of the transaction that says that the request with a reference has succeeded, -1 if there
// is none.
func (p *Payment) success(reference string) int {
	return slices.IndexFunc(p.Transactions, func(t Transaction) bool {
		return t.Reference == reference && t.Status == Success && t.Type != EventContradiction
	})
}

// transaction adds to the outcome of a job what was requested, and from which MID.
func (p *Payment) transaction(job Job, end Transaction) Transaction {
	end.Type, end.Amount, end.Reference = p.EventType(job.Kind), cmp.Or(job.Amount, p.Amount), job.Reference
	end.MID, end.Connector = p.PlaceOf(&job)
	end.SentAt, end.LookUps, end.About = job.SentAt, job.LookUps, job.About
	if job.Kind == JobCharge && end.Authentication == (Authentication{}) {
		end.Authentication = p.Authentication
	}
	return end
}

// finish removes a job and adds its outcome to the transactions. Of a charge, neither the payer's browser nor what was
// filled in is needed then.
func (p *Payment) finish(job Job, end Transaction) {
	p.finishAct(job.Reference, "it has ended before: "+string(end.Status))
	p.remove(job.Reference)
	if job.Kind == JobCharge {
		p.Browser, p.Entered = request.Browser{}, nil
	}
	p.Transactions = append(p.Transactions, p.transaction(job, end))
}

// wasDeclined reports whether the request with a reference was declined.
func (p *Payment) wasDeclined(reference string) bool {
	return slices.ContainsFunc(p.Transactions, func(t Transaction) bool {
		return t.Reference == reference && t.Status == Fail && t.Type != EventContradiction
	})
}

// declinedCharges counts the failed transactions of the charge: one for each MID that declined it, and one for each
// amount that arrived after the decline.
func (p *Payment) declinedCharges() int { return p.CountTransactions(p.EventType(JobCharge), Fail) }

// requestKind returns the kind of the payment's request with a reference, as it was sent. known is false if it made
// none.
func (p *Payment) requestKind(reference string) (kind JobKind, known bool) {
	if job := p.job(reference); job != nil {
		return p.sentKind(job), true
	}
	of := p.ended(reference)
	switch {
	case of == nil:
		return "", false
	case of.Type == EventGiveBack:
		return p.sentKind(&Job{Kind: JobGiveBack, About: of.About}), true
	}
	return of.Type.kind(), true
}

// isFollowUp reports whether a reference is that of a capture, void, refund or give-back.
func (p *Payment) isFollowUp(reference string) bool {
	kind, known := p.requestKind(reference)
	return known && kind != JobCharge
}
