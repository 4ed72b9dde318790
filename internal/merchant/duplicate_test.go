package merchant

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// sentRequest is a request for an order, at the time of the clock of the function that takes it.
type sentRequest struct {
	name string
	send func(s *Creator, at time.Time) error
}

var (
	atNoon   = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	theOrder = checkout.SentOrder{Owner: fault.Owner{Merchant: "m"}, Number: "pen-1"}
	theHash  = store.OrderHash(theOrder.Owner.Text(), theOrder.Number)
	aSession = sentRequest{"session", func(s *Creator, at time.Time) error {
		sess := &checkout.Session{State: checkout.SessionOpen, CreatedAt: at}
		sess.Request.Owner, sess.Request.Order.Number, sess.Request.SessionExpiry = theOrder.Owner, theOrder.Number, 60
		_, err := s.addSession(context.Background(), sess, nil)
		return err
	}}
	// A recurring charge, a payout, a payment with a token.
	aPayment = sentRequest{"payment", saves("a", "")}
	aRetry   = sentRequest{"retry", saves("b", "declined before the window")}
)

// saves returns what sends a payment of the order, or the retry of one.
func saves(payment, retries string) func(s *Creator, at time.Time) error {
	return func(s *Creator, at time.Time) error {
		o := theOrder
		o.At, o.PaymentID, o.Retries = at, payment, retries
		return s.core.SaveOnce(context.Background(), o, nil, func(lock store.Record) []store.Record {
			return []store.Record{lock}
		})
	}
}

// Of two requests for an order within the window, as the clocks of the functions that take them have it, one takes
// effect, whichever is stored first, and whatever is stored of the order before (protocol.md, Idempotency).
func TestOneOfTwoRequests(t *testing.T) {
	const ms, s, window = time.Millisecond, time.Second, checkout.DuplicateWindow
	former := map[string]func(s *Creator) error{
		"nothing":       func(*Creator) error { return nil },
		"a session":     func(s *Creator) error { return aSession.send(s, atNoon.Add(-time.Hour)) },
		"an old charge": func(s *Creator) error { return aPayment.send(s, atNoon.Add(-window-5*time.Second)) },
		"both": func(s *Creator) error {
			at := atNoon.Add(-time.Hour)
			return errors.Join(aSession.send(s, at), aPayment.send(s, at.Add(window)))
		},
	}
	for name, before := range former {
		for _, first := range []sentRequest{aSession, aPayment, aRetry} {
			for _, second := range []sentRequest{aSession, aPayment, aRetry} {
				for _, later := range []time.Duration{-5 * s, -ms, 0, ms, 5 * s, window - ms, window, window + 5*s} {
					creator := newCreator()
					if err := errors.Join(before(creator), first.send(creator, atNoon)); err != nil {
						t.Fatalf("%s, %s: %v", name, first.name, err)
					}
					err := second.send(creator, atNoon.Add(later))
					if isDuplicate(err) != (later < window) || err != nil && !isDuplicate(err) {
						t.Errorf("%s, %s, %s later %s: %v", name, first.name, later, second.name, err)
					}
				}
			}
		}
	}
}

// A retry follows its own payment at once, and a retry of that retry, too: each takes the lock over. Nothing else does,
// and of two that would take it over one does.
func TestRetryTakesTheLockOver(t *testing.T) {
	for name, before := range map[string]func(s *Creator) error{
		"nothing":   func(*Creator) error { return nil },
		"a session": func(s *Creator) error { return aSession.send(s, atNoon.Add(-time.Hour)) },
	} {
		creator := newCreator()
		if err := before(creator); err != nil {
			t.Fatal(err)
		}
		for i, step := range []struct {
			sentRequest
			duplicate bool
		}{
			{aPayment, false},
			{sentRequest{"a retry of it", saves("b", "a")}, false},
			{sentRequest{"another retry of it", saves("c", "a")}, true},
			{sentRequest{"a charge", saves("d", "")}, true},
			{aSession, true},
			{sentRequest{"a retry of the retry", saves("e", "b")}, false},
			{aPayment, true},
		} {
			err := step.send(creator, atNoon.Add(time.Duration(i)*time.Second))
			if isDuplicate(err) != step.duplicate || err != nil && !step.duplicate {
				t.Errorf("%s, %s: %v", name, step.name, err)
			}
		}
	}
}

// Two requests come at one moment, when the order's first session is about to expire. The clock of the first one's
// function is ahead: to it the session is gone. One takes effect.
func TestOneOfTwoAtTheEndOfASession(t *testing.T) {
	for _, ahead := range []time.Duration{time.Millisecond, 5 * time.Second, checkout.DuplicateWindow - time.Millisecond} {
		for _, swapped := range []bool{false, true} {
			creator := newCreator()
			if err := aSession.send(creator, atNoon); err != nil {
				t.Fatal(err)
			}
			r, err := store.GetOne(context.Background(), creator.core.Store, atNoon, store.FirstSessionKey(theHash))
			if err != nil {
				t.Fatal(err)
			}
			times := []time.Time{r.ExpiresAt, r.ExpiresAt.Add(-ahead)}
			if swapped {
				times[0], times[1] = times[1], times[0]
			}
			first, second := aPayment.send(creator, times[0]), aPayment.send(creator, times[1])
			if first == nil && second == nil || first != nil && second != nil {
				t.Errorf("ahead by %s: %v, %v", ahead, first, second)
			}
		}
	}
}

func newCreator() *Creator {
	random := byte(0)
	core := &checkout.Core{
		Store: memory.NewStore(), Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return atNoon },
		Random: func(n int) []byte {
			random++
			return append(make([]byte, n-1), random)
		},
	}
	return NewCreator(core, nil, nil, "https://pay.example")
}

func isDuplicate(err error) bool {
	var refused *fault.Error
	return errors.As(err, &refused) && refused.Code == fault.CodeDuplicate
}
