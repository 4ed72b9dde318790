package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/store"
)

// task is a job while a worker does it: its payment, the session if there is
// one that is still stored, and what is sent to which connector.
type task struct {
	payment   *Payment
	session   *Session
	reference string
	sealed    *card.Sealed // what the payer sealed, where it was read
	connector Connector
	charge    Charge // of other jobs its ProviderRequest alone
	continues bool   // the charge waits for what the payer filled in
}

// job returns the task's job, nil once it has ended.
func (t task) job() *Job { return t.payment.job(t.reference) }

// readTask reads payment and session of a message as above, and with them what
// more names, if it is given and there is a session.
func (s *Service) readTask(ctx context.Context, now time.Time, message JobMessage, more func(JobMessage) []store.Key) (task, []store.Record, error) {
	pk, err := store.PaymentKey(message.PaymentID)
	if err != nil {
		return task{}, nil, nil
	}
	sk, err := store.SessionKey(message.SessionID)
	keys, named := []store.Key{pk}, err == nil
	if named {
		keys = append(keys, sk)
	}
	if named && more != nil {
		keys = append(keys, more(message)...)
	}
	records, err := s.Store.Get(ctx, now, keys...)
	if err != nil {
		return task{}, nil, fmt.Errorf("read payment: %w", err)
	}
	if records[0].Version == 0 {
		return task{}, nil, nil
	}
	p := &Payment{}
	if err := records[0].Decode(p); err != nil {
		return task{}, nil, err
	}
	if p.SessionID != message.SessionID && p.SessionID != "" {
		message.SessionID = p.SessionID
		return s.readTask(ctx, now, message, more)
	}
	logPayment(ctx, p)
	t := task{payment: p}
	if !named {
		return t, nil, nil
	}
	if records[1].Version > 0 {
		t.session = &Session{}
		err = records[1].Decode(t.session)
	}
	return t, records[2:], err
}

// paymentAndSession reads both, in one request where the session is named.
// Either is nil if it is not there: sessions are kept for days only.
func (s *Service) paymentAndSession(ctx context.Context, now time.Time, paymentID, sessionID string) (*Payment, *Session, error) {
	t, _, err := s.readTask(ctx, now, JobMessage{PaymentID: paymentID, SessionID: sessionID}, nil)
	return t.payment, t.session, err
}

// taskWithCard reads what a message is about, and what the payer sealed where
// that may be needed: at any MID but the first it is not stored any more.
func (s *Service) taskWithCard(ctx context.Context, now time.Time, message JobMessage) (task, error) {
	t, more, err := s.readTask(ctx, now, message, func(m JobMessage) []store.Key {
		if m.Reference != "" && m.Reference != m.PaymentID {
			return nil
		}
		return []store.Key{store.SealedCardKey(m.PaymentID)}
	})
	if err != nil || len(more) == 0 || more[0].Version == 0 {
		return t, err
	}
	t.sealed = &card.Sealed{}
	return t, more[0].Decode(t.sealed)
}

// errChanged says that a payment was changed by somebody else before its provider was asked.
var errChanged = errors.New("the payment has changed")
