// Package verdict says by which verdicts a person may decide a job of a payment, and what each of them needs.
package verdict

import (
	"checkout/internal/checkout/payment"
	"checkout/internal/money"
)

// Needs is what a verdict means, and what has to be said with it beside a reason.
type Needs struct {
	Verdict  string `json:"verdict"`
	Means    string `json:"means"`
	Currency string `json:"currency,omitempty"` // of the amount that may be named; "": none may
	Most     string `json:"most,omitempty"`     // that may be named; "": as much as there was
	Amount   string `json:"amount,omitempty"`   // that counts if none is named; "": one has to be
	Transfer bool   `json:"transfer,omitempty"` // the reference of the payment by which it was returned has to be named
}

// NeedsOf returns what a verdict about a job needs.
func NeedsOf(p *payment.Payment, job *payment.Job, verdict payment.Verdict) Needs {
	n := Needs{Verdict: string(verdict), Means: meaningOf(job, verdict), Transfer: verdict == payment.VerdictReturned}
	if a, err := AmountOf(p, job, verdict); err == nil {
		n.Currency, n.Most, n.Amount = a.Currency.Code, textOf(a.Most), textOf(a.Default)
	}
	return n
}

// textOf returns an amount, "" for zero.
func textOf(a money.Amount) string {
	if a.IsZero() {
		return ""
	}
	return a.String()
}

// meaningOf says what a verdict about a job means.
func meaningOf(job *payment.Job, verdict payment.Verdict) string {
	if words, ok := unappliedMeanings[verdict]; ok && job.Kind == payment.JobUnapplied {
		return words
	}
	return meanings[verdict]
}

var meanings = map[payment.Verdict]string{
	payment.VerdictApproved: "The provider has done it: the money has moved.",
	payment.VerdictDeclined: "The provider has not done it: no money has moved.",
	payment.VerdictGiveBack: "The provider has done it, and the money is to go back to the payer.",
	payment.VerdictReturned: "The money, or a part of it, was given back by hand. Nothing is sent to the provider.",
	payment.VerdictAccept:   "What the provider has reported last counts.",
	payment.VerdictClose:    "Nothing follows from what the provider has reported: it was put right elsewhere.",
}

var unappliedMeanings = map[payment.Verdict]string{
	payment.VerdictAccept: "The money counts: the payment has succeeded with this amount, and the shop is told so.",
	payment.VerdictClose:  "Nothing follows: the payment stays as it is, and it was put right elsewhere.",
}

// Amount is the amount that a verdict takes. Without a currency it takes none.
type Amount struct {
	money.Currency
	Most    money.Amount // zero: there is no limit
	Default money.Amount // that counts if none is named; zero: one has to be
}

// takes returns the verdict's amount with what counts if none is named, unless that is more than may be.
func (a Amount) takes(amount money.Amount) Amount {
	if !amount.IsZero() && (a.Most.IsZero() || amount.Cmp(a.Most) <= 0) {
		a.Default = amount
	}
	return a
}

// AmountOf returns the amount that a verdict about a job takes: of coins in their currency, else in the payment's.
func AmountOf(p *payment.Payment, job *payment.Job, verdict payment.Verdict) (Amount, error) {
	requested, payerEnters, err := p.Requests().Amount(job)
	a := Amount{Currency: requested.Currency(), Most: requested}
	approves := verdict == payment.VerdictApproved && job.Kind != payment.JobVoid && job.Kind != payment.JobGiveBack
	other := (payerEnters || job.Amount != requested) && AcceptsMoney(p, job, verdict)
	switch {
	case err != nil:
		return Amount{}, err
	case verdict == payment.VerdictReturned:
		coins, err := job.Coins.Money()
		return Amount{Currency: coins.Currency(), Most: coins}, err
	case verdict == payment.VerdictAccept && job.Kind == payment.JobUnapplied:
		return a.ofCoins(job.Coins)
	case approves && job.Finding != nil && !job.Finding.Moved.IsZero():
		return a.takes(job.Finding.Moved), nil
	case approves:
		return a.takes(requested), nil
	case other:
		return a.takes(job.Amount), nil
	}
	return Amount{}, nil
}

// ofCoins returns the amount for coins that did not count: no more of them than have arrived. If they are of another
// currency, only a person can say what they are worth.
func (a Amount) ofCoins(coins *money.Coins) (Amount, error) {
	arrived, err := coins.Money()
	if err != nil || arrived.Currency() != a.Currency {
		return a, err
	}
	if a.Most.IsZero() || arrived.Cmp(a.Most) < 0 {
		a.Most = arrived
	}
	return a.takes(a.Most), nil
}

// AcceptsMoney reports whether a verdict accepts money as that of a charge or refund that was declined.
func AcceptsMoney(p *payment.Payment, job *payment.Job, verdict payment.Verdict) bool {
	report := p.Requests().Contradiction(job)
	return verdict == payment.VerdictAccept && (report == nil || report.Status == payment.Success)
}
