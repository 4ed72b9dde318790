package overview

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
)

const (
	// mostOfShard is how many undelivered callbacks are read of each of the shards that list them, with one request for
	// their documents.
	mostOfShard = 99
	// disputeDays is of how many days disputes are counted, and mostDisputes how many payments of each.
	disputeDays  = 7
	mostDisputes = 100
)

func (r reading) waiting(ctx context.Context, i *Item) error {
	found, next, err := r.reader.WaitingForPerson(ctx, "", mostDisputes)
	i.More = next != ""
	for _, w := range found {
		if r.sees(w.Owner) {
			since := w.UnknownSince
			if since.IsZero() {
				since = w.SentAt
			}
			i.add(Item{Oldest: since, PaymentID: w.PaymentID, Merchant: w.Merchant})
		}
	}
	return err
}

func (r reading) approvals(ctx context.Context, i *Item) error {
	page, err := operator.NewPeople(r.core).Approvals(ctx, r.by, "")
	i.More = page.Cursor != ""
	for _, a := range page.Approvals {
		if a.State == operator.ApprovalWaiting && r.sees(a.Owner) {
			i.add(Item{Oldest: a.At, PaymentID: a.PaymentID, Merchant: a.Merchant})
		}
		i.More = page.Cursor != "" && r.now.Before(a.Until) // earlier ones have ended, too
	}
	return err
}

func (r reading) parked(ctx context.Context, i *Item) error {
	found, more, err := r.undelivered(ctx, callback.Parked)
	i.More = more
	for _, c := range found {
		i.add(Item{Oldest: c.At, PaymentID: c.PaymentID, Merchant: c.Merchant})
	}
	return err
}

// addresses counts the addresses of callbacks that were tried and are to be tried again.
func (r reading) addresses(ctx context.Context, i *Item) error {
	found, more, err := r.undelivered(ctx, callback.Waiting)
	i.More = more
	known := map[string]bool{}
	for _, c := range found {
		name := callback.BreakerAddress(c.Owner, c.URL)
		if c.Tries > 0 && !known[name] { // the first has the oldest event
			known[name] = true
			i.add(Item{Oldest: c.CreatedAt, Merchant: c.Merchant, Name: callback.ShownURL(c.URL)})
		}
	}
	return err
}

func (r reading) undelivered(ctx context.Context, state callback.State) ([]callback.Undelivered, bool, error) {
	found, end, err := r.reader.Outbox().UndeliveredOf(ctx, callback.Query{State: state, Of: r.sees}, mostOfShard)
	return found, !end.At.IsZero(), err
}

func (r reading) circuits(ctx context.Context, i *Item) error {
	merchants, err := r.reader.Merchants(ctx, r.by)
	if err != nil {
		return err
	}
	var owners []fault.Owner
	for _, m := range merchants {
		if o := (fault.Owner{Merchant: m.ID, Test: r.test()}); r.sees(o) {
			owners = append(owners, o)
		}
	}
	open, err := r.reader.OpenCircuits(ctx, owners...)
	for _, c := range open {
		i.add(Item{Oldest: c.Since, Merchant: ownerOf(c.Owner).Merchant, Name: c.Name})
	}
	return err
}

func (r reading) closed(ctx context.Context, i *Item) error {
	_, closed, err := r.reader.Closed(ctx, r.by)
	for _, c := range closed {
		if r.seesMerchant(c.Merchant) {
			i.add(Item{Merchant: c.Merchant, Name: c.Name})
		}
	}
	return err
}

// disputes counts the payments that payers have disputed in the last days, or their banks, and whose money is not back.
func (r reading) disputes(ctx context.Context, i *Item) error {
	found, err := r.disputed(ctx)
	if err != nil {
		return err
	}
	i.More = len(found) > mostDisputes
	if found = found[:min(len(found), mostDisputes)]; len(found) == 0 {
		return nil
	}
	records, err := r.core.Store.Get(ctx, r.now, found...)
	if err != nil {
		return fmt.Errorf("read disputed payments: %w", err)
	}
	for _, record := range records {
		var row listing.Row
		if err := record.Decode(&row); err != nil {
			return err
		}
		if row.Status == payment.StatusChargeback || row.Status == payment.StatusReversal {
			since := row.CreatedAt
			if !row.ChangedAt.IsZero() {
				since = row.ChangedAt
			}
			i.add(Item{Oldest: since, PaymentID: row.PaymentID, Merchant: ownerOf(row.Owner).Merchant})
		}
	}
	return nil
}

// disputed returns the keys of the rows of payments that were disputed in the last days, those of the latest day first.
func (r reading) disputed(ctx context.Context) (all []store.Key, err error) {
	var found [disputeDays][]store.Record
	err = store.Concurrently(disputeDays, func(i int) (err error) {
		day := r.now.Add(-24 * time.Hour * time.Duration(i))
		found[i], err = r.core.Store.List(ctx, r.now, store.FindBy(listing.DisputeHandle(r.test(), day), mostDisputes))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list disputes: %w", err)
	}
	known := map[store.Key]bool{}
	for _, records := range found {
		for _, record := range records {
			owner, row, err := store.FoundIn(record.Key)
			if err != nil {
				return nil, err
			}
			if !known[row] && r.sees(ownerOf(owner)) {
				known[row], all = true, append(all, row)
			}
		}
	}
	return all, nil
}
