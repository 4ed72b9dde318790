package checkout

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// DuplicateWindow is how long an order number can't be sent again (core.md, Idempotency).
const DuplicateWindow = 15 * time.Second

// Created is the answer to a new session.
type Created struct {
	RedirectURL string `json:"redirect_url"`
	SessionID   string `json:"-"`
}

// CreateSession checks a POST /api/v1/session and stores it (core.md, Session
// request). It is one write, and no read while the merchant is remembered.
// Errors: CodeInvalid with every fault, CodeHash, CodeDenied, CodeTooMany, CodeDuplicate.
func (s *Service) CreateSession(ctx context.Context, body []byte) (Created, error) {
	now := s.Now()
	in, err := readFields(body)
	if err != nil {
		return Created{}, err
	}
	merchant, err := s.merchant(ctx, in.text("merchant_key"), now)
	if err != nil {
		return Created{}, err
	}
	req, err := checkSession(in, merchant, now)
	if err != nil {
		return Created{}, err
	}
	if err := s.admit(merchant); err != nil {
		return Created{}, err
	}
	if req.Operation != "purchase" {
		return Created{}, &Error{Code: CodeInvalid, Faults: []Fault{{Code: FaultOperation, Path: "operation", Text: "This operation is not supported."}}}
	}
	route, err := findRoute(merchant, &req)
	if err != nil {
		return Created{}, err
	}
	if req.Order.Amount == "" { // no method here lets the payer enter the amount elsewhere
		return Created{}, errNoMapping()
	}
	return s.addSession(ctx, now, &Session{
		Test:    req.MerchantKey == merchant.TestKey,
		State:   SessionOpen,
		Request: req,
		Mapping: route.mapping.Name,

		MaxDeclines: route.mapping.maxDeclines(),
	})
}

// addSession stores a new session together with the lock against duplicates, both or neither.
func (s *Service) addSession(ctx context.Context, now time.Time, sess *Session) (Created, error) {
	req := &sess.Request
	hash := orderHash(req.MerchantKey, req.Order.Number)
	random := s.Random(24)
	sess.ID = newSessionID(hash, now, random)
	sess.FirstPaymentID = newPaymentID(hash, now, random[20:])
	sess.CreatedAt = now
	sess.ExpiresAt = now.Add(time.Duration(req.SessionExpiry) * time.Minute)

	taken := Record{Key: duplicateKey(hash), Doc: []byte("{}"), ExpiresAt: now.Add(DuplicateWindow)}
	err := s.Store.Save(ctx, now, taken, sess.record())
	if conflictOn(err, taken.Key) {
		s.measure(ctx, measured{message: "duplicate", metrics: []metric{counted("duplicates")}}, slog.String("merchant", req.MerchantKey))
		return Created{}, &Error{Code: CodeDuplicate, Faults: []Fault{{Code: 400, Text: "Duplicate request."}}}
	}
	if err != nil {
		return Created{}, fmt.Errorf("store session: %w", err)
	}
	s.measure(ctx, measured{message: "session", metrics: []metric{counted("sessions")}},
		slog.String("session", publicID(sess.ID)), slog.String("payment", sess.FirstPaymentID), slog.String("merchant", req.MerchantKey))
	return Created{RedirectURL: s.pageURL(sess.ID), SessionID: sess.ID}, nil
}

// pageURL is where the payer sees the session.
func (s *Service) pageURL(sessionID string) string {
	return s.BaseURL + "/?session=" + sessionID
}
