package payment

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/store"
)

// SetVersion sets the version that was read or written.
func (p *Payment) SetVersion(version int64) { p.Version, p.storedCard = version, p.Jobs.needSealed() }

// Record returns the document of the payment. It is due when the first of its jobs is. If all of them wait for a
// person, it is listed by the time since when the first of their outcomes is unknown.
func (p *Payment) Record() store.Record { return storedForm{p}.record() }

// storedForm is how a payment is stored: without what its record says or can be known without it.
type storedForm struct{ p *Payment }

func (f storedForm) record() store.Record {
	key, err := store.PaymentKey(f.p.ID)
	if err != nil {
		panic("payment without an id of ours: " + f.p.ID)
	}
	due, kind := f.due()
	r := store.Encode(key, f.p.Version, f.shortened(due))
	r.DueAt, r.DueKind = due, kind
	return r
}

// due returns by which time and kind the payment is in the due listing.
func (f storedForm) due() (at time.Time, kind store.DueKind) {
	var unknownSince time.Time
	for _, job := range f.p.Jobs {
		switch {
		case job.Person && (unknownSince.IsZero() || job.UnknownSince.Before(unknownSince)):
			unknownSince = job.UnknownSince
		case !job.Person && (at.IsZero() || job.DueAt.Before(at)):
			at, kind = job.DueAt, store.DuePayment.Of(f.p.Test)
		}
	}
	if at.IsZero() && !unknownSince.IsZero() {
		return unknownSince, store.DuePerson.Of(f.p.Test)
	}
	return at, kind
}

// shortened returns the payment without the values that Complete restores. due is when its record is due.
func (f storedForm) shortened(due time.Time) *Payment {
	short := *f.p
	if short.ChangedAt.Equal(short.CreatedAt) {
		short.ChangedAt = time.Time{}
	}
	short.Jobs = slices.Clone(f.p.Jobs)
	for i := range short.Jobs {
		if short.Jobs[i].Reference == f.p.ID {
			short.Jobs[i].Reference = ""
		}
		if short.Jobs[i].DueAt.Equal(due) {
			short.Jobs[i].DueAt = time.Time{}
		}
	}
	return &short
}

// Complete implements store.Shortened.
func (p *Payment) Complete(r store.Record) error { return storedForm{p}.complete(r) }

func (f storedForm) complete(r store.Record) error {
	p := f.p
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
	return InCurrency(currency, f.amounts()...)
}

// amounts returns all amounts of the payment, which are stored without their currency.
func (f storedForm) amounts() []*money.Amount {
	all := append(make([]*money.Amount, 0, 8), &f.p.Amount, &f.p.Captured)
	if f.p.VAT != nil {
		all = append(all, f.p.VAT)
	}
	if f.p.EarlyDispute != nil {
		all = append(all, &f.p.EarlyDispute.Amount)
	}
	for i := range f.p.Jobs {
		job := &f.p.Jobs[i]
		all = append(all, &job.Amount)
		if job.Finding != nil {
			all = append(all, &job.Finding.Moved)
		}
		if job.Decision != nil {
			all = append(all, &job.Decision.Amount)
		}
	}
	for i := range f.p.Acts {
		all = append(all, &f.p.Acts[i].Amount)
	}
	for i := range f.p.Transactions {
		all = append(all, &f.p.Transactions[i].Amount)
		if decision := f.p.Transactions[i].Decision; decision != nil {
			all = append(all, &decision.Amount)
		}
	}
	return all
}

// CardDeletion returns the deletion of the sealed card, if one is stored and this version of the payment no longer
// needs it.
func (p *Payment) CardDeletion() []store.Record {
	if !p.storedCard || p.Jobs.needSealed() {
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
