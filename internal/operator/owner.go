package operator

import (
	"context"
	"fmt"

	"checkout/internal/grant"
	"checkout/internal/payment"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// OwnerOf returns the owner of a payment, or of the session that has no such payment yet. Errors: CodeNotFound.
func (s *Service) OwnerOf(ctx context.Context, paymentID string) (request.Owner, error) {
	p, err := s.Payment(ctx, s.Now(), paymentID)
	if err != nil {
		return request.Owner{}, err
	}
	if p != nil {
		return p.Owner, nil
	}
	hash, _, err := store.SplitPaymentID(paymentID)
	if err != nil {
		return request.Owner{}, payment.ErrNotFound()
	}
	records, err := s.Store.List(ctx, s.Now(), store.Query{Partition: store.OrderPartition(hash), Limit: historyLimit})
	if err != nil {
		return request.Owner{}, fmt.Errorf("list order: %w", err)
	}
	o, err := readOrderRecords(records)
	if err != nil {
		return request.Owner{}, err
	}
	sess := o.session(nil, paymentID)
	if sess == nil {
		return request.Owner{}, payment.ErrNotFound()
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
	all, err := (&settings.Merchants{Store: s.Store, Now: s.Now}).List(ctx)
	seen := []Merchant{}
	for _, m := range all {
		live, test := request.Owner{Merchant: m.ID}, request.Owner{Merchant: m.ID, Test: true}
		if max(by.Level(grant.Find, live), by.Level(grant.Find, test)) > grant.None {
			seen = append(seen, Merchant{m.ID, m.Name})
		}
	}
	return seen, err
}
