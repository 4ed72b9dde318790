package checkout

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// sweepLimit is the most documents of one shard that one sweep sends on; the next sweep takes the rest.
const sweepLimit = 500

// Sweep sends whatever is due and was not done to its queue again. It changes
// nothing itself, so running it twice, or not for a day, loses and repeats
// nothing.
func (s *Service) Sweep(ctx context.Context) error {
	var errs []error
	for _, kind := range []DueKind{DuePayment, DueChain, DueCallback} {
		for shard := range DueShards {
			entries, err := s.Store.Due(ctx, s.Now(), DueQuery{Kind: kind, Shard: shard, Limit: sweepLimit})
			if err != nil {
				errs = append(errs, fmt.Errorf("list due of kind %s, shard %d: %w", kind, shard, err))
				continue
			}
			for _, entry := range entries {
				if err := s.sendDue(ctx, entry.Key); err != nil {
					errs = append(errs, err)
				}
			}
		}
	}
	return errors.Join(errs...)
}

// sendDue puts a due document on the queue of its kind.
func (s *Service) sendDue(ctx context.Context, key Key) error {
	hash := strings.TrimPrefix(key.Partition, "order/")
	kind, rest, _ := strings.Cut(key.Sort, "/")
	tail, rest, _ := strings.Cut(rest, "/")
	if len(hash) != 15 || len(tail) != 16 {
		return fmt.Errorf("due document of partition %s is none of ours", key.Partition)
	}
	id := paymentID(hash, tail)
	if kind == "callback" {
		seq, err := strconv.Atoi(rest)
		if err != nil {
			return fmt.Errorf("due callback of payment %s has no number: %w", id, err)
		}
		return s.Queue.SendCallback(ctx, CallbackMessage{PaymentID: id, Seq: seq}, 0)
	}
	return s.Queue.SendJob(ctx, JobMessage{PaymentID: id, Chain: kind == "chain"}, 0)
}
