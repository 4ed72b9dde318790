package payer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Payer is what the payer's browser sends with each request.
type Payer struct {
	IP           string
	UserAgent    string // the header
	AcceptHeader string // the header Accept
}

// Pay starts one attempt to pay a session and returns the next screen. It changes nothing and returns the
// present screen if this attempt was sent before, another one is in progress, the session has ended, or the
// merchant's settings no longer allow the payment. Of two concurrent requests only one starts an attempt,
// because both write the session on condition of its version.
// Errors: CodeInvalid with the page's field ids as paths, CodeNotFound, CodeTooMany.
func (s *Page) Pay(ctx context.Context, sessionID string, pay form.Request, payer Payer) (screen.Screen, error) {
	now := s.core.Now()
	sess, err := s.core.Session(ctx, now, sessionID)
	if err != nil {
		return screen.Screen{}, err
	}
	if sess.StateAt(now) != checkout.SessionOpen || slices.Contains(sess.Attempts, pay.Attempt) {
		return s.screen(ctx, now, sess)
	}
	m, route, err := s.routeOf(ctx, now, sess)
	if err != nil {
		return screen.Screen{}, err
	}
	if route.Mapping == nil || m.Disabled {
		return s.screen(ctx, now, sess) // the settings have changed: a technical problem
	}
	if err := s.limits.Take(m, now); err != nil {
		return screen.Screen{}, err
	}
	asked := sess
	if with, r := saving(m, route, sess, pay.Method); pay.Save && pay.Saved == "" && with != nil {
		asked, route = with, r
	}
	p, sealed, err := s.core.NewAttempt(now, asked, route, pay)
	if err != nil {
		return screen.Screen{}, err
	}
	p.PayerIP = payer.IP
	p.Browser = request.Browser{
		UserAgent: payer.UserAgent, AcceptHeader: payer.AcceptHeader, Measures: pay.Browser.Measures,
	}.Bounded()
	p.Jobs.SetCause(ctx)
	payment.Log(ctx, p)

	if err := limitAttempts(sess, route.Mapping, now); err != nil {
		return screen.Screen{}, err
	}
	sess.Begin(p, pay.Attempt)
	records := []store.Record{sess.Record(), p.Record()}
	if sealed != nil {
		records = append(records, payment.SealedRecord(p, sealed))
	}
	err = s.core.Store.Save(ctx, now, records...)
	if store.IsConflict(err) {
		return s.NextScreen(ctx, sessionID)
	}
	if err != nil {
		return screen.Screen{}, fmt.Errorf("store payment: %w", err)
	}
	s.jobs.Send(ctx, p.Message(p.ID), 0)
	return s.screen(ctx, now, sess)
}

// routeOf returns the merchant of a session, nil if it was removed, and the route of its payments. The route has no
// mapping if the merchant's settings have changed and no MID takes the request any more.
func (s *Page) routeOf(
	ctx context.Context, now time.Time, sess *checkout.Session,
) (*settings.Merchant, routing.Route, error) {
	m, err := s.core.Merchant(ctx, sess.Request.Merchant, now)
	if err != nil || m == nil {
		return nil, routing.Route{}, err
	}
	r, err := routing.FindRoute(m, &sess.Request)
	if err != nil {
		return m, routing.Route{}, nil
	}
	return m, r, nil
}

// limitAttempts adds an attempt to pay, unless there were too many in the last minute: nobody shall test stolen
// cards on the page. Errors: CodeTooMany.
func limitAttempts(sess *checkout.Session, mapping *settings.Mapping, now time.Time) error {
	limit := mapping.PayLimit
	if limit == 0 {
		limit = settings.DefaultPayLimit
	}
	recent := slices.DeleteFunc(slices.Clone(sess.AttemptedAt), func(at time.Time) bool {
		return now.Sub(at) >= time.Minute
	})
	if len(recent) >= limit {
		wait := time.Minute - now.Sub(recent[0])
		err := fault.Refuse(fault.CodeTooMany, "Too many requests.")
		err.RetryAfter = int((wait + time.Second - 1) / time.Second)
		return err
	}
	sess.AttemptedAt = append(recent, now)
	return nil
}
