package checkout

import (
	"context"
	"log/slog"
	"time"

	"checkout/internal/checkout/blocklist"
	"checkout/internal/metric"
	"checkout/internal/routing/circuit"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Core is what every function has: the stored documents, the merchants' settings, a clock, randomness, and what it
// measures and logs. Every exported field must be set, but for Secrets.
type Core struct {
	Store   store.Store
	Secrets settings.Secrets // those that the function may decrypt, nil for none

	Declarations settings.Declarations // of all connectors

	Now    func() time.Time
	Random func(n int) []byte // n unpredictable bytes
	// Pause waits for a duration. It fails if ctx ends before that.
	Pause func(ctx context.Context, d time.Duration) error
	Log   *slog.Logger
	Stack string // name of the deployment, a dimension of its metrics

	accountCache  settings.AccountCache
	circuitMemory circuit.Memory
	blocksCache   store.Cache[blocklist.List]
}

// Merchant returns a merchant with the secrets that this function may decrypt, nil if there is none.
func (s *Core) Merchant(ctx context.Context, id string, now time.Time) (*settings.Merchant, error) {
	return s.Accounts().ByID(ctx, id, now)
}

// Meter returns what measures.
func (s *Core) Meter() metric.Meter { return metric.Meter{Log: s.Log, Stack: s.Stack, Now: s.Now} }

// Measure logs a line that AWS makes metrics of.
func (s *Core) Measure(ctx context.Context, line metric.Line, attrs ...slog.Attr) {
	s.Meter().Measure(ctx, line, attrs...)
}

// Conflicts measures a change that failed after too many conflicts, and returns ErrConflicts.
func (s *Core) Conflicts(ctx context.Context, test bool, operation, payment string) error {
	return s.Meter().Conflicts(ctx, test, operation, payment)
}

// Accounts returns the merchants with the secrets that this function may decrypt.
func (s *Core) Accounts() settings.Accounts {
	return settings.Accounts{Store: s.Store, Secrets: s.Secrets, Connectors: s.Declarations, Cache: &s.accountCache}
}
