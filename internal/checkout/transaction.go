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

// requestKind returns the kind of the payment's request with a reference. known is false if it made none.
func (p *Payment) requestKind(reference string) (kind JobKind, known bool) {
	if job := p.job(reference); job != nil {
		return job.Kind, true
	}
	i := slices.IndexFunc(p.Transactions, func(t Transaction) bool { return t.Reference == reference })
	if i < 0 {
		return "", false
	}
	switch t := p.Transactions[i].Type; t {
	case EventCapture, EventVoid, EventRefund:
		return JobKind(t), true
	}
	return JobCharge, true
}

// transaction adds to the outcome of a job what was requested, and from which MID.
func (p *Payment) transaction(job Job, end Transaction) Transaction {
	end.Type, end.Amount, end.Reference = p.EventType(job.Kind), cmp.Or(job.Amount, p.Amount), job.Reference
	end.MID, end.Connector, end.SentAt, end.LookUps = p.MID, p.Connector, job.SentAt, job.LookUps
	if job.Kind == JobCharge && end.Authentication == (Authentication{}) {
		end.Authentication = p.Authentication
	}
	return end
}

// finish removes a job and adds its outcome to the transactions. Of a charge, neither the payer's browser nor what was
// filled in is needed then.
func (p *Payment) finish(job Job, end Transaction) {
	p.remove(job.Reference)
	if job.Kind == JobCharge {
		p.Browser, p.Entered = request.Browser{}, nil
	}
	p.Transactions = append(p.Transactions, p.transaction(job, end))
}

// isFollowUp reports whether a reference is that of a capture, void or refund.
func (p *Payment) isFollowUp(reference string) bool {
	kind, known := p.requestKind(reference)
	return known && kind != JobCharge
}
