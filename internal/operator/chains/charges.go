package chains

import (
	"context"
	"fmt"
	"slices"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
)

// charges returns the payments of a chain, the latest first.
func (s *Reader) charges(
	ctx context.Context, c *checkout.Chain, initial *payment.Payment,
) (all []ChainCharge, more bool, err error) {
	latest, err := s.latest(ctx, c)
	if err != nil {
		return nil, false, err
	}
	all = []ChainCharge{}
	for _, p := range append(latest, initial) {
		if p != nil {
			all = append(all, chargeOf(p))
		}
	}
	now := s.core.Now()
	entries, err := s.core.Store.List(ctx, now, store.FindBy(listing.Handle(c.Token), chargesRead+1))
	if err != nil {
		return nil, false, fmt.Errorf("find the charges of a chain: %w", err)
	}
	more = len(entries) > chargesRead
	var keys []store.Key
	for _, entry := range entries[:min(chargesRead, len(entries))] {
		owner, key, err := store.FoundIn(entry.Key)
		if err != nil {
			return nil, false, err
		}
		if owner == c.Owner.Text() {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		records, err := s.core.Store.Get(ctx, now, keys...)
		if err != nil {
			return nil, false, fmt.Errorf("read the charges of a chain: %w", err)
		}
		if all, err = withListed(all, records, c); err != nil {
			return nil, false, err
		}
	}
	slices.SortStableFunc(all, func(a, b ChainCharge) int { return b.At.Compare(a.At) })
	return all, more, nil
}

// withListed adds the payments of a chain in the rows of records that are not known yet.
func withListed(all []ChainCharge, records []store.Record, c *checkout.Chain) ([]ChainCharge, error) {
	for _, r := range records {
		var row listing.Row
		if r.Version == 0 {
			continue
		}
		if err := r.Decode(&row); err != nil {
			return nil, err
		}
		known := slices.ContainsFunc(all, func(other ChainCharge) bool { return other.PaymentID == row.PaymentID })
		if !known && row.Status != "" {
			all = append(all, ChainCharge{
				PaymentID: row.PaymentID, At: row.CreatedAt, Order: row.Order, Amount: row.Amount, Currency: row.Currency,
				Status: string(row.Status), ReasonCode: row.ReasonCode, Initial: row.PaymentID == c.PaymentID,
			})
		}
	}
	return all, nil
}

func chargeOf(p *payment.Payment) ChainCharge {
	return ChainCharge{
		PaymentID: p.ID, At: p.CreatedAt, Order: p.Order.Number, Amount: p.Amount.String(), Currency: p.Order.Currency,
		Status: string(p.Status), ReasonCode: p.ReasonCode, Initial: !p.Recurring,
	}
}

// latest returns the payments of the order number of the latest scheduled charge: itself, and its retries.
func (s *Reader) latest(ctx context.Context, c *checkout.Chain) ([]*payment.Payment, error) {
	if c.OrderSuffix == 0 {
		return nil, nil
	}
	all, err := paymentsOf(ctx, s.core, store.OrderHash(c.Owner.Text(), c.ScheduledNumber()))
	return slices.DeleteFunc(all, func(p *payment.Payment) bool { return p.Chain != c.PaymentID }), err
}

// paymentsOf reads the payments of an order.
func paymentsOf(ctx context.Context, core *checkout.Core, hash string) (all []*payment.Payment, err error) {
	query := store.Query{Partition: store.OrderPartition(hash), Limit: mostOfOrder}
	records, err := core.Store.List(ctx, core.Now(), query)
	if err != nil {
		return nil, fmt.Errorf("read the payments of an order: %w", err)
	}
	for _, r := range records {
		if !store.IsPayment(r.Key) {
			continue
		}
		p := &payment.Payment{}
		if err := r.Decode(p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
