package checkout

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/circuit"
	"checkout/internal/merchant"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Service has all operations as methods. Every field that they use must be set.
type Service struct {
	Store      store.Store
	Queue      Queue
	Vault      card.Vault
	Secrets    merchant.Secrets
	Connectors map[string]Connector
	Sender     callback.Sender
	Wallets    Wallets
	Sessions   MerchantSessions

	Declarations merchant.Declarations // of all connectors, also if Connectors is nil

	Now     func() time.Time
	Random  func(n int) []byte // n unpredictable bytes
	BaseURL string             // public address of the page, without a trailing slash
	// WalletURL is the page on a second origin that loads the script of W2, which never runs beside card fields.
	WalletURL string
	Log       *slog.Logger
	Stack     string // name of the deployment, a dimension of its metrics

	// Pause waits for a duration. It fails if ctx ends before that.
	Pause func(ctx context.Context, d time.Duration) error

	// ProviderTimeout is the time limit of a provider request; a look-up has a third of it. Both together are
	// less than the timeout of the connector function.
	ProviderTimeout time.Duration

	accountCache merchant.AccountCache
	breakerCache callback.BreakerCache
	certificates store.Cache[bool] // by merchant: whether a certificate ends soon

	circuitMemory circuit.Memory

	limits   merchant.Limits
	keyCache card.KeyCache
}

// account returns the merchant and owner of a merchant_key, nil if there is none.
func (s *Service) account(ctx context.Context, key string, now time.Time) (*merchant.Merchant, request.Owner, error) {
	return s.accounts().ByKey(ctx, key, now)
}

// merchant returns a merchant with the secrets that this function may decrypt, nil if there is none.
func (s *Service) merchant(ctx context.Context, id string, now time.Time) (*merchant.Merchant, error) {
	return s.accounts().ByID(ctx, id, now)
}

func (s *Service) meter() metric.Meter { return metric.Meter{Log: s.Log, Stack: s.Stack, Now: s.Now} }

func (s *Service) measure(ctx context.Context, line metric.Line, attrs ...slog.Attr) {
	s.meter().Measure(ctx, line, attrs...)
}

// conflicts measures a change that failed after too many conflicts, and returns ErrConflicts.
func (s *Service) conflicts(ctx context.Context, test bool, operation, payment string) error {
	return s.meter().Conflicts(ctx, test, operation, payment)
}

func (s *Service) cardKeys() card.Keys {
	return card.Keys{Store: s.Store, Vault: s.Vault, Cache: &s.keyCache}
}

func (s *Service) accounts() merchant.Accounts {
	return merchant.Accounts{Store: s.Store, Secrets: s.Secrets, Connectors: s.Declarations, Cache: &s.accountCache}
}

// authenticate checks the hash of a request that is not a session, made of the parts as they were sent or in one of the
// other forms that may be signed, and the password (decisions.md 3), and admits the caller's merchant.
// Errors: CodeHash, also if the merchant is nil; CodeDenied; CodeTooMany.
func (s *Service) authenticate(c merchant.Caller, hash string, sent request.Signed, others ...request.Signed) error {
	m := cmp.Or(c.Merchant, merchant.NoMerchant)
	valid := slices.ContainsFunc(append(others, sent),
		func(parts request.Signed) bool { return merchant.VerifyHash(hash, m, parts...) })
	if !valid || c.Merchant == nil {
		return merchant.ErrHash(c.Merchant, c.Owner, hash, sent)
	}
	return s.admit(m)
}

// admit checks that a merchant is enabled and within its rate limit. Errors: CodeDenied, CodeTooMany.
func (s *Service) admit(m *merchant.Merchant) error {
	if m.Disabled {
		return request.ErrDenied()
	}
	return s.limits.Take(m, s.Now())
}

// sendJob sends a message for a job. It only logs a failure, because the job is stored and Sweep sends it later.
func (s *Service) sendJob(ctx context.Context, message JobMessage, delay time.Duration) {
	message.Cause = cmp.Or(message.Cause, request.ID(ctx))
	if err := s.Queue.SendJob(ctx, message, delay); err != nil {
		s.Log.WarnContext(ctx, "job not sent, left to sweep", "payment", message.PaymentID, "error", err)
	}
}
