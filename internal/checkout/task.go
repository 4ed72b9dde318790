package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/store"
)

// Task is a job of a payment, or what is asked of a payment, with the payment's session if that is still stored.
type Task struct {
	Payment   *payment.Payment
	Session   *Session
	Reference string
	Reported  bool             // the provider has reported the result by itself, in a notice
	Finding   *payment.Finding // the provider's response or look-up that the result is from, nil for a notice
}

// Job returns the task's job, nil if it has ended.
func (t Task) Job() *payment.Job { return t.Payment.Jobs.Find(t.Reference) }

// ReadTask reads the payment and session of a message in one request, or in a second one if the message names another
// session than the payment's. If there is a session, it also reads the documents of moreKeys, which may be nil, and
// returns them. The task is empty if there is no such payment.
func (s *Core) ReadTask(
	ctx context.Context, now time.Time, message payment.JobMessage, moreKeys func(payment.JobMessage) []store.Key,
) (Task, []store.Record, error) {
	pk, err := store.PaymentKey(message.PaymentID)
	if err != nil {
		return Task{}, nil, nil
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
		return Task{}, nil, fmt.Errorf("read payment: %w", err)
	}
	if records[0].Version == 0 {
		return Task{}, nil, nil
	}
	p := &payment.Payment{}
	if err := records[0].Decode(p); err != nil {
		return Task{}, nil, err
	}
	// the payment says what it belongs to, and nobody else (protocol.md, Statuses and moves)
	if p.SessionID != message.SessionID {
		message.SessionID = p.SessionID
		return s.ReadTask(ctx, now, message, moreKeys)
	}
	payment.Log(ctx, p)
	t := Task{Payment: p}
	if !hasSession {
		return t, nil, nil
	}
	sess, err := ReadSession(records[1], now)
	if err != nil {
		return Task{}, nil, err
	}
	if sess != nil && sess.ID == p.SessionID {
		if t.Session = sess; sess.Request.Owner != p.Owner {
			return Task{}, nil, fmt.Errorf("payment %s and its session have different owners", p.ID)
		}
	}
	return t, records[2:], nil
}

// PaymentAndSession reads a payment and its session. Each is nil if it is not stored: sessions are deleted after
// sessionTTL. sessionID is "", or the session that the payment is known to have: both are read at once then.
func (s *Core) PaymentAndSession(
	ctx context.Context, now time.Time, paymentID, sessionID string,
) (*payment.Payment, *Session, error) {
	t, _, err := s.ReadTask(ctx, now, payment.JobMessage{PaymentID: paymentID, SessionID: sessionID}, nil)
	return t.Payment, t.Session, err
}
