package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/checkout/payment"
)

// Awaited names the job that a call waits for. Kind also decides which response it gets.
type Awaited struct {
	PaymentID string          `json:"payment_id"`
	Reference string          `json:"reference"`
	Kind      payment.JobKind `json:"kind"`
	// RedirectURL is where the payer goes while the payment of a wallet's token is not decided.
	RedirectURL string `json:"redirect_url,omitempty"`
}

// Pending reports whether the job has not ended, and the payer need not act before it can. A charge is found by its
// kind: at each MID it has another reference.
func (a Awaited) Pending(p *payment.Payment) bool {
	if a.Kind == payment.JobCharge {
		return p.Jobs.Charge() != nil && p.Action == nil
	}
	return p.Jobs.Find(a.Reference) != nil
}

// Wait is how long a call waits at most for outcomes.
type Wait struct {
	AtMost time.Duration

	waited time.Duration
}

// awaitPauses are the pauses between reads of the payment while a call waits. The last one repeats.
var awaitPauses = []time.Duration{
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond,
}

// Await reads a payment until it is not pending or the wait is over, and returns the payment as it is then.
func (s *Core) Await(
	ctx context.Context, id string, wait *Wait, pending func(*payment.Payment) bool,
) (*payment.Payment, error) {
	p, err := s.storedPayment(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.await(ctx, p, wait, pending)
}

// await reads a payment again while it is pending and the wait is not over.
func (s *Core) await(
	ctx context.Context, p *payment.Payment, wait *Wait, pending func(*payment.Payment) bool,
) (*payment.Payment, error) {
	latest := p
	err := s.Poll(ctx, wait, func() (_ bool, err error) {
		if latest == nil {
			if latest, err = s.storedPayment(ctx, p.ID); err != nil {
				return false, err
			}
		}
		p, latest = latest, nil
		return pending(p), nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Poll calls read, and again after each of the pauses, until nothing is pending, it fails, or the wait is over.
func (s *Core) Poll(ctx context.Context, wait *Wait, read func() (pending bool, err error)) error {
	for i := 0; ; i++ {
		pending, err := read()
		if err != nil || !pending {
			return err
		}
		pause := awaitPauses[min(i, len(awaitPauses)-1)]
		if wait.waited += pause; wait.waited > wait.AtMost || s.Pause(ctx, pause) != nil {
			return nil
		}
	}
}

// storedPayment reads a payment that was stored before.
func (s *Core) storedPayment(ctx context.Context, id string) (*payment.Payment, error) {
	p, err := s.Payment(ctx, s.Now(), id)
	if err == nil && p == nil {
		err = fmt.Errorf("payment %s is gone", id)
	}
	return p, err
}

// maxResolved is how many requests of one payment a call has looked up at most: those that were stored first.
const maxResolved = 5

// Resolve has what is unknown of a payment looked up once more, waits for that, and returns the payment as it is by
// then. A payment of which nothing is unknown, or which was looked up in the last seconds (lookUpEvery), is returned at
// once.
func (j Jobs) Resolve(ctx context.Context, p *payment.Payment, wait *Wait) (*payment.Payment, error) {
	before, now := map[string]payment.Job{}, j.core.Now()
	for i := range p.Jobs {
		job := &p.Jobs[i]
		if len(before) == maxResolved || !job.MayLookUp(now) && !job.IsLookedUp(now) {
			continue
		}
		before[job.Reference] = *job
		if job.MayLookUp(now) {
			message := p.Message(job.Reference)
			message.LookUp = true
			j.Send(ctx, message, 0)
		}
	}
	return j.core.await(ctx, p, wait, func(p *payment.Payment) bool { return awaitsLookUp(p, before) })
}

// awaitsLookUp reports whether one of the jobs is still to be looked up that a call found in the state before.
func awaitsLookUp(p *payment.Payment, before map[string]payment.Job) bool {
	for reference, old := range before {
		job := p.Jobs.Find(reference)
		if job != nil && (job.LookingUp || !old.LookingUp && job.LookedUpAt.Equal(old.LookedUpAt)) {
			return true
		}
	}
	return false
}
