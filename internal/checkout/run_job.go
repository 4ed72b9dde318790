package checkout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// AskLease is how long after AskedAt somebody may still be asking. It is
// longer than the connector function can live (30 s in template.yaml), so
// after it nobody is.
const AskLease = 40 * time.Second

// newJobGrace is how long after it was stored a new job is due, if nobody
// does it before. A job that is asked within the five seconds is due
// after its AskLease.
const newJobGrace = AskLease + 5*time.Second

// sendTries is how often a job is tried whose provider can't be reached.
const sendTries = 5

// task is a job while a worker does it: its payment, the session if there is
// one that is still stored, and what is sent to which connector.
type task struct {
	payment   *Payment
	session   *Session
	reference string
	sealed    *card.Sealed // what the payer sealed, where it was read
	connector Connector
	charge    Charge // of other jobs its ProviderRequest alone
	continues bool   // the charge waits for what the payer filled in
}

// job returns the task's job, nil once it has ended.
func (t task) job() *Job { return t.payment.job(t.reference) }

// RunJob does what a payment needs of its provider: it sends the request once,
// and where the response was no yes or no it only looks up, so that money is
// never moved twice. A message that comes again, or while another worker has
// the job, changes nothing. An error means that the message should come again.
func (s *Service) RunJob(ctx context.Context, message JobMessage) error {
	ctx = request.WithCause(ctx, message.Cause)
	if message.Chain {
		return s.chargeDue(ctx, message.PaymentID)
	}
	for range store.ConflictTries {
		t, err := s.taskWithCard(ctx, s.Now(), message)
		p := t.payment
		if err != nil || p == nil {
			return err
		}
		if message.Reference == "" {
			if len(p.Jobs) == 0 {
				return nil
			}
			for _, other := range p.Jobs[1:] { // each has a provider's time limit to itself
				s.sendJob(ctx, p.message(other.Reference), 0)
			}
			message.Reference = p.Jobs[0].Reference
		}
		t.reference = message.Reference
		err = s.runJob(ctx, t)
		if !errors.Is(err, errChanged) {
			return err
		}
	}
	return s.conflicts(ctx, "run job", message.PaymentID)
}

// errNoConnectors is not a payment's fault, so it declines none.
var errNoConnectors = errors.New("this function was not given the connectors")

func (s *Service) runJob(ctx context.Context, t task) error {
	if s.Connectors == nil {
		return errNoConnectors
	}
	now, p, job := s.Now(), t.payment, t.job()
	if job == nil || !job.AskedAt.IsZero() && !job.Answered && now.Before(job.AskedAt.Add(AskLease)) {
		return nil // it has ended, or another worker may be sending at this moment; the job stays due
	}
	if request.ID(ctx) == "" { // a message of Sweep's
		ctx = request.WithCause(ctx, job.Cause)
	}
	m, err := s.merchant(ctx, p.Merchant, now)
	if err != nil {
		return err
	}
	mid, ok := m.MID(p.Mapping, p.MID)
	ok = ok && mid.ConnectorFor(p.Owner) == p.Connector // else the credentials are another provider's
	if t.connector = s.Connectors[p.Connector]; !ok || t.connector == nil {
		s.Log.ErrorContext(ctx, "no such MID or connector", "payment", p.ID, "mid", p.MID, "connector", p.Connector)
		if job.AskedAt.IsZero() {
			return s.declineUnsent(ctx, t, screen.ReasonNotPossible)
		}
		job.Tries++ // so that it is looked for ever more rarely
		return s.postpone(ctx, t, Undefined)
	}
	if t.charge, err = s.chargeOf(p, job, mid); err != nil {
		return err
	}
	switch {
	case job.AskedAt.IsZero():
		return s.send(ctx, t)
	case job.Continue && !p.Next.over(now):
		return s.continueCharge(ctx, t)
	default:
		return s.lookUp(ctx, t)
	}
}

// send stores that the provider is about to receive the request, sends it, and
// stores the result. After a soft decline it goes on with the next MID.
func (s *Service) send(ctx context.Context, t task) error {
	if reason := t.cardGone(s.Now()); reason != "" {
		return s.declineLate(ctx, t, reason)
	}
	opened, reason, err := s.openCard(ctx, t)
	if err != nil {
		return err
	}
	if t.payment.wasTakenBack() { // the merchant's call came before that, and was not sent
		reason = screen.ReasonTakenBack
	}
	if reason != "" {
		return s.declineUnsent(ctx, t, reason)
	}
	if opened != nil {
		t.charge.Card = opened.card
		t.payment.noteCard(*opened)
	}
	err = s.saveSending(ctx, t)
	if store.IsConflict(err) { // another worker has it, or another job of the payment was stored
		return errChanged
	}
	if err != nil {
		return err
	}
	stored := context.WithoutCancel(ctx) // the provider's response is stored even if the time is up
	for {
		result, err := s.request(ctx, t)
		if err != nil || !s.timeLeft(ctx) {
			return s.storeResult(stored, t, result, err)
		}
		next, ok, err := s.cascade(stored, t, result)
		if err != nil || !ok {
			return errors.Join(err, s.storeResult(stored, t, result, nil))
		}
		t = next
	}
}

// saveSending stores that the request is sent from now on. The job is due when
// no worker can be sending it any more. One that is sent soon after it was
// stored is due no sooner anyway, and stays so: another time would cost two
// writes to the index.
func (s *Service) saveSending(ctx context.Context, t task, more ...store.Record) error {
	now, job := s.Now(), t.job()
	job.AskedAt, job.Answered = now, false
	if end := now.Add(AskLease); job.DueAt.Before(end) {
		job.DueAt = end
	}
	job.Tries++
	err := s.Store.Save(ctx, now, append(more, t.payment.record())...)
	if err != nil {
		return fmt.Errorf("store request of payment %s: %w", t.payment.ID, err)
	}
	t.payment.version++
	return nil
}

// request sends the request to the provider and measures how long that takes.
func (s *Service) request(ctx context.Context, t task) (Result, error) {
	now := s.Now()
	limited, cancel := context.WithTimeout(ctx, s.AskTimeout)
	defer cancel()
	result, err := t.call(limited)
	if err == nil {
		result, err = result.bounded()
	}
	if errors.Is(err, store.ErrConflicts) {
		err = s.conflicts(ctx, "send to "+t.payment.Connector, t.payment.ID)
	}
	s.measure(ctx, metric.Line{Message: "provider", Dimension: "connector", Metrics: []metric.Metric{{Name: "provider_time", Unit: "Milliseconds", Value: s.Now().Sub(now).Milliseconds()}}},
		slog.String("connector", t.payment.Connector), slog.String("payment", t.payment.ID), slog.String("kind", string(t.charge.Kind)), slog.Bool("answered", err == nil))
	return result, err
}

// call calls the connector's method for the kind of the request.
func (t task) call(ctx context.Context) (Result, error) {
	switch connector := t.connector; t.charge.Kind {
	case JobCapture:
		if c, ok := connector.(Capturer); ok {
			return c.Capture(ctx, t.charge.ProviderRequest)
		}
	case JobVoid:
		if c, ok := connector.(Voider); ok {
			return c.Void(ctx, t.charge.ProviderRequest)
		}
	case JobRefund:
		if c, ok := connector.(Refunder); ok {
			return c.Refund(ctx, t.charge.ProviderRequest)
		}
	default:
		return t.chargeOrContinue(ctx)
	}
	return declineFor(screen.ReasonNotSupported), nil
}

// storeResult stores what came of a request that was sent.
func (s *Service) storeResult(ctx context.Context, t task, result Result, err error) error {
	if err == nil && t.charge.Kind == JobCharge {
		err = t.payment.lacksAmount(result)
	}
	switch {
	case errors.Is(err, ErrNotSent):
		return s.notSent(ctx, t, err)
	case err != nil:
		s.measure(ctx, metric.Line{Message: "outcome unknown", Metrics: []metric.Metric{metric.Count("unknown_outcomes")}},
			slog.String("connector", t.payment.Connector), slog.String("payment", t.payment.ID), slog.String("error", request.ErrorText(err)))
		return s.postpone(ctx, t, Undefined)
	case result.Outcome == OutcomeActionRequired && t.payment.Status != StatusPrepare: // the payer has not decided there yet
		if err := s.apply(ctx, t, result); err != nil { // a part of what is due may have arrived
			return err
		}
		return s.postpone(ctx, t, "")
	case result.Outcome == OutcomePending:
		return s.postpone(ctx, t, Waiting)
	case result.Outcome == OutcomeUnknown:
		return s.postpone(ctx, t, Undefined)
	}
	return s.apply(ctx, t, result)
}

// notSent lets the request be sent again, a few times.
func (s *Service) notSent(ctx context.Context, t task, cause error) error {
	s.Log.WarnContext(ctx, "provider not reached", "payment", t.payment.ID, "connector", t.payment.Connector, "error", request.ErrorText(cause))
	if t.job().Tries >= sendTries {
		return s.apply(ctx, t, declineFor(screen.ReasonUnreachable))
	}
	return s.saveLater(ctx, t, func(_ *Payment, job *Job) *Event {
		job.AskedAt = time.Time{}
		return nil
	})
}

// postpone leaves a job whose outcome is not known as it is, to be looked up. One
// callback with this status says so, unless it is "" (decisions.md 6, not known yet).
func (s *Service) postpone(ctx context.Context, t task, status TransactionStatus) error {
	return s.saveLater(ctx, t, func(p *Payment, job *Job) *Event {
		job.Answered = true
		if status == "" || job.Told || p.Next != nil {
			return nil
		}
		job.Told = true
		return job.event(p, status, notKnownYet[status])
	})
}

// saveLater stores what change does to a job and has it come again after its delay.
func (s *Service) saveLater(ctx context.Context, t task, change func(*Payment, *Job) *Event) error {
	tries, lookUps := t.job().Tries, t.job().LookUps
	delay := t.payment.Next.until(s.Now(), lookupDelay(tries))
	stored, err := s.changeAndTell(ctx, t, func(t task, now time.Time) (effects, error) {
		job := t.job()
		if job == nil {
			return effects{}, nil // it has ended meanwhile
		}
		job.Tries, job.LookUps, job.DueAt = tries, lookUps, now.Add(delay+jobGrace)
		e := effects{save: true}
		if job.Sealed && !now.Before(t.payment.CreatedAt.Add(sealedTTL)) {
			job.Sealed, e.deleted = false, []store.Record{t.payment.deletedCard()}
		}
		e.event = change(t.payment, job)
		return e, nil
	})
	if err == nil && stored && delay <= callback.MaxDelay {
		s.sendJob(ctx, t.payment.message(t.reference), delay)
	}
	return err
}

// declineFor is the result of a request that is declined without being sent, or that the provider can't do.
func declineFor(code screen.ReasonCode) Result {
	return Result{Outcome: OutcomeDeclined, ReasonCode: code}
}
