package payment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/store"
)

// SetVersion sets the version that was read or written.
func (p *Payment) SetVersion(version int64) { p.Version, p.storedCard = version, p.needsSealed() }

// Record returns the document of the payment. It is due when the first of its jobs is. If all of them wait for a
// person, it is listed by the time since when the first of their outcomes is unknown.
func (p *Payment) Record() store.Record {
	key, err := store.PaymentKey(p.ID)
	if err != nil {
		panic("payment without an id of ours: " + p.ID)
	}
	due, kind := p.due()
	r := store.Encode(key, p.Version, p.shortened(due))
	r.DueAt, r.DueKind = due, kind
	return r
}

// due returns by which time and kind the payment is in the due listing.
func (p *Payment) due() (at time.Time, kind store.DueKind) {
	var unknownSince time.Time
	for _, job := range p.Jobs {
		switch {
		case job.Person && (unknownSince.IsZero() || job.UnknownSince.Before(unknownSince)):
			unknownSince = job.UnknownSince
		case !job.Person && (at.IsZero() || job.DueAt.Before(at)):
			at, kind = job.DueAt, store.DuePayment.Of(p.Test)
		}
	}
	if at.IsZero() && !unknownSince.IsZero() {
		return unknownSince, store.DuePerson.Of(p.Test)
	}
	return at, kind
}

// shortened returns the payment without the values that Complete restores. due is when its record is due.
func (p *Payment) shortened(due time.Time) *Payment {
	short := *p
	if short.ChangedAt.Equal(short.CreatedAt) {
		short.ChangedAt = time.Time{}
	}
	short.Jobs = slices.Clone(p.Jobs)
	for i := range short.Jobs {
		if short.Jobs[i].Reference == p.ID {
			short.Jobs[i].Reference = ""
		}
		if short.Jobs[i].DueAt.Equal(due) {
			short.Jobs[i].DueAt = time.Time{}
		}
	}
	return &short
}

// Complete implements store.Shortened.
func (p *Payment) Complete(r store.Record) error {
	p.SetVersion(r.Version)
	if p.ChangedAt.IsZero() {
		p.ChangedAt = p.CreatedAt
	}
	for i := range p.Jobs {
		p.Jobs[i].Reference = cmp.Or(p.Jobs[i].Reference, p.ID)
		if p.Jobs[i].DueAt.IsZero() && !p.Jobs[i].Person {
			p.Jobs[i].DueAt = r.DueAt
		}
	}
	currency := request.CurrencyOf(p.Order)
	p.Order.Amount, p.ScheduleAmount = p.Order.Amount.In(currency), p.ScheduleAmount.In(currency)
	return InCurrency(currency, p.amounts()...)
}

// amounts returns all amounts of the payment, which are stored without their currency.
func (p *Payment) amounts() []*money.Amount {
	all := append(make([]*money.Amount, 0, 8), &p.Amount, &p.Captured)
	if p.VAT != nil {
		all = append(all, p.VAT)
	}
	if p.EarlyDispute != nil {
		all = append(all, &p.EarlyDispute.Amount)
	}
	for i := range p.Jobs {
		job := &p.Jobs[i]
		all = append(all, &job.Amount)
		if job.Finding != nil {
			all = append(all, &job.Finding.Moved)
		}
		if job.Decision != nil {
			all = append(all, &job.Decision.Amount)
		}
	}
	for i := range p.Acts {
		all = append(all, &p.Acts[i].Amount)
	}
	for i := range p.Transactions {
		all = append(all, &p.Transactions[i].Amount)
		if decision := p.Transactions[i].Decision; decision != nil {
			all = append(all, &decision.Amount)
		}
	}
	return all
}

// Log adds the ids of a payment and its session to the request's log line.
func Log(ctx context.Context, p *Payment) {
	note := fault.NoteOf(ctx)
	note.Session, note.Payment = store.PublicID(p.SessionID), p.ID
}

// SessionRequest returns the part of the session request that the payment has.
func (p *Payment) SessionRequest() *request.Session {
	return &request.Session{Details: p.Details, Options: p.Options}
}

// ErrNotFound returns the error for an unknown payment.
func ErrNotFound() *fault.Error {
	return fault.RefuseAs(fault.CodeNotFound, fault.NumberPaymentNotFound, "Payment not found")
}

// needsSealed reports whether the sealed card is still needed.
func (p *Payment) needsSealed() bool {
	charge := p.Jobs.Charge()
	return charge != nil && charge.Sealed
}

// CardDeletion returns the deletion of the sealed card, if one is stored and this version of the payment no longer
// needs it.
func (p *Payment) CardDeletion() []store.Record {
	if !p.storedCard || p.needsSealed() {
		return nil
	}
	return []store.Record{{Key: store.SealedCardKey(p.ID), Delete: true}}
}

// InCurrency sets the currency of a document's amounts. If the service no longer knows it, they stay digits.
func InCurrency(currency money.Currency, amounts ...*money.Amount) error {
	if currency.Code == "" {
		return nil
	}
	for _, a := range amounts {
		amount, err := a.In(currency)
		if err != nil {
			return fmt.Errorf("a stored amount is none of %s: %w", currency.Code, err)
		}
		*a = amount
	}
	return nil
}
