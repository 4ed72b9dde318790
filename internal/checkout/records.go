package checkout

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// load reads one document into doc and answers its version, 0 if it is not there.
func (s *Service) load(ctx context.Context, now time.Time, key Key, doc any) (int64, error) {
	record, err := getOne(ctx, s.Store, now, key)
	if err != nil {
		return 0, err
	}
	return record.Version, record.Decode(doc)
}

// record is the session as a store keeps it.
func (s *Session) record() Record {
	key, err := sessionKey(s.ID)
	if err != nil {
		panic("session without an id of ours: " + publicID(s.ID))
	}
	r := encode(key, s.version, s.shortened())
	r.ExpiresAt = s.ExpiresAt.Add(sessionKept)
	return r
}

// record is the payment as a store keeps it, due when the first of its jobs is.
func (p *Payment) record() Record {
	key, err := paymentKey(p.ID)
	if err != nil {
		panic("payment without an id of ours: " + p.ID)
	}
	due, kind := time.Time{}, DueKind("")
	for _, job := range p.Jobs {
		if due.IsZero() || job.DueAt.Before(due) {
			due, kind = job.DueAt, DuePayment
		}
	}
	r := encode(key, p.version, p.shortened(due))
	r.DueAt, r.DueKind = due, kind
	return r
}

// session reads a session by its id.
func (s *Service) session(ctx context.Context, now time.Time, id string) (*Session, error) {
	key, err := sessionKey(id)
	if err != nil {
		return nil, errSession()
	}
	var sess Session
	if sess.version, err = s.load(ctx, now, key, &sess); err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	if sess.version == 0 {
		return nil, errSession()
	}
	noteSession(ctx, &sess)
	return &sess, nil
}

func errSession() *Error { return refuse(CodeNotFound, FaultInvalid, "Session does not exist") }

// payment reads a payment by its id, nil if it is not there.
func (s *Service) payment(ctx context.Context, now time.Time, id string) (*Payment, error) {
	key, err := paymentKey(id)
	if err != nil {
		return nil, nil
	}
	p := &Payment{}
	if p.version, err = s.load(ctx, now, key, p); err != nil {
		return nil, fmt.Errorf("read payment: %w", err)
	}
	if p.version == 0 {
		return nil, nil
	}
	notePayment(ctx, p)
	return p, nil
}

// paymentAndSession reads both, in one request where the session is named.
// Either is nil if it is not there: sessions are kept for days only.
func (s *Service) paymentAndSession(ctx context.Context, now time.Time, paymentID, sessionID string) (*Payment, *Session, error) {
	t, _, err := s.taskOf(ctx, now, JobMessage{PaymentID: paymentID, SessionID: sessionID}, nil)
	return t.payment, t.session, err
}

// taskOf reads payment and session of a message as above, and with them what
// more names, if it is given and there is a session.
func (s *Service) taskOf(ctx context.Context, now time.Time, message JobMessage, more func(JobMessage) []Key) (task, []Record, error) {
	pk, err := paymentKey(message.PaymentID)
	if err != nil {
		return task{}, nil, nil
	}
	sk, err := sessionKey(message.SessionID)
	keys, named := []Key{pk}, err == nil
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
	p := &Payment{version: records[0].Version}
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
		t.session = &Session{version: records[1].Version}
		err = records[1].Decode(t.session)
	}
	return t, records[2:], err
}

// noteSession writes down a session and its latest payment.
func noteSession(ctx context.Context, sess *Session) {
	note := noteOf(ctx)
	note.Session, note.Payment = publicID(sess.ID), cmp.Or(sess.PaymentID, sess.FirstPaymentID)
}

// notePayment writes down a payment and its session.
func notePayment(ctx context.Context, p *Payment) {
	note := noteOf(ctx)
	note.Session, note.Payment = publicID(p.SessionID), p.ID
}
