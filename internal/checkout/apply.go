package checkout

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// apply stores a provider's answer: payment, session and callback in one
// write, through the table of moves. Whatever door an answer comes in by, the
// first yes or no counts and later ones change nothing.
func (s *Service) apply(ctx context.Context, p *Payment, sess *Session, result Result) error {
	for {
		if p.Over() || p.Job == nil {
			if result.Outcome == OutcomeApproved && p.Status == StatusDecline {
				s.Log.ErrorContext(ctx, "approved by the provider after it was declined", "payment", p.ID, "connector", p.Connector)
			}
			return nil
		}
		now := s.Now()
		event, ok, err := decide(p, sess, result, now)
		if err != nil || !ok {
			return err
		}
		records, callback, err := s.recordsOf(ctx, p, sess, event)
		if err != nil {
			return err
		}
		err = s.Store.Save(ctx, now, records...)
		if err == nil {
			age := metric{"payment_age", "Milliseconds", now.Sub(p.CreatedAt).Milliseconds()}
			s.measure(ctx, measured{"payment", "outcome", []metric{counted("payments"), age}},
				slog.String("outcome", string(p.Status)), slog.String("payment", p.ID), slog.String("session", publicID(p.SessionID)),
				slog.String("merchant", p.MerchantKey), slog.String("connector", p.Connector), slog.String("reason", p.Reason))
			s.sendCallback(ctx, callback, 0)
			return nil
		}
		if !isConflict(err) {
			return fmt.Errorf("store outcome of payment %s: %w", p.ID, err)
		}
		id, sessionID := p.ID, p.SessionID
		if p, sess, err = s.paymentAndSession(ctx, now, id, sessionID); err != nil {
			return err
		}
		if p == nil {
			return fmt.Errorf("payment %s is gone", id)
		}
	}
}

// recordsOf answers the documents of one move: the payment, its session if it
// is still there, and the callback if the merchant wants any.
func (s *Service) recordsOf(ctx context.Context, p *Payment, sess *Session, event Event) ([]Record, *Callback, error) {
	now := p.ChangedAt
	m, err := s.merchant(ctx, p.MerchantKey, now)
	if err != nil {
		return nil, nil, err
	}
	records := make([]Record, 0, 3)
	callback := s.newCallback(now, m, p, event)
	if callback != nil {
		records = append(records, callback.record(now.Add(callbackGrace)))
	}
	if sess != nil {
		records = append(records, sess.record())
	}
	due := now.Add(jobGrace)
	if p.Next != nil && sess != nil {
		due = sess.ExpiresAt.Add(jobGrace) // the payer is busy elsewhere; ask when the time is over
	}
	return append(records, p.record(due)), callback, nil
}

// decide moves payment and session by a provider's answer. ok is false where
// the answer is no news.
func decide(p *Payment, sess *Session, result Result, now time.Time) (event Event, ok bool, err error) {
	p.ProviderID = firstOf(result.ProviderID, p.ProviderID)
	p.RRN = firstOf(result.RRN, p.RRN)
	p.ApprovalCode = firstOf(result.ApprovalCode, p.ApprovalCode)
	switch result.Outcome {
	case OutcomeApproved:
		event, err = approve(p, sess, result, now)
	case OutcomeDeclined:
		event, err = decline(p, sess, result.Reason, now)
	case OutcomeNext:
		if p.Status != StatusPrepare {
			return Event{}, false, nil
		}
		event, err = sendAway(p, sess, result.Next, now)
	default:
		return Event{}, false, nil
	}
	return event, err == nil, err
}

func approve(p *Payment, sess *Session, result Result, now time.Time) (Event, error) {
	p.Auth = p.Auth || result.Authorised
	status := StatusSettled
	if p.Auth {
		status = StatusPending
	}
	if err := p.move(status, now); err != nil {
		return Event{}, err
	}
	p.Job, p.Next, p.Reason = nil, nil, ""
	p.Transactions = append(p.Transactions, Transaction{Type: "sale", Status: "success", Date: now, Amount: p.Amount})
	if sess != nil {
		sess.State, sess.Next, sess.Reason = SessionComplete, nil, ""
	}
	return Event{Type: "sale", Status: "success"}, nil
}

// decline ends an attempt. The session is open for another one until the
// mapping's 'Maximum number of declines' is reached (decisions.md 5).
func decline(p *Payment, sess *Session, reason string, now time.Time) (Event, error) {
	if err := p.move(StatusDecline, now); err != nil {
		return Event{}, err
	}
	p.Job, p.Next, p.Reason = nil, nil, firstOf(reason, "Declined by processing.")
	p.Transactions = append(p.Transactions, Transaction{Type: "sale", Status: "fail", Date: now, Amount: p.Amount})
	if sess != nil {
		sess.Declines++
		sess.Next, sess.Reason = nil, p.Reason
		sess.State = SessionOpen
		if sess.Declines >= sess.MaxDeclines {
			sess.State = SessionDeclined
		}
	}
	return Event{Type: "sale", Status: "fail"}, nil
}

// sendAway notes that the payer has to go somewhere first. The card is not
// needed any more; the job stays, to learn the outcome if no notice comes.
func sendAway(p *Payment, sess *Session, next *NextStep, now time.Time) (Event, error) {
	if err := p.move(next.Kind, now); err != nil {
		return Event{}, err
	}
	p.Next = next
	p.Job.Sealed, p.Job.Answered, p.Job.Tries = nil, true, 0
	if sess != nil {
		sess.Next = next
	}
	return Event{Type: string(next.Kind), Status: "success"}, nil
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
