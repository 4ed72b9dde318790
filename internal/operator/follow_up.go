package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// FollowUp is a refund, capture or void that an operator asks for.
type FollowUp struct {
	PaymentID      string
	Kind           payment.JobKind
	Amount         string // in the payment's currency; "": all that is left
	IdempotencyKey string
	By             grant.Person // by whose limits money is returned
	StopSchedule   bool         // of a refund: the schedule of the payment's chain is stopped in the same write
}

// Done is what became of an act.
type Done struct {
	PaymentID string         `json:"payment_id"`
	Reference string         `json:"reference,omitempty"`
	Status    payment.Status `json:"status"`
	Text      string         `json:"text"` // in words
	Decided   bool           `json:"decided"`
	Amount    string         `json:"amount,omitempty"`   // of a refund, capture or void: what has moved, or is to move
	Left      string         `json:"left,omitempty"`     // of a refund: what can still be refunded
	Approval  string         `json:"approval,omitempty"` // id of the approval that it waits for, or waited for
}

// actTimeout is how long an operator's call waits for the outcome of its job.
const actTimeout = 10 * time.Second

// FollowUp asks for a refund, capture or void by the rules of a merchant's own, and waits up to actTimeout for the
// outcome. What is unknown of the payment is looked up first. The merchant gets the same callback. What returns more
// than the person may return alone waits for the approval of another one.
// Errors: CodeInvalid, also for an amount that is too large or of a void, and for a key that was used with another
// call; CodeNotFound; CodeNotAllowed.
func (s *Actor) FollowUp(ctx context.Context, f FollowUp) (Done, error) {
	p, err := s.core.Payment(ctx, s.core.Now(), f.PaymentID)
	if err != nil {
		return Done{}, err
	}
	if p == nil {
		return Done{}, payment.ErrNotFound()
	}
	act := s.act
	act.Key = f.IdempotencyKey
	args := []string{f.PaymentID, string(f.Kind), f.Amount}
	if f.StopSchedule {
		args = append(args, "stop the schedule")
	}
	return once(ctx, s.core, act, call[Done]{
		name: "follow-up", args: args, await: s.awaitFollowUp,
		do: func(idem *checkout.IdempotencyRecord) (Done, error) {
			a, err := s.startFollowUp(ctx, p, f, started{act, idem, s.limited(ctx, f.By)})
			if over := (*overLimit)(nil); errors.As(err, &over) {
				a, err = s.askAnother(ctx, asking{
					act: act, by: f.By, payment: p, do: string(f.Kind), of: f.Amount, over: over, idem: idem,
					stopSchedule: f.StopSchedule,
				})
			}
			if err != nil {
				return Done{}, err
			}
			return s.awaitFollowUp(ctx, a)
		},
	})
}

// awaitFollowUp waits up to actTimeout for the outcome of a job, or says what it waits for.
func (s *Actor) awaitFollowUp(ctx context.Context, a checkout.Awaited) (Done, error) {
	if a.Kind == forApproval {
		return approvalDone(ctx, s.core, a)
	}
	p, err := s.core.Await(ctx, a.PaymentID, &checkout.Wait{AtMost: actTimeout}, a.Pending)
	if err != nil {
		return Done{}, err
	}
	d := doneOf(p, a)
	if a.Kind == payment.JobRefund {
		after, err := chainAfter(ctx, s.core, p)
		d.Text += after
		return d, err
	}
	return d, nil
}

// started is how a job of an operator begins.
type started struct {
	act   audit.Act
	idem  *checkout.IdempotencyRecord
	allow allowReturn
}

func (s *Actor) startFollowUp(
	ctx context.Context, p *payment.Payment, f FollowUp, by started,
) (checkout.Awaited, error) {
	with := func(p *payment.Payment, job payment.Job, now time.Time) (payment.Effects, error) {
		var allowed []store.Record
		if amount := p.Amounts().ReturnedBy(&job); !amount.IsZero() {
			var err error
			back := grant.Return{Owner: p.Owner, Right: grant.Money, Amount: amount}
			if allowed, err = by.allow(returning{back, job.Reference}, now); err != nil {
				return payment.Effects{}, err
			}
		}
		e := requested{p, job, by.idem, now}.by(by.act)
		e.Records = append(e.Records, allowed...)
		if !f.StopSchedule {
			return e, nil
		}
		stopped, err := s.stopWith(ctx, p, now)
		e.Records = append(e.Records, stopped...)
		return e, err
	}
	wait := &checkout.Wait{AtMost: actTimeout}
	a, err := s.jobs.StartFollowUp(ctx, p, checkout.FollowUp{Kind: f.Kind, Amount: f.Amount, With: with}, wait)
	return a, explain(err)
}

// requested is a job that an operator has asked for.
type requested struct {
	*payment.Payment
	job  payment.Job
	idem *checkout.IdempotencyRecord
	now  time.Time
}

// by adds to the payment who has asked for the job, and returns what is stored with it.
func (r requested) by(act audit.Act) payment.Effects {
	act.Reason = r.Masker().Mask(r.Masker().Secrets(connector.Charge{}).Mask(act.Reason))
	r.Acts.Add(payment.Act{
		At: r.now, Do: payment.VerdictRequest, By: fault.Printable(cmp.Or(act.By, act.Who), maxDecision),
		Reason: act.Reason, Type: r.EventType(r.job.Kind), Reference: r.job.Reference, Amount: r.job.Amount,
	})
	text := string(r.job.Kind) + " of " + connector.WithCurrency(r.job.Amount) + " is requested, reference " +
		r.job.Reference
	a := checkout.Awaited{PaymentID: r.ID, Reference: r.job.Reference, Kind: r.job.Kind}
	return payment.Effects{Once: r.idem.Of(&a, nil), Records: act.Records(r.now, "payment/"+r.ID, text)}
}

// explain says why a follow-up is not allowed, in place of an error that only says so.
func explain(err error) error {
	var refused *checkout.Refusal
	if errors.As(err, &refused) && fault.CodeOf(err) == fault.CodeNotAllowed {
		return fault.Refuse(fault.CodeNotAllowed, refused.Why)
	}
	return err
}

// jobWords are what follow-ups are called, and what is said of those that succeeded.
var jobWords = map[payment.JobKind][2]string{
	payment.JobRefund: {"refund", "was refunded"}, payment.JobCapture: {"capture", "was captured"},
	payment.JobVoid: {"void", "was voided"},
}

// doneOf says what became of a job.
func doneOf(p *payment.Payment, a checkout.Awaited) Done {
	d := Done{PaymentID: p.ID, Reference: a.Reference, Status: p.Status}
	words := jobWords[a.Kind]
	for _, t := range p.Transactions {
		if t.Reference != a.Reference {
			continue
		}
		d.Decided = true
		if t.Status == payment.Success {
			d.Text = amountOf(t.Amount) + " " + words[1] + "." + d.leaves(p, a.Kind)
			d.Amount = t.Amount.String()
			continue
		}
		d.Text = fmt.Sprintf("The provider has declined the %s of %s: %s", words[0], amountOf(t.Amount),
			cmp.Or(p.Masker().Mask(t.Reason), string(t.ReasonCode), "it gave no reason"))
	}
	if job := p.Jobs.Find(a.Reference); job != nil {
		d.Amount = job.Amount.String()
		d.Text = fmt.Sprintf("The %s of %s has no outcome yet. It goes on by itself, and is never sent twice.",
			words[0], amountOf(job.Amount))
		if !job.UnknownSince.IsZero() {
			d.Text = fmt.Sprintf("Nobody knows yet whether the %s of %s was made. It is looked up until the provider says so.",
				words[0], amountOf(job.Amount))
		}
	}
	return d
}

// leaves adds what a refund leaves to be refunded, and says it.
func (d *Done) leaves(p *payment.Payment, kind payment.JobKind) string {
	if kind != payment.JobRefund {
		return ""
	}
	left, err := p.Amounts().Refundable()
	if err != nil {
		return ""
	}
	d.Left = left.String()
	if left.IsZero() {
		return " Nothing is left to refund."
	}
	return " " + amountOf(left) + " can still be refunded."
}

func amountOf(a money.Amount) string { return connector.WithCurrency(a) }
