package chains

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// ChainList is one page of chains whose schedule charges again, by the date of the next charge.
type ChainList struct {
	Chains []ChainItem `json:"chains"`
	Cursor string      `json:"cursor,omitempty"` // of the next page; "": there is none
}

const (
	page     = 100                       // chains that are read at once
	listedTo = 10 * 366 * 24 * time.Hour // no schedule is due later
)

// List lists the chains whose schedule charges again, of a merchant if one is named, and of one mode: the next to be
// charged first. Others are found by their payments. A page has up to 100 chains, or none while there is a cursor.
// Errors: CodeInvalid for the cursor.
func (s *Reader) List(ctx context.Context, by grant.Person, of fault.Owner, cursor string) (ChainList, error) {
	var after store.DueEntry
	if cursor != "" && store.ReadCursor(cursor, &after) != nil {
		return ChainList{}, fault.At("cursor", "No page ends there.")
	}
	entries, err := s.due(ctx, store.DueChain.Of(of.Test), after)
	if err != nil || len(entries) == 0 {
		return ChainList{Chains: []ChainItem{}}, err
	}
	list, keys := ChainList{Chains: []ChainItem{}}, make([]store.Key, min(page, len(entries)))
	for i := range keys {
		keys[i] = entries[i].Key
	}
	if len(entries) > page {
		list.Cursor = store.Cursor(entries[page-1])
	}
	records, err := s.core.Store.Get(ctx, s.core.Now(), keys...)
	if err != nil {
		return ChainList{}, fmt.Errorf("read recurring chains: %w", err)
	}
	for _, r := range records {
		c := &checkout.Chain{}
		if err := r.Decode(c); err != nil {
			return ChainList{}, err
		}
		seen := r.Version > 0 && by.Level(grant.Find, c.Owner) > grant.None
		if seen && !c.NextAt.IsZero() && (of.Merchant == "" || of.Merchant == c.Merchant) {
			list.Chains = append(list.Chains, itemOf(c))
		}
	}
	slices.SortStableFunc(list.Chains, func(a, b ChainItem) int { return a.NextAt.Compare(b.NextAt) })
	return list, nil
}

// due returns the first entries of the due listing after another one, of all shards: one more than a page has.
func (s *Reader) due(ctx context.Context, kind store.DueKind, after store.DueEntry) ([]store.DueEntry, error) {
	shards := [store.MaxDueShards][]store.DueEntry{}
	err := store.Concurrently(kind.Shards(), func(shard int) error {
		query := store.DueQuery{Kind: kind, Shard: shard, Limit: page + 1}
		if !after.At.IsZero() { // all of the same millisecond are read again
			query.After = store.DueEntry{At: after.At.Add(-time.Millisecond), Key: store.Key{Partition: "~", Sort: "~"}}
		}
		for {
			entries, err := s.core.Store.Due(ctx, s.core.Now().Add(listedTo), query)
			if err != nil {
				return fmt.Errorf("list recurring chains: %w", err)
			}
			for _, entry := range entries {
				if store.CompareDue(entry, after) > 0 {
					shards[shard] = append(shards[shard], entry)
				}
			}
			if len(entries) <= page || len(shards[shard]) > page {
				return nil
			}
			query.After = entries[len(entries)-1]
		}
	})
	all := slices.Concat(shards[:]...)
	slices.SortFunc(all, store.CompareDue)
	return all[:min(page+1, len(all))], err
}
