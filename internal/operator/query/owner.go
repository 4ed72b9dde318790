package query

import (
	"context"
	"fmt"
	"slices"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/words"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/store"
)

// OwnerOf returns the owner of a payment, or of the session that has no such payment yet. Errors: CodeNotFound.
func (s *Reader) OwnerOf(ctx context.Context, paymentID string) (fault.Owner, error) {
	p, err := s.core.Payment(ctx, s.core.Now(), paymentID)
	if err != nil {
		return fault.Owner{}, err
	}
	if p != nil {
		return p.Owner, nil
	}
	o, err := s.order(ctx, paymentID)
	if err != nil {
		return fault.Owner{}, err
	}
	if sess := o.Session(nil, paymentID); sess != nil {
		return sess.Request.Owner, nil
	}
	if i := slices.IndexFunc(o.Chains, func(c *checkout.Chain) bool { return c.PaymentID == paymentID }); i >= 0 {
		return o.Chains[i].Owner, nil // its initial payment is not stored any more
	}
	return fault.Owner{}, payment.ErrNotFound()
}

// order reads the documents of a payment's order.
func (s *Reader) order(ctx context.Context, paymentID string) (words.Order, error) {
	records, err := words.ListOrder(ctx, s.core.Store, s.core.Now(), paymentID)
	if err != nil {
		return words.Order{}, err
	}
	return words.ReadOrder(records)
}

// PaymentAndSession reads a payment with its session, or the session that has no such payment yet. What is not stored
// is nil. Errors: CodeNotFound for an id that is none of ours.
func (s *Reader) PaymentAndSession(
	ctx context.Context, paymentID string,
) (*payment.Payment, *checkout.Session, error) {
	o, err := s.order(ctx, paymentID)
	if err != nil {
		return nil, nil, err
	}
	p := o.Payment(paymentID)
	return p, o.Session(p, paymentID), nil
}

// Merchant is a merchant whose payments a person may see.
type Merchant struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// HasMerchant reports whether there is a merchant.
func (s *Reader) HasMerchant(ctx context.Context, id string) (bool, error) {
	m, err := s.core.Merchant(ctx, id, s.core.Now())
	return m != nil, err
}

// Merchants lists the merchants whose payments a person may see, by id.
func (s *Reader) Merchants(ctx context.Context, by grant.Person) ([]Merchant, error) {
	all, err := s.settingsOf(ctx, by)
	return named(all), err
}

// named returns merchants with nothing else of their settings.
func named(all []settings.Merchant) []Merchant {
	seen := make([]Merchant, len(all))
	for i, m := range all {
		seen[i] = Merchant{m.ID, m.Name}
	}
	return seen
}

// settingsOf returns the settings of the merchants whose payments a person may see, as they are stored now.
func (s *Reader) settingsOf(ctx context.Context, by grant.Person) ([]settings.Merchant, error) {
	var ids []string
	for _, g := range by.Grants {
		ids = append(ids, g.Merchants...)
	}
	if slices.Contains(ids, grant.AllMerchants) { // every role sees payments
		return (&change.Merchants{Store: s.core.Store, Now: s.core.Now}).List(ctx)
	}
	slices.Sort(ids)
	var all []settings.Merchant
	for part := range slices.Chunk(slices.Compact(ids), merchantsAtOnce) {
		var keys []store.Key
		for _, id := range part {
			keys = append(keys, store.SettingsKey(id))
		}
		records, err := s.core.Store.Get(ctx, s.core.Now(), keys...)
		if err != nil {
			return nil, fmt.Errorf("read merchants: %w", err)
		}
		for _, r := range records {
			var m settings.Merchant
			if err := r.Decode(&m); err != nil {
				return nil, err
			}
			if r.Version > 0 {
				all = append(all, m)
			}
		}
	}
	return all, nil
}

// merchantsAtOnce is how many documents of settings, of up to 350 KB each, one request reads: DynamoDB returns at most
// 16 MB.
const merchantsAtOnce = 40
