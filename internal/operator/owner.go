package operator

import (
	"context"
	"fmt"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// OwnerOf returns the owner of a payment, or of the session that has no such payment yet. Errors: CodeNotFound.
func (s *Service) OwnerOf(ctx context.Context, paymentID string) (fault.Owner, error) {
	p, err := s.Payment(ctx, s.Now(), paymentID)
	if err != nil {
		return fault.Owner{}, err
	}
	if p != nil {
		return p.Owner, nil
	}
	hash, _, err := store.SplitPaymentID(paymentID)
	if err != nil {
		return fault.Owner{}, payment.ErrNotFound()
	}
	records, err := s.Store.List(ctx, s.Now(), store.Query{Partition: store.OrderPartition(hash), Limit: historyLimit})
	if err != nil {
		return fault.Owner{}, fmt.Errorf("list order: %w", err)
	}
	o, err := readOrderRecords(records)
	if err != nil {
		return fault.Owner{}, err
	}
	sess := o.session(nil, paymentID)
	if sess == nil {
		return fault.Owner{}, payment.ErrNotFound()
	}
	return sess.Request.Owner, nil
}

// Merchant is a merchant whose payments a person may see.
type Merchant struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Merchants lists the merchants whose payments a person may see, by id.
func (s *Service) Merchants(ctx context.Context, by grant.Person) ([]Merchant, error) {
	var named []string
	for _, g := range by.Grants {
		named = append(named, g.Merchants...)
	}
	seen := []Merchant{}
	if slices.Contains(named, grant.AllMerchants) { // every role sees payments
		all, err := (&settings.Merchants{Store: s.Store, Now: s.Now}).List(ctx)
		for _, m := range all {
			seen = append(seen, Merchant{m.ID, m.Name})
		}
		return seen, err
	}
	slices.Sort(named)
	for _, id := range slices.Compact(named) {
		m, err := s.Merchant(ctx, id, s.Now())
		if err != nil {
			return nil, err
		}
		if m != nil {
			seen = append(seen, Merchant{m.ID, m.Name})
		}
	}
	return seen, nil
}
