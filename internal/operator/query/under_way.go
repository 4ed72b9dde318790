package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// UnderWay is a request that is sent and not decided, or due and not done.
type UnderWay struct {
	WaitingRequest
	State payment.JobState `json:"state"`
	DueAt time.Time        `json:"due_at"`
	Late  bool             `json:"late"` // it should have been done by now
}

const (
	underWayShard = 1000 // entries of the due listing that are read of a shard
	underWayGets  = 5    // times that 100 payments are read
	underWayPage  = 100
	// lateAfter is how long after the time of a job the sweep and its queue may take.
	lateAfter = 3 * time.Minute
)

// UnderWay lists requests to providers that are not decided and wait for no person, those of the oldest payments first.
// They are found in the due listing, which has every such payment: that takes a request for each of its 32 shards and
// one for each 100 payments that are read, at most 500. The listing may lag a little behind. Errors: CodeInvalid.
func (s *Reader) UnderWay(ctx context.Context, by grant.Person, f Filter) ([]UnderWay, string, error) {
	if err := f.check(); err != nil {
		return nil, "", err
	}
	keys, err := s.underWayKeys(ctx, f)
	if err != nil {
		return nil, "", err
	}
	now, found := s.core.Now(), []UnderWay(nil)
	for n := 0; len(keys) > 0; n++ {
		part := keys[:min(underWayPage, len(keys))]
		keys = keys[len(part):]
		records, err := s.core.Store.Get(ctx, now, part...)
		if err != nil {
			return nil, "", fmt.Errorf("read payments under way: %w", err)
		}
		for _, r := range records {
			p := &payment.Payment{}
			if err := r.Decode(p); err != nil {
				return nil, "", err
			}
			if r.Version > 0 && is(f.Merchant, p.Merchant) && by.Level(grant.Find, p.Owner) > grant.None {
				found = append(found, underWayOf(p, now)...)
			}
		}
		if len(keys) > 0 && (len(found) >= f.rows() || n+1 == underWayGets) {
			return found, madeText(part[len(part)-1]), nil
		}
	}
	return found, "", nil
}

// underWayKeys returns the keys of payments in the due listing, the oldest payments first, after those of the cursor.
func (s *Reader) underWayKeys(ctx context.Context, f Filter) ([]store.Key, error) {
	kind, entries := store.DuePayment.Of(f.test()), [store.MaxDueShards][]store.DueEntry{}
	err := store.Concurrently(kind.Shards(), func(shard int) (err error) {
		query := store.DueQuery{Kind: kind, Shard: shard, Limit: underWayShard}
		entries[shard], err = s.core.Store.Due(ctx, s.core.Now().Add(payment.UndecidedLimit), query)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list what is due: %w", err)
	}
	var keys []store.Key
	for _, entry := range slices.Concat(entries[:]...) {
		if madeText(entry.Key) > f.Cursor {
			keys = append(keys, entry.Key)
		}
	}
	slices.SortFunc(keys, func(a, b store.Key) int { return strings.Compare(madeText(a), madeText(b)) })
	return slices.Compact(keys), nil
}

// madeText is a text of a payment's key that sorts by the time when the payment was made.
func madeText(key store.Key) string {
	return strings.Split(key.Sort, "/")[1] + "/" + strings.TrimPrefix(key.Partition, store.OrderPartition(""))
}

// underWayOf returns the payment's requests that are not decided and wait for no person.
func underWayOf(p *payment.Payment, now time.Time) (all []UnderWay) {
	for i := range p.Jobs {
		if job := &p.Jobs[i]; !job.Person {
			all = append(all, UnderWay{
				WaitingRequest: waitingRequest(p, job), State: job.State(now), DueAt: job.DueAt,
				Late: now.After(job.DueAt.Add(lateAfter)),
			})
		}
	}
	slices.SortStableFunc(all, func(a, b UnderWay) int { return cmp.Or(a.SentAt.Compare(b.SentAt)) })
	return all
}
