package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/verdict"
	"checkout/internal/operator/words"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Settlement is a decision and what it is about.
type Settlement struct {
	PaymentID string
	Reference string // of the request; "": the only one of the payment, or the only one that waits for a person
	Verdict   payment.Verdict
	Amount    string // that has moved; "": what the provider has said, else what was requested
	Transfer  string // of money that was returned by hand: the reference of the payment that returned it
	By        string
	Reason    string
	Person    grant.Person // by whose limits money is refunded
}

// attemptsPage is how many attempts and payments of an order are read at once.
const attemptsPage = 300

// Settle stores what a person decides of a request that was sent and has no outcome, of a provider's contradiction, or
// of money that arrived and does not count, at any time. The connector function executes it. It looks the request up
// first, and what the provider says then counts, as does what a notice tells before that. Settle waits up to actTimeout
// for that.
// Errors: CodeInvalid; CodeNotFound; CodeNotAllowed if the payment has nothing of the kind to decide.
func (s *Actor) Settle(ctx context.Context, d Settlement) (Done, error) {
	if !slices.Contains(payment.Verdicts, d.Verdict) {
		return Done{}, fault.At("verdict", "It should be one of: "+texts(payment.Verdicts)+".")
	}
	d.By, d.Reason = strings.TrimSpace(d.By), strings.TrimSpace(d.Reason)
	for _, text := range []string{d.By, d.Reason} {
		if text == "" || fault.Printable(text, maxDecision) != text {
			return Done{}, fault.Refuse(fault.CodeInvalid,
				fmt.Sprintf("A name and a reason are needed, of 1 to %d printable characters each.", maxDecision))
		}
	}
	if d.Transfer = strings.TrimSpace(d.Transfer); (d.Verdict == payment.VerdictReturned) != (d.Transfer != "") {
		return Done{}, fault.At("transfer", "Money that was returned by hand has the reference of the payment that returned "+
			"it, and nothing else has one.")
	}
	args := []string{d.PaymentID, d.Reference, string(d.Verdict), d.Amount, d.Reason}
	if d.Transfer != "" {
		args = append(args, d.Transfer)
	}
	return s.execute(ctx, "settle", args,
		func(idem *checkout.IdempotencyRecord) (asked, error) {
			of, err := s.settle(ctx, d, started{s.act, idem, s.limited(ctx, d.Person)})
			if over := (*overLimit)(nil); errors.As(err, &over) {
				p, err := s.core.Payment(ctx, s.core.Now(), d.PaymentID)
				if err != nil {
					return of, err
				}
				of.Awaited, err = s.askAnother(ctx, asking{
					act: s.act, by: d.Person, payment: p, do: string(d.Verdict), of: d.Amount, reference: of.Reference,
					over: over, idem: idem,
				})
				return of, err
			}
			return of, err
		})
}

// startSettlement is Settle for what another person has approved.
func (s *Actor) startSettlement(ctx context.Context, d Settlement, by started) (checkout.Awaited, error) {
	of, err := s.settle(ctx, d, by)
	if err == nil {
		s.send(ctx, of)
	}
	return of.Awaited, err
}

func (s *Actor) settle(ctx context.Context, d Settlement, by started) (of asked, err error) {
	p, sess, err := s.core.PaymentAndSession(ctx, s.core.Now(), d.PaymentID, "")
	if err != nil {
		return of, err
	}
	if p == nil {
		return of, payment.ErrNotFound()
	}
	t := checkout.Task{Payment: p, Session: sess}
	paidElsewhere, err := s.core.PaidByRetry(ctx, p)
	if err == nil && paidElsewhere == "" {
		paidElsewhere, err = paidInSession(ctx, s.core, t)
	}
	if err != nil {
		return of, err
	}
	_, _, err = s.core.Change(ctx, t, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		p := t.Payment
		job, err := verdict.Decidable(p, d.Reference, d.Verdict)
		if err != nil {
			return payment.Effects{}, err
		}
		if refused := cmp.Or(t.MayAccept(job), paidElsewhere); refused != "" && verdict.AcceptsMoney(p, job, d.Verdict) {
			return payment.Effects{}, errMayNotSettle(refused)
		}
		if d.Verdict == payment.VerdictGiveBack && !verdict.MayGiveBack(s.core.Declarations, p, job) {
			return payment.Effects{}, errMayNotSettle("The provider can't refund that: name close once it is settled by hand.")
		}
		reason := p.Masker().Mask(p.Masker().Secrets(connector.Charge{}).Mask(d.Reason))
		decision := payment.Decision{Verdict: d.Verdict, By: d.By, Reason: reason, At: now}
		if err := decide(&decision, p, job, d); err != nil {
			return payment.Effects{}, err
		}
		job.Decide(decision)
		p.Acts.Add(payment.Act{
			At: now, Do: d.Verdict, By: d.By, Reason: reason, Type: words.OperationOf(p, job), Coins: decision.Coins,
			Reference: job.Reference, Amount: cmp.Or(decision.Amount, job.Amount, p.Amount),
		})
		by.act.Reason = reason
		of = asked{
			Awaited:  checkout.Awaited{PaymentID: p.ID, Reference: job.Reference, Kind: job.Kind},
			messages: []payment.JobMessage{p.Message(job.Reference)},
		}
		var allowed []store.Record
		if givesMoneyBack(p, job, d.Verdict) {
			back := grant.Return{Owner: p.Owner, Right: grant.Settle, Amount: cmp.Or(job.Amount, p.Amount)}
			if allowed, err = by.allow(returning{back, job.Reference}, now); err != nil {
				return payment.Effects{}, err
			}
		}
		records := append(by.act.Records(now, "payment/"+p.ID, settled(job, d)), allowed...)
		return payment.Effects{Save: true, Once: by.idem.Of(&of.Awaited, nil), Records: records}, nil
	})
	return of, err
}

// givesMoneyBack reports whether a verdict returns money to the payer. The void of an authorisation returns none.
func givesMoneyBack(p *payment.Payment, job *payment.Job, verdict payment.Verdict) bool {
	return verdict == payment.VerdictGiveBack && !p.Requests().Contradiction(job).Authorised
}

// texts are verdicts in a sentence.
func texts(verdicts []payment.Verdict) string {
	all := make([]string, len(verdicts))
	for i, v := range verdicts {
		all[i] = string(v)
	}
	return strings.Join(all, ", ")
}

// settled says in words what a settlement has decided.
func settled(job *payment.Job, d Settlement) string {
	text := "request " + job.Reference + " is settled as " + string(d.Verdict)
	if d.Amount != "" {
		text += ", amount " + d.Amount
	}
	if decision := job.Decision; decision.Coins != nil {
		text += ", about " + decision.Coins.Text() + " that had arrived"
	}
	if d.Transfer != "" {
		text += ", transfer " + d.Transfer
	}
	return text
}

func errMayNotSettle(why string) error {
	return fault.Refuse(fault.CodeNotAllowed, why)
}

// decide adds to a decision what it is about: its amount, and the coins that have arrived.
func decide(decision *payment.Decision, p *payment.Payment, job *payment.Job, d Settlement) (err error) {
	if job.Kind == payment.JobUnapplied || d.Verdict == payment.VerdictReturned {
		return decideCoins(decision, p, job, named{d.Amount, d.Transfer})
	}
	if decision.Amount, err = amountToSettle(p, job, d); err != nil {
		return err
	}
	if report := p.Requests().Contradiction(job); report != nil && report.Status == payment.Success {
		decision.Coins = job.Coins
	}
	return nil
}

// amountToSettle reads the amount that a settlement names, zero if it names none and needs none. Errors: CodeInvalid if
// it can't be that amount; CodeNotAllowed if it needs one.
func amountToSettle(p *payment.Payment, job *payment.Job, d Settlement) (money.Amount, error) {
	none := money.Amount{}
	requested, payerEnters, err := p.Requests().Amount(job)
	if err != nil {
		return none, err
	}
	approves := d.Verdict == payment.VerdictApproved && job.Kind != payment.JobVoid && job.Kind != payment.JobGiveBack
	accepts := d.Verdict == payment.VerdictAccept
	other := accepts && !payerEnters && job.Amount != requested &&
		p.Requests().Contradiction(job).Status == payment.Success
	if d.Amount != "" {
		switch {
		case other:
			return p.Amounts().Read(d.Amount, requested, fault.NumberInvalid)
		case payerEnters && (approves || accepts):
			amount, err := money.Parse(d.Amount, requested.Currency())
			if err != nil {
				return none, fault.At("amount", request.AmountNotValid(requested.Currency()))
			}
			return amount, nil
		case approves:
			return p.Amounts().Read(d.Amount, requested, fault.NumberInvalid)
		}
		return none, errMayNotSettle("No amount belongs to that: name one only for what is approved.")
	}
	moved := money.Amount{}
	if job.Finding != nil {
		moved = job.Finding.Moved
	}
	switch {
	case payerEnters && (approves && moved.IsZero() || accepts && job.Amount.IsZero()):
		return none, errMayNotSettle("The payer entered the amount at the provider: name it.")
	case approves && !payerEnters && !moved.IsZero() && moved.Cmp(requested) > 0:
		return none, errNameAmount(job.Finding.Text, requested)
	case other && (job.Amount.IsZero() || job.Amount.Cmp(requested) > 0):
		return none, errNameAmount(connector.OtherAmountError{Moved: job.Amount, Requested: requested}.Text(), requested)
	}
	return none, nil
}

func errNameAmount(says string, most money.Amount) error {
	return errMayNotSettle(fmt.Sprintf("The provider says %s: name the amount that counts, %s or less.", says, most))
}

// paidInSession returns the same of the other payments of a session that is not stored any more, in which no attempt
// can begin since.
func paidInSession(ctx context.Context, core *checkout.Core, t checkout.Task) (string, error) {
	p := t.Payment
	if p.SessionID == "" || t.Session != nil || p.Status != payment.StatusDecline {
		return "", nil
	}
	hash, _, err := store.SplitPaymentID(p.ID)
	if err != nil {
		return "", fmt.Errorf("payment %s: %w", p.ID, err)
	}
	for query := store.VisitsOf(hash, attemptsPage); ; {
		records, err := core.Store.List(ctx, core.Now(), query)
		if err != nil {
			return "", fmt.Errorf("list order: %w", err)
		}
		for _, r := range records {
			var other payment.Payment
			if !store.IsPayment(r.Key) {
				continue
			}
			if err := r.Decode(&other); err != nil {
				return "", err
			}
			if other.ID != p.ID && other.SessionID == p.SessionID && other.Status != payment.StatusDecline {
				return checkout.PaidInItsPlace, nil
			}
		}
		if len(records) < query.Limit {
			return "", nil
		}
		query.Before = records[len(records)-1].Key.Sort
	}
}
