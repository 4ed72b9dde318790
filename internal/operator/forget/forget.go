// Package forget blanks what stored documents have of a payer who asks to be forgotten. Rows and find entries are made
// of these documents, and go with them.
package forget

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/audit"
	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/listing"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Found is what is stored of a payer with an e-mail address.
type Found struct {
	// Chains are the initial payments of recurring chains that are still charged, and Open the payments that have not
	// ended, or whose callbacks wait. Both keep what they have.
	Chains []string `json:"chains"`
	Open   []string `json:"open"`
	Ended  int      `json:"ended"` // payments of which everything is blanked, or can be
	More   bool     `json:"more,omitempty"`
}

// The most that one call does.
const (
	mostEntries   = 500
	mostDocuments = 10_000 // of an order
	atOnce        = 90     // of one write
)

// Forgetter finds and blanks what is stored of payers. New makes one.
type Forgetter struct{ core *checkout.Core }

// New makes a forgetter.
func New(core *checkout.Core) *Forgetter { return &Forgetter{core} }

// Look says what is stored of a payer, and what of that can't be forgotten yet. Errors: CodeInvalid.
func (s *Forgetter) Look(ctx context.Context, email string) (Found, error) {
	return s.each(ctx, email, func(context.Context, *order) error { return nil })
}

// Forget blanks the payer's data in the documents of payments that have ended, of their sessions and callbacks, and of
// chains that are not charged any more. It may be repeated. One entry of the audit log stays, without the address.
// Errors: CodeInvalid; CodeNotAllowed if the number of payments differs from the one that the person has seen.
func (s *Forgetter) Forget(ctx context.Context, act audit.Act, email string, expected int) (Found, error) {
	before, err := s.Look(ctx, email)
	if err != nil {
		return before, err
	}
	if before.Ended != expected {
		return before, fault.Refuse(fault.CodeNotAllowed,
			fmt.Sprintf("It would be forgotten of %d payments, not of %d: look again.", before.Ended, expected))
	}
	text := fmt.Sprintf("data of a payer is blanked, of %d payments", before.Ended)
	change := audit.Change{What: "payer", Changes: []string{text}}
	if err := act.Save(ctx, s.core.Store, s.core.Now(), change); err != nil {
		return before, fmt.Errorf("record what is forgotten: %w", err)
	}
	return s.each(ctx, email, s.forget)
}

// order is what is stored of a payer in an order.
type order struct {
	partition string
	email     string
	ended     []*payment.Payment // without those of chains that are still charged
	records   []store.Record
}

// each does something for each order of a payer, and counts what there is.
func (s *Forgetter) each(
	ctx context.Context, email string, do func(ctx context.Context, o *order) error,
) (Found, error) {
	found := Found{Chains: []string{}, Open: []string{}}
	if email = strings.TrimSpace(email); !strings.Contains(email, "@") || len(email) > 254 {
		return found, fault.At("email", "It should be an e-mail address.")
	}
	entries, err := s.core.Store.List(ctx, s.core.Now(), store.FindBy(listing.Handle(email), mostEntries))
	if err != nil {
		return found, fmt.Errorf("find a payer: %w", err)
	}
	found.More = len(entries) == mostEntries
	var partitions []string
	for _, entry := range entries {
		id, err := store.ListedPayment(entry.Key)
		if err != nil {
			return found, err
		}
		hash, _, err := store.SplitPaymentID(id)
		if err != nil {
			return found, err
		}
		if p := store.OrderPartition(hash); !slices.Contains(partitions, p) {
			partitions = append(partitions, p)
		}
	}
	for _, partition := range partitions {
		o, err := s.read(ctx, partition, email, &found)
		if err == nil {
			err = do(ctx, o)
		}
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

// read reads an order, and adds to what was found of the payer.
func (s *Forgetter) read(ctx context.Context, partition, email string, found *Found) (*order, error) {
	o := &order{partition: partition, email: email}
	var err error
	o.records, err = s.core.Store.List(ctx, s.core.Now(), store.Query{Partition: partition, Limit: mostDocuments})
	if err != nil {
		return o, fmt.Errorf("list order: %w", err)
	}
	waits, err := o.waiting()
	if err != nil {
		return o, err
	}
	for _, r := range o.records {
		p := &payment.Payment{}
		if !store.IsPayment(r.Key) {
			continue
		}
		if err := r.Decode(p); err != nil {
			return o, err
		}
		if !isOf(p.Details, email) {
			continue
		}
		chain, err := s.core.Chain(ctx, s.core.Now(), p.Chain)
		switch {
		case err != nil:
			return o, err
		case chain != nil && !chain.NextAt.IsZero():
			if !slices.Contains(found.Chains, chain.PaymentID) {
				found.Chains = append(found.Chains, chain.PaymentID)
			}
		case !hasEnded(p) || waits[p.ID]:
			found.Open = append(found.Open, p.ID)
		default:
			o.ended = append(o.ended, p)
			found.Ended++
		}
	}
	return o, nil
}

// waiting returns the payments whose callbacks have not reached the shop.
func (o *order) waiting() (map[string]bool, error) {
	waits := map[string]bool{}
	for _, r := range o.records {
		var c callback.Callback
		if !strings.HasPrefix(r.Key.Sort, "callback/") {
			continue
		}
		if err := r.Decode(&c); err != nil {
			return nil, err
		}
		if c.State == callback.Waiting || c.State == callback.Parked {
			waits[c.PaymentID] = true
		}
	}
	return waits, nil
}

// forget blanks what an order has of its payer. The payments come last: what fails before is found again by them.
func (s *Forgetter) forget(ctx context.Context, o *order) error {
	for more := true; more; {
		update := store.Update{Doing: "blank the data of a payer", Store: s.core.Store, Now: s.core.Now}
		err := update.Do(ctx, func(now time.Time) ([]store.Record, error) {
			again, err := s.read(ctx, o.partition, o.email, &Found{})
			if err != nil {
				return nil, err
			}
			records, err := again.blanked(now)
			more = len(records) > atOnce
			return records[:min(len(records), atOnce)], err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// blanked returns the documents of an order that have something of its payer, without that: the payments last.
func (o *order) blanked(now time.Time) (records []store.Record, err error) {
	custom, sessions := map[string][]request.Field{}, map[string]bool{}
	var payments []store.Record
	for _, p := range o.ended {
		custom[p.ID], sessions[p.SessionID] = append([]request.Field{}, request.Flatten(p.CustomData)...), true
		blankPayment(p)
		payments = append(payments, p.Record())
	}
	for _, r := range o.records {
		var blanked *store.Record
		switch {
		case strings.HasPrefix(r.Key.Sort, "callback/"):
			blanked, err = blankedCallback(r, custom)
		case strings.HasPrefix(r.Key.Sort, "chain/"):
			blanked, err = o.blankedChain(r)
		case store.IsSession(r.Key):
			blanked, err = o.blankedSession(r, now, sessions)
		}
		if err != nil {
			return nil, err
		}
		if blanked != nil {
			records = append(records, *blanked)
		}
	}
	return append(records, payments...), nil
}

// blankedCallback returns a callback of a payment without what it tells of its payer, nil if it tells nothing. custom
// has the fields of the payments' custom_data.
func blankedCallback(r store.Record, custom map[string][]request.Field) (*store.Record, error) {
	var c callback.Callback
	if err := r.Decode(&c); err != nil {
		return nil, err
	}
	fields, ended := custom[c.PaymentID]
	if !ended || !c.Forget(fields) {
		return nil, nil
	}
	blanked := c.Record(r.DueAt)
	return &blanked, nil
}

func (o *order) blankedChain(r store.Record) (*store.Record, error) {
	var c checkout.Chain
	if err := r.Decode(&c); err != nil || !c.NextAt.IsZero() || !isOf(c.Details, o.email) {
		return nil, err
	}
	c.Details, c.CardName = blank(c.Details), ""
	blanked := c.Record()
	return &blanked, nil
}

// blankedSession returns a session that has ended, of payments that are forgotten or of none.
func (o *order) blankedSession(r store.Record, now time.Time, of map[string]bool) (*store.Record, error) {
	sess, err := checkout.ReadSession(r, now)
	if err != nil || sess == nil || !isOf(sess.Request.Details, o.email) {
		return nil, err
	}
	over := []checkout.SessionState{
		checkout.SessionComplete, checkout.SessionDeclined, checkout.SessionCancelled, checkout.SessionExpired,
	}
	if !slices.Contains(over, sess.StateAt(now)) || !of[sess.ID] && sess.PaymentID != "" {
		return nil, nil
	}
	sess.Request.Details = blank(sess.Request.Details)
	sess.Request.Parameters, sess.Request.StatedIP = nil, ""
	blanked := sess.Record()
	return &blanked, nil
}
