package checkout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/method"
)

// AskLease is how long after AskedAt somebody may still be asking. It is
// longer than the connector function can live (30 s in template.yaml), so
// after it nobody is.
const AskLease = 40 * time.Second

// lookupDelays is when an undecided payment is looked up again: after each
// try the next delay, and the last one for ever.
var lookupDelays = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// sealedKept is how long a sealed card is worth anything; older ones are dropped unopened.
const sealedKept = 15 * time.Minute

func lookupDelay(tries int) time.Duration {
	return lookupDelays[min(max(tries-1, 0), len(lookupDelays)-1)]
}

// question is a job while it is carried out: the payment, its session if that
// is still kept, and who is asked what.
type question struct {
	payment   *Payment
	session   *Session
	connector Connector
	charge    Charge
}

// RunJob carries out the job of a payment with its provider: it asks once,
// and where the answer was no yes or no it only looks up, so that money is
// never asked for twice. A message that comes again, or while somebody else
// works on the job, changes nothing. An error means that the message should
// come again.
func (s *Service) RunJob(ctx context.Context, message JobMessage) error {
	now := s.Now()
	p, sess, err := s.paymentAndSession(ctx, now, message.PaymentID, message.SessionID)
	if err != nil {
		return err
	}
	if p == nil || p.Job == nil {
		return nil
	}
	if !p.Job.AskedAt.IsZero() && !p.Job.Answered && now.Before(p.Job.AskedAt.Add(AskLease)) {
		return nil // somebody may be asking at this moment; the job stays due
	}
	connector, ok := s.Connectors[p.Connector]
	if !ok {
		s.Log.ErrorContext(ctx, "no such connector", "payment", p.ID, "connector", p.Connector)
		if p.Job.AskedAt.IsZero() {
			return s.apply(ctx, p, sess, Result{Outcome: OutcomeDeclined, Reason: "The payment could not be carried out."})
		}
		p.Job.Tries++
		return s.postpone(ctx, p)
	}
	charge, err := s.charge(ctx, now, p)
	if err != nil {
		return err
	}
	q := question{p, sess, connector, charge}
	if p.Job.AskedAt.IsZero() {
		return s.ask(ctx, q)
	}
	return s.lookUp(ctx, q)
}

// charge is the question of a payment's job, without the card.
func (s *Service) charge(ctx context.Context, now time.Time, p *Payment) (Charge, error) {
	m, err := s.merchant(ctx, p.MerchantKey, now)
	if err != nil {
		return Charge{}, err
	}
	c := Charge{
		Reference: p.Job.Reference, PaymentID: p.ID, SessionID: p.SessionID, Auth: p.Auth,
		Amount: p.Amount, Currency: p.Order.Currency, Description: p.Order.Description,
		CardName: p.Job.CardName, Customer: p.Customer, Address: p.BillingAddress, PayerIP: p.PayerIP,
		ReturnURL: s.BaseURL + "/page/v1/" + p.SessionID + "/return",
	}
	if m != nil {
		for _, mid := range m.mappingNamed(p.Mapping).MIDs {
			if mid.Name == p.MID {
				c.Credentials = mid.Credentials
			}
		}
	}
	return c, nil
}

// ask opens the card, writes down that the provider is being asked, asks, and
// stores the answer.
func (s *Service) ask(ctx context.Context, q question) error {
	now, p := s.Now(), q.payment
	card, reason, err := s.openCard(ctx, now, p)
	if err != nil {
		return err
	}
	if reason != "" {
		return s.apply(ctx, p, q.session, Result{Outcome: OutcomeDeclined, Reason: reason})
	}
	q.charge.Card = card
	p.Card = viewCard(card)
	p.Job.AskedAt, p.Job.Answered = now, false
	p.Job.Tries++
	err = s.Store.Save(ctx, now, p.record(now.Add(AskLease)))
	if isConflict(err) {
		return nil // somebody else has it
	}
	if err != nil {
		return fmt.Errorf("store question of payment %s: %w", p.ID, err)
	}
	p.version++

	asked, cancel := context.WithTimeout(ctx, s.AskTimeout)
	defer cancel()
	result, err := q.connector.Charge(asked, q.charge)
	s.measure(ctx, measured{"provider", "connector", []metric{{"provider_time", "Milliseconds", s.Now().Sub(now).Milliseconds()}}},
		slog.String("connector", p.Connector), slog.String("payment", p.ID), slog.Bool("answered", err == nil))
	return s.storeAnswer(context.WithoutCancel(ctx), q, result, err)
}

// openCard opens and checks the sealed card. A reason declines the payment
// before anything was sent; an error leaves it as it is.
func (s *Service) openCard(ctx context.Context, now time.Time, p *Payment) (Card, string, error) {
	if p.Job.Sealed == nil {
		return Card{}, "The payment was not carried out.", nil
	}
	if now.Sub(p.CreatedAt) > sealedKept {
		return Card{}, "The payment could not be carried out in time.", nil
	}
	card, err := s.Vault.Open(ctx, *p.Job.Sealed, sealInfo(p.MerchantKey, p.SessionID))
	if errors.Is(err, ErrSealed) {
		return Card{}, "The card data can't be read.", nil
	}
	if err != nil {
		return Card{}, "", fmt.Errorf("open card of payment %s: %w", p.ID, err)
	}
	return card, checkCard(card, now), nil
}

// checkCard checks opened card data as the page does (core.md, Checkout page
// fields) and answers the error text, "" if it is sound.
func checkCard(card Card, now time.Time) string {
	switch {
	case !method.CheckCardNumber(card.Number):
		return "Invalid card"
	case !method.CheckExpiry(card.ExpiryMonth, card.ExpiryYear, now):
		return "The expiration date of card is expired and not valid."
	case !method.CheckSecurityCode(card.SecurityCode):
		return "Invalid security code"
	}
	return ""
}

func viewCard(card Card) *CardView {
	n := card.Number
	return &CardView{Mask: n[:6] + "******" + n[len(n)-4:], ExpiryMonth: card.ExpiryMonth, ExpiryYear: card.ExpiryYear}
}

// storeAnswer stores what came of a question that was asked.
func (s *Service) storeAnswer(ctx context.Context, q question, result Result, err error) error {
	p := q.payment
	switch {
	case errors.Is(err, ErrNotSent):
		return s.notSent(ctx, q, err)
	case err != nil:
		s.measure(ctx, measured{"outcome unknown", "connector", []metric{counted("unknown_outcomes")}},
			slog.String("connector", p.Connector), slog.String("payment", p.ID), slog.String("error", err.Error()))
		return s.postpone(ctx, p)
	case result.Outcome == OutcomePending, result.Outcome == OutcomeUnknown,
		result.Outcome == OutcomeNext && p.Status != StatusPrepare: // the payer has not decided there yet
		return s.postpone(ctx, p)
	}
	return s.apply(ctx, p, q.session, result)
}

// notSent makes the question free to be asked again, a few times.
func (s *Service) notSent(ctx context.Context, q question, cause error) error {
	p := q.payment
	s.Log.WarnContext(ctx, "provider not reached", "payment", p.ID, "connector", p.Connector, "error", cause)
	if p.Job.Tries >= 5 {
		return s.apply(ctx, p, q.session, Result{Outcome: OutcomeDeclined, Reason: "The payment provider can't be reached."})
	}
	p.Job.AskedAt = time.Time{}
	return s.saveLater(ctx, p)
}

// postpone leaves an undecided payment as it is, to be looked up.
func (s *Service) postpone(ctx context.Context, p *Payment) error {
	p.Job.Answered = true
	return s.saveLater(ctx, p)
}

// saveLater stores a payment's job and has it come again after its delay.
func (s *Service) saveLater(ctx context.Context, p *Payment) error {
	now, delay := s.Now(), lookupDelay(p.Job.Tries)
	if now.Sub(p.CreatedAt) > sealedKept {
		p.Job.Sealed = nil
	}
	err := s.Store.Save(ctx, now, p.record(now.Add(delay+jobGrace)))
	if isConflict(err) {
		return nil // decided by somebody else meanwhile, or asked again
	}
	if err != nil {
		return fmt.Errorf("store undecided payment %s: %w", p.ID, err)
	}
	if delay <= MaxDelay {
		s.sendJob(ctx, JobMessage{PaymentID: p.ID, SessionID: p.SessionID}, delay)
	}
	return nil
}

// lookUp asks what became of an earlier question. Only when the provider says
// that it never saw the reference, and the question is so old that it can't
// still be on its way, is it asked for the money again, with the same reference.
func (s *Service) lookUp(ctx context.Context, q question) error {
	p := q.payment
	p.Job.Tries++
	looker, ok := q.connector.(Lookuper)
	if !ok {
		return s.postpone(ctx, p)
	}
	asked, cancel := context.WithTimeout(ctx, s.AskTimeout/3) // leaves time to ask in the same run
	defer cancel()
	result, err := looker.Lookup(asked, q.charge)
	if err == nil && result.Outcome == OutcomeUnknown && !s.Now().Before(p.Job.AskedAt.Add(AskLease)) {
		return s.ask(ctx, q)
	}
	return s.storeAnswer(context.WithoutCancel(ctx), q, result, err)
}
