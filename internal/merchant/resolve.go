package merchant

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/payment"
)

// maxResolved is how many requests of one payment a call has looked up at most: those that were stored first.
const maxResolved = 5

// resolve has what is unknown of a payment looked up once more, waits for that, and returns the payment as it is by
// then and how long it waited, at most AwaitTimeout. A payment of which nothing is unknown, or which was looked up in
// the last seconds (lookUpEvery), is returned at once.
func (s *Service) resolve(ctx context.Context, p *payment.Payment) (*payment.Payment, time.Duration, error) {
	before, now := map[string]payment.Job{}, s.Now()
	for i := range p.Jobs {
		job := &p.Jobs[i]
		if len(before) == maxResolved || !job.MayLookUp(now) && !job.IsLookedUp(now) {
			continue
		}
		before[job.Reference] = *job
		if job.MayLookUp(now) {
			message := p.Message(job.Reference)
			message.LookUp = true
			s.SendJob(ctx, message, 0)
		}
	}
	waited := time.Duration(0)
	for i := 0; len(before) > 0 && awaitsLookUp(p, before); i++ {
		pause := awaitPauses[min(i, len(awaitPauses)-1)]
		if waited += pause; waited > AwaitTimeout || s.Pause(ctx, pause) != nil {
			break
		}
		latest, err := s.Payment(ctx, s.Now(), p.ID)
		if err != nil {
			return nil, 0, err
		}
		if latest == nil {
			return nil, 0, fmt.Errorf("payment %s is gone", p.ID)
		}
		p = latest
	}
	return p, waited, nil
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
