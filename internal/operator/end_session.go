package operator

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/query"
	"checkout/internal/operator/words"
	"checkout/internal/store"
)

// EndSession ends the checkout session of a payment, or the session that has no such payment yet, as if its time had
// run out. An attempt to pay that begins at the same moment is stored on the same version of the session, so that one
// of both is refused. The reason becomes a note. Errors: CodeNotFound; CodeNotAllowed if the session is not open.
func (s *Actor) EndSession(ctx context.Context, paymentID string) (Done, error) {
	return once(ctx, s.core, s.act, call[Done]{
		name: "end-session", args: []string{paymentID},
		do: func(idem *checkout.IdempotencyRecord) (done Done, err error) {
			update := store.Update{Doing: "end session", Store: s.core.Store, Now: s.core.Now, Final: idem.IsConflict}
			err = update.Do(ctx, func(now time.Time) (records []store.Record, err error) {
				done, records, err = s.ended(ctx, now, paymentID)
				if err != nil {
					return nil, err
				}
				return idem.With(nil, done, records...), nil
			})
			return done, err
		},
	})
}

// ended returns what is stored to end a session, and what is said of that.
func (s *Actor) ended(ctx context.Context, now time.Time, paymentID string) (Done, []store.Record, error) {
	p, sess, err := s.reader.PaymentAndSession(ctx, paymentID)
	switch {
	case err != nil:
		return Done{}, nil, err
	case sess == nil && p == nil:
		return Done{}, nil, payment.ErrNotFound()
	}
	if why := query.WhyNotEnded(sess, now); why != "" {
		return Done{}, nil, fault.Refuse(fault.CodeNotAllowed, why)
	}
	records, err := s.core.ReleasedCallback(ctx, now, sess)
	if err != nil {
		return Done{}, nil, err
	}
	note := &words.Note{PaymentID: paymentID, At: now, Text: "Ended the checkout session: " + s.act.Reason}
	n, err := s.complete(ctx, p, note)
	if err != nil {
		return Done{}, nil, err
	}
	sess.Expire(now)
	act := s.act
	act.Reason = note.Text[len("Ended the checkout session: "):]
	records = append(records, sess.Record(), note.Record(n))
	records = append(records, act.Records(now, "payment/"+paymentID,
		"session "+store.PublicID(sess.ID)+" is ended")...)
	done := Done{PaymentID: paymentID, Decided: true, Status: "expired",
		Text: "The checkout session is over: the payer can't pay in it any more, and is led back to the shop."}
	if p != nil {
		done.Status = p.Status
	}
	return done, records, nil
}
