package checkout

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/store"
)

// load reads one document into doc, and returns whether it is there.
func (s *Service) load(ctx context.Context, now time.Time, key store.Key, doc any) (found bool, err error) {
	record, err := store.GetOne(ctx, s.Store, now, key)
	if err != nil {
		return false, err
	}
	return record.Version > 0, record.Decode(doc)
}

// inCurrency gives amounts of a document their currency. Where the service does not know that any more, they stay digits.
func inCurrency(currency money.Currency, amounts ...*money.Amount) error {
	if currency.Code == "" {
		return nil
	}
	for _, a := range amounts {
		amount, err := a.In(currency)
		if err != nil {
			return fmt.Errorf("a stored amount is none of %s: %w", currency.Code, err)
		}
		*a = amount
	}
	return nil
}

// paymentAndSession reads both, in one request where the session is named.
// Either is nil if it is not there: sessions are kept for days only.
func (s *Service) paymentAndSession(ctx context.Context, now time.Time, paymentID, sessionID string) (*Payment, *Session, error) {
	t, _, err := s.taskOf(ctx, now, JobMessage{PaymentID: paymentID, SessionID: sessionID}, nil)
	return t.payment, t.session, err
}

// taskOf reads payment and session of a message as above, and with them what
// more names, if it is given and there is a session.
func (s *Service) taskOf(ctx context.Context, now time.Time, message JobMessage, more func(JobMessage) []store.Key) (task, []store.Record, error) {
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
		return s.taskOf(ctx, now, message, more)
	}
	notePayment(ctx, p)
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

// noteSession writes down a session and its latest payment.
func noteSession(ctx context.Context, sess *Session) {
	note := request.NoteOf(ctx)
	note.Session, note.Payment = store.PublicID(sess.ID), cmp.Or(sess.PaymentID, sess.FirstPaymentID)
}

// notePayment writes down a payment and its session.
func notePayment(ctx context.Context, p *Payment) {
	note := request.NoteOf(ctx)
	note.Session, note.Payment = store.PublicID(p.SessionID), p.ID
}
