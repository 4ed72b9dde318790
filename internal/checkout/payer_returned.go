package checkout

import (
	"context"
	"fmt"
	"net/url"

	"checkout/internal/request"
	"checkout/internal/store"
)

// PayerReturned notes that the payer came back from 3-D Secure or a redirect,
// so that the page waits for the outcome and does not send the payer there
// again, and has the provider asked about it. A session that is not there
// leads to the page too, which says so to the payer. Errors: ErrConflicts.
func (s *Service) PayerReturned(ctx context.Context, sessionID string) (pageURL string, err error) {
	for range store.ConflictTries {
		now := s.Now()
		sess, err := s.session(ctx, now, sessionID)
		if request.ErrorCode(err) == request.CodeNotFound {
			return s.pageURL(url.QueryEscape(sessionID)), nil
		}
		if err != nil {
			return "", err
		}
		request.NoteOf(ctx).Merchant = sess.Request.Owner.Merchant
		if sess.Action == nil || sess.PayerReturned || sess.stateAt(now) != SessionProcessing {
			return s.pageURL(sessionID), nil
		}
		sess.PayerReturned = true
		err = s.Store.Save(ctx, now, sess.record())
		if err == nil {
			s.sendJob(ctx, JobMessage{PaymentID: sess.PaymentID, SessionID: sess.ID}, 0) // whatever its charge is called by now
			return s.pageURL(sessionID), nil
		}
		if !store.IsConflict(err) {
			return "", fmt.Errorf("store payer's return: %w", err)
		}
	}
	return "", s.conflicts(ctx, "payer returned", "")
}
