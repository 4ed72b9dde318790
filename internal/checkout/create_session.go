package checkout

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/store"
)

// CreateSession checks a POST /api/v1/session and stores it (core.md, Session request). This takes one write, and no
// read while the merchant is in memory, except for saved cards, an Idempotency-Key and one_payment_per_order. A credit
// with a saved card has no page, and a request with a wallet's token needs none: the payment is made at once and
// returned.
// Errors: CodeInvalid with every fault, CodeHash, CodeDenied, CodeTooMany, CodeDuplicate.
func (s *Service) CreateSession(ctx context.Context, call Call) (Response, error) {
	now := s.Now()
	r, err := s.readSession(ctx, now, call.Body)
	if err != nil {
		return nil, err
	}
	caller := merchant.Caller{Merchant: r.Merchant, Owner: r.Owner}
	response, err := s.idempotent(ctx, caller, call, func(idem *idempotencyRecord) (Response, error) {
		sess, err := s.newSession(ctx, now, r)
		if err != nil {
			return nil, err
		}
		if note := request.NoteOf(ctx); len(r.LeftOut) > 0 {
			note.Attrs = append(note.Attrs, slog.Any("left_out", r.LeftOut))
		}
		if r.Operation == method.Credit && len(sess.Saved) > 0 {
			return s.payOut(ctx, r, sess, idem)
		}
		if r.WalletToken != "" {
			return s.payWithToken(ctx, r, sess, idem)
		}
		return s.addSession(ctx, sess, idem)
	})
	return response, request.WithFirst(err, r.FirstErrors)
}

// readSession checks a session request and admits its merchant.
func (s *Service) readSession(ctx context.Context, now time.Time, body []byte) (*merchant.SessionRequest, error) {
	in, err := request.Read(body)
	if err != nil {
		return nil, err
	}
	m, owner, err := s.account(ctx, in.Required("merchant_key"), now)
	if err != nil {
		return nil, err
	}
	r, err := merchant.ReadSession(in, m, owner, now)
	if err != nil {
		return nil, err
	}
	return r, request.WithFirst(s.admit(m), r.FirstErrors)
}

// newSession makes the session of a request, if the merchant's settings have a MID for it. Errors: CodeInvalid,
// CodeDenied.
func (s *Service) newSession(ctx context.Context, now time.Time, r *merchant.SessionRequest) (*Session, error) {
	route, err := r.Route()
	if err != nil {
		return nil, err
	}
	saved, err := s.savedCards(ctx, now, r.Session)
	if err != nil {
		return nil, err
	}
	if err := s.checkUnpaid(ctx, r.Merchant, route.Mapping, r.Session); err != nil {
		return nil, err
	}
	return &Session{
		State:   sessionOpen,
		Request: *r.Session,
		Mapping: route.Mapping.Name,
		Saved:   saved,

		CreatedAt:   now,
		MaxDeclines: route.Mapping.DeclineLimit(),
	}, nil
}

// checkUnpaid refuses a session for an order that is paid, if the mapping has one_payment_per_order.
// Errors: CodeInvalid.
func (s *Service) checkUnpaid(
	ctx context.Context, m *merchant.Merchant, mapping *merchant.Mapping, req *request.Session,
) error {
	if !mapping.OnePaymentPerOrder {
		return nil
	}
	caller, hash := merchant.Caller{Merchant: m, Owner: req.Owner}, store.OrderHash(req.Owner.Text(), req.Order.Number)
	p, found, err := s.bestPayment(ctx, caller, hash, request.Status{OrderID: req.Order.Number})
	if err == nil && found && p.rank == rankPaid {
		text := method.NotValid("This order is paid already.")
		err = request.Invalid([]request.Fault{{Code: request.FaultInvalid, Path: "order.number", Text: text}})
	}
	return err
}

// addSession stores a new session, its long parameters and the lock against duplicates in one write.
func (s *Service) addSession(ctx context.Context, sess *Session, idem *idempotencyRecord) (Response, error) {
	req, now := &sess.Request, sess.CreatedAt
	s.nameSession(ctx, sess)
	lock := duplicateLock(req.Owner, req.Order, now)
	created := Created{RedirectURL: s.pageURL(sess)}
	records := append([]store.Record{lock}, sess.takeApart()...)
	err := s.Store.Save(ctx, now, idem.with(nil, created, append(records, sess.record())...)...)
	if idem.duplicates(err, lock) {
		return nil, s.errDuplicate(ctx, req.Owner)
	}
	if err != nil {
		return nil, fmt.Errorf("store session: %w", err)
	}
	note := request.NoteOf(ctx)
	line := metric.Line{Test: req.Test, Metrics: []metric.Metric{metric.Count("sessions")}}
	note.Attrs = append(note.Attrs, s.meter().Embedded(line)...)
	return created, nil
}

// nameSession gives a new session its ids and its end.
func (s *Service) nameSession(ctx context.Context, sess *Session) {
	req, now := &sess.Request, sess.CreatedAt
	hash := store.OrderHash(req.Owner.Text(), req.Order.Number)
	random := s.Random(24)
	sess.ID = store.NewSessionID(hash, now, random)
	sess.FirstPaymentID = store.NewPaymentID(hash, now, random[20:])
	sess.ExpiresAt = now.Add(time.Duration(req.SessionExpiry) * time.Minute)
	logSession(ctx, sess)
}

// pageURL is the address of the session's checkout page. A language that the session names stands there, too: the page
// then fetches its texts beside the first screen, and not after it.
func (s *Service) pageURL(sess *Session) string {
	address := s.BaseURL + "/?session=" + sess.ID
	if language := sess.Request.Language; language != "" {
		address += "&language=" + language
	}
	return address
}
