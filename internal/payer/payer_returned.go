package payer

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/store"
)

// PayerReturned stores that the payer came back from 3-D Secure or a redirect and starts a look-up. The page then
// waits for the outcome and does not redirect the payer again. returnID is made by store.ReturnID. PayerReturned
// returns the page's URL also for an unknown session: the page shows that it does not exist. Errors: ErrConflicts.
func (s *Page) PayerReturned(ctx context.Context, returnID string) (pageURL string, err error) {
	read := func(now time.Time) (*checkout.Session, error) { return s.returnedSession(ctx, now, returnID) }
	sess, returned, err := s.changeSession(ctx, "payer returned", read,
		func(now time.Time, sess *checkout.Session) (bool, []store.Record, error) {
			fault.NoteOf(ctx).Merchant = sess.Request.Owner.Merchant
			if sess.Action == nil || sess.PayerReturned || sess.StateAt(now) != checkout.SessionProcessing {
				return false, nil, nil
			}
			sess.Return(now)
			return true, nil, nil
		})
	if fault.CodeOf(err) == fault.CodeNotFound {
		return (&checkout.Session{ID: url.QueryEscape(returnID)}).PageURL(s.baseURL), nil
	}
	if err != nil {
		return "", err
	}
	if returned {
		// Without a reference, because a cascade may have changed that of the charge.
		message := payment.JobMessage{PaymentID: sess.PaymentID, SessionID: sess.ID}
		message.Test, message.Merchant = sess.Request.Test, sess.Request.Merchant
		s.jobs.Send(ctx, message, 0)
	}
	return sess.PageURL(s.baseURL), nil
}

// returnedSession reads the session that the address names by which a payer came back. Errors: CodeNotFound.
func (s *Page) returnedSession(ctx context.Context, now time.Time, returnID string) (*checkout.Session, error) {
	query, err := store.SessionsOfReturn(returnID)
	if err != nil {
		return nil, checkout.ErrSessionNotFound()
	}
	records, err := s.core.Store.List(ctx, now, query)
	if err != nil {
		return nil, fmt.Errorf("read session of a return: %w", err)
	}
	for _, r := range records {
		sess, err := checkout.ReadSession(r, now)
		if err != nil {
			return nil, err
		}
		if sess != nil && store.ReturnID(sess.ID) == returnID {
			checkout.LogSession(ctx, sess)
			return sess, nil
		}
	}
	return nil, checkout.ErrSessionNotFound()
}
