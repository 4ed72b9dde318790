package checkout

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/metric"
	"checkout/internal/routing/circuit"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Core is what all four sides of the service have: the stored documents, the merchants' settings, the job queue, and
// what they measure and log. Every exported field must be set that the function's work needs.
type Core struct {
	Store   store.Store
	Jobs    payment.JobQueue
	Secrets settings.Secrets // those that the function may decrypt, nil for none

	Declarations settings.Declarations // of all connectors

	Now    func() time.Time
	Random func(n int) []byte // n unpredictable bytes
	// Pause waits for a duration. It fails if ctx ends before that.
	Pause   func(ctx context.Context, d time.Duration) error
	BaseURL string // public address of the page, without a trailing slash
	Log     *slog.Logger
	Stack   string // name of the deployment, a dimension of its metrics

	accountCache  settings.AccountCache
	KeyCache      card.KeyCache
	circuitMemory circuit.Memory
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

// PublicKey returns the key of the day, to which cards are sealed now. Errors: CodeNotReady.
func (s *Core) PublicKey(ctx context.Context, now time.Time) (card.PublicKey, error) {
	return card.Keys{Store: s.Store, Cache: &s.KeyCache}.PublicKey(ctx, now)
}

// Accounts returns the merchants with the secrets that this function may decrypt.
func (s *Core) Accounts() settings.Accounts {
	return settings.Accounts{Store: s.Store, Secrets: s.Secrets, Connectors: s.Declarations, Cache: &s.accountCache}
}

// SendJob sends a message for a job. It only logs a failure, because the job is stored and Sweep sends it later.
func (s *Core) SendJob(ctx context.Context, message payment.JobMessage, delay time.Duration) {
	message.Cause = cmp.Or(message.Cause, fault.RequestID(ctx))
	if err := s.Jobs.SendJob(ctx, message, delay); err != nil {
		s.Log.WarnContext(ctx, "job not sent, left to sweep", "payment", message.PaymentID, "error", err)
	}
}
