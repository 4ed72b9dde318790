package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/store"
)

// task is a job while a worker runs it: its payment, its session if that is still stored, and what is sent to which
// connector.
type task struct {
	payment   *Payment
	session   *Session
	reference string
	sealed    *card.Sealed // the sealed card, if it was read
	connector Connector
	charge    Charge   // of other jobs than a charge only its ProviderRequest
	wallet    walletAt // of a charge with a wallet's token: how its MID takes that
	continues bool     // call Continue with the second form
	probe     bool     // the result of the charge closes or opens the circuit breaker of its MID
	reported  bool     // the provider has reported the result by itself, in a notice
	finding   *Finding // the provider's response or look-up that the result is from, nil for a notice
}

// job returns the task's job, nil if it has ended.
func (t task) job() *Job { return t.payment.job(t.reference) }

// readTask reads the payment and session of a message in one request, or in a second one if the message names another
// session than the payment's. If there is a session, it also reads the documents of moreKeys, which may be nil, and
// returns them. The task is empty if there is no such payment.
func (s *Service) readTask(
	ctx context.Context, now time.Time, message JobMessage, moreKeys func(JobMessage) []store.Key,
) (task, []store.Record, error) {
	pk, err := store.PaymentKey(message.PaymentID)
	if err != nil {
		return task{}, nil, nil
	}
	sk, err := store.SessionKey(message.SessionID)
	keys, hasSession := []store.Key{pk}, err == nil
	if hasSession {
		keys = append(keys, sk)
	}
	if hasSession && moreKeys != nil {
		keys = append(keys, moreKeys(message)...)
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
	if p.SessionID != message.SessionID { // the payment says what it belongs to, and nobody else (decisions.md 5)
		message.SessionID = p.SessionID
		return s.readTask(ctx, now, message, moreKeys)
	}
	logPayment(ctx, p)
	t := task{payment: p}
	if !hasSession {
		return t, nil, nil
	}
	if records[1].Version > 0 {
		t.session = &Session{}
		if err := records[1].Decode(t.session); err != nil {
			return task{}, nil, err
		}
		if t.session.Request.Owner != p.Owner {
			return task{}, nil, fmt.Errorf("payment %s and its session have different owners", p.ID)
		}
	}
	return t, records[2:], nil
}

// paymentAndSession reads a payment and its session. Each is nil if it is not stored: sessions are deleted after
// sessionTTL. sessionID is "", or the session that the payment is known to have: both are read at once then.
func (s *Service) paymentAndSession(
	ctx context.Context, now time.Time, paymentID, sessionID string,
) (*Payment, *Session, error) {
	t, _, err := s.readTask(ctx, now, JobMessage{PaymentID: paymentID, SessionID: sessionID}, nil)
	return t.payment, t.session, err
}

// taskWithCard reads the task of a message with its sealed card, if there may be one: it is deleted before the charge
// goes to another MID, which has another reference.
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

// errChanged means that another worker changed the payment before the request was sent.
var errChanged = errors.New("the payment has changed")
