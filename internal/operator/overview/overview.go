// Package overview counts what waits for operators, and how many charges succeed hour by hour. However many documents
// there are, it reads a bounded number, and says of each count whether there may be more.
package overview

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/store"
)

// Overview is what a person sees first.
type Overview struct {
	At    time.Time `json:"at"`
	Items []Item    `json:"items"` // all kinds, in this order
	Hours *Hours    `json:"hours,omitempty"`
}

// Of returns what a person may see of the payments that a filter chooses by its merchant and mode. The hours are those
// of the filter's day, from From to Until; there are none without a day, or for a person who may not see totals.
func Of(ctx context.Context, core *checkout.Core, by grant.Person, f query.Filter) (Overview, error) {
	reader, err := query.NewReader(core).Scanned(ctx)
	if err != nil {
		return Overview{}, err
	}
	r := reading{core, reader, by, f, core.Now()}
	parts := []struct {
		kind Kind
		read func(ctx context.Context, i *Item) error
	}{
		{Waiting, r.waiting}, {Approvals, r.approvals}, {Parked, r.parked}, {Addresses, r.addresses},
		{Circuits, r.circuits}, {Closed, r.closed}, {Disputes, r.disputes},
	}
	all := Overview{At: r.now.UTC(), Items: make([]Item, len(parts))}
	err = store.Concurrently(len(parts)+1, func(i int) (err error) {
		ctx := fault.WithNote(ctx, &fault.Note{ID: fault.RequestID(ctx)}) // each reads other merchants
		if i == len(parts) {
			all.Hours, err = r.hours(ctx)
			return err
		}
		all.Items[i] = Item{Kind: parts[i].kind, Label: labels[parts[i].kind]}
		return parts[i].read(ctx, &all.Items[i])
	})
	return all, err
}
