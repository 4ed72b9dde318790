package operator

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/operator/words"
)

// asked is what a person asks for that the connector function does with requests of a payment.
type asked struct {
	checkout.Awaited
	messages []payment.JobMessage
}

// execute runs an act whose do stores what is asked for, sends it to the connector function, and waits up to actTimeout
// until it is done.
func (s *Actor) execute(
	ctx context.Context, name string, args any, do func(idem *checkout.IdempotencyRecord) (asked, error),
) (Done, error) {
	return once(ctx, s.core, s.act, call[Done]{
		name: name, args: args, await: s.awaitExecuted,
		do: func(idem *checkout.IdempotencyRecord) (Done, error) {
			a, err := do(idem)
			if err != nil {
				return Done{}, err
			}
			s.send(ctx, a)
			return s.awaitExecuted(ctx, a.Awaited)
		},
	})
}

// send sends what was asked for to the connector function.
func (s *Actor) send(ctx context.Context, a asked) {
	for _, message := range a.messages {
		s.jobs.Send(ctx, message, 0)
	}
}

// awaitExecuted waits up to actTimeout until what was asked for is done, or says what it waits for.
func (s *Actor) awaitExecuted(ctx context.Context, a checkout.Awaited) (Done, error) {
	if a.Kind == forApproval {
		return approvalDone(ctx, s.core, a)
	}
	p, err := s.core.Await(ctx, a.PaymentID, &checkout.Wait{AtMost: actTimeout}, func(p *payment.Payment) bool {
		return slices.ContainsFunc(actsOf(p, a), undone)
	})
	if err != nil {
		return Done{}, err
	}
	return executed(p, a), nil
}

func undone(act payment.Act) bool { return act.Result == "" }

// actsOf returns what was asked for at last: look-ups if that is the kind of what is awaited, else decisions. Without a
// reference they are those of several requests.
func actsOf(p *payment.Payment, a checkout.Awaited) (latest []payment.Act) {
	for _, act := range p.Acts {
		isLookUp := act.Do == payment.VerdictLookUp
		if act.Do == payment.VerdictRequest || isLookUp != (a.Kind == payment.JobLookUp) ||
			a.Reference != "" && a.Reference != act.Reference {
			continue
		}
		if len(latest) > 0 && (!act.At.Equal(latest[0].At) || a.Reference != "") {
			latest = nil
		}
		latest = append(latest, act)
	}
	return latest
}

// executed says what became of acts.
func executed(p *payment.Payment, a checkout.Awaited) Done {
	acts, texts := actsOf(p, a), []string(nil)
	for _, act := range acts {
		text := cmp.Or(words.ResultText(p, act), "it is not done yet, and goes on by itself.")
		if len(acts) > 1 {
			text = words.RequestText(act.Type, act.Amount, p) + ": " + text
		}
		texts = append(texts, strings.ToUpper(text[:1])+text[1:])
	}
	texts = append(texts, "The payment is "+words.StatusInSentence(p)+".")
	return Done{
		PaymentID: p.ID, Reference: a.Reference, Status: p.Status, Text: strings.Join(texts, " "),
		Decided: !slices.ContainsFunc(acts, undone),
	}
}
