package checkout

import (
	"context"
	"errors"

	"checkout/internal/callback"
	"checkout/internal/store"
	"checkout/internal/sweep"
)

// Sweep rotates the day keys and sends everything that is due to its queue again. Once an hour it measures how many
// payments wait for a person.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.Now()
	err := s.RotateDayKeys(ctx)
	err = errors.Join(err, sweep.Sweep{Meter: s.meter(), Store: s.Store, Send: s.sendDue}.Run(ctx))
	if now.Minute() == 0 {
		err = errors.Join(err, s.measureWaiting(ctx, now))
	}
	return err
}

// RotateDayKeys makes the keys that browsers encrypt cards to, and deletes old ones.
func (s *Service) RotateDayKeys(ctx context.Context) error {
	return s.cardKeys().RotateDayKeys(ctx, s.Now())
}

// sendDue sends messages for due documents of a kind, of payments with the live or the test key.
func (s *Service) sendDue(
	ctx context.Context, kind store.DueKind, test bool, batch []sweep.Due,
) (refused int, err error) {
	if kind == store.DueCallback {
		messages := make([]callback.Message, len(batch))
		for i, d := range batch {
			messages[i] = callback.Message{PaymentID: d.PaymentID, Seq: d.Seq, Test: test}
		}
		return s.Queue.SendCallbacks(ctx, messages)
	}
	messages := make([]JobMessage, len(batch))
	for i, d := range batch {
		messages[i] = JobMessage{PaymentID: d.PaymentID, Chain: kind == store.DueChain, Test: test}
	}
	return s.Queue.SendJobs(ctx, messages)
}
