package payment

import (
	"cmp"
	"encoding/json"
	"slices"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/request"
)

// maxTransactions limits what providers add to a payment by themselves: a stored payment has to stay small.
const maxTransactions = 500

// Succeeded reports whether the payment was ever authorised or settled.
func (p *Payment) Succeeded() bool { return p.Transactions.Count(p.EventType(JobCharge), Success) > 0 }

// TransactionOf adds to the outcome of a job what was requested, and from which MID.
func (p *Payment) TransactionOf(job Job, end Transaction) Transaction {
	end.Type, end.Amount, end.Reference = p.EventType(job.Kind), cmp.Or(job.Amount, p.Amount), job.Reference
	end.MID, end.Connector = p.Requests().Place(&job)
	end.SentAt, end.LookUps, end.About, end.Coins = job.SentAt, job.LookUps, job.About, job.Coins
	if end.Trouble = job.Trouble; job.Kind != JobCharge { // the callback of a charge has its cause
		end.Cause = job.Cause
	}
	if job.Kind == JobCharge && end.Authentication == (connector.Authentication{}) {
		end.Authentication = p.Authentication
	}
	return end
}

// finish removes a job and adds its outcome to the transactions. Of a charge, neither the payer's browser nor what was
// filled in nor a file is needed then.
func (p *Payment) finish(job Job, end Transaction) {
	p.Acts.Finish(job.Reference, "it has ended before: "+string(end.Status))
	p.Jobs.Remove(job.Reference)
	if job.Kind == JobCharge {
		p.PayerInput = PayerInput{}
		p.Parameters = withoutFiles(p)
	}
	p.Transactions = append(p.Transactions, p.TransactionOf(job, end))
}

// maxMaskedFile is the longest value of a row with files that stays with a payment whose charge is decided, to be
// masked in the provider's texts.
const maxMaskedFile = 1 << 10

// withoutFiles returns the payment's parameters without long files.
func withoutFiles(p *Payment) json.RawMessage {
	m, _ := method.Find(p.Method)
	files := m.Files()
	sent, err := p.SentParameters()
	files = slices.DeleteFunc(files, func(name string) bool {
		text, _ := sent[name].(string)
		return err != nil || len(text) <= maxMaskedFile
	})
	if len(files) == 0 {
		return p.Parameters
	}
	return request.WithoutParameters(p.Parameters, p.Method, files)
}

// DeclinedCharges counts the failed transactions of the charge: one for each MID that declined it, and one for each
// amount that arrived after the decline.
func (p *Payment) DeclinedCharges() int { return p.Transactions.Count(p.EventType(JobCharge), Fail) }
