package merchant

import (
	"context"
	"sync"
	"time"

	"checkout/internal/settings"
)

// besideKey is the key of what is done beside the work of a call, in its context.
type besideKey struct{}

// Beside returns the context of a call, and a function that waits for what is done beside the call's own work.
func Beside(ctx context.Context) (_ context.Context, wait func()) {
	group := &sync.WaitGroup{}
	return context.WithValue(ctx, besideKey{}, group), group.Wait
}

// storeUsesTime is how long a call waits at most for what it counts.
const storeUsesTime = time.Second

// countUses counts by which keys and passwords requests are accepted while a replaced one is still valid, so that an
// operator sees whether the shop uses the new one. A failure is only logged.
func (s *callers) countUses(ctx context.Context, c settings.Caller, oldPassword bool) {
	now := s.core.Now()
	for _, use := range c.Uses(now, oldPassword) {
		save := s.uses.Count(now, use, s.core.Random)
		if save == nil {
			continue
		}
		store := func() {
			limited, cancel := context.WithTimeout(ctx, storeUsesTime)
			defer cancel()
			if err := save(limited, s.core.Store); err != nil {
				s.core.Log.WarnContext(ctx, "uses not stored", "error", err)
			}
		}
		if group, ok := ctx.Value(besideKey{}).(*sync.WaitGroup); ok {
			group.Go(store)
		} else {
			store()
		}
	}
}
