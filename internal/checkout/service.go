package checkout

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/merchant"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Service does every operation. All fields must be set, but for those
// that the operations of one function do not use.
type Service struct {
	Store      store.Store
	Queue      Queue
	Vault      card.Vault
	Secrets    merchant.Secrets
	Connectors map[string]Connector
	Sender     callback.Sender

	Declarations merchant.Declarations // of all connectors, also where Connectors is nil

	Now     func() time.Time
	Random  func(n int) []byte // n bytes that nobody can guess
	BaseURL string             // public address of the page, without a trailing slash
	Log     *slog.Logger
	Stack   string // the name of the deployment, by which its metrics are told from another one's

	// Pause waits, and fails if ctx ends before.
	Pause func(ctx context.Context, d time.Duration) error

	ProviderTimeout time.Duration // how long a provider may take to answer; a third of it for a look-up; both together less than the connector function may take

	accountCache merchant.AccountCache
	breakerCache callback.BreakerCache
	limits       merchant.Limits
	keyCache     card.KeyCache
}

// account returns whom a merchant_key names, nil if nobody.
func (s *Service) account(ctx context.Context, key string, now time.Time) (*merchant.Merchant, request.Owner, error) {
	return s.accounts().ByKey(ctx, key, now)
}

// merchant returns the merchant of an id, with the secrets that this function may decrypt, nil if there is none.
func (s *Service) merchant(ctx context.Context, id string, now time.Time) (*merchant.Merchant, error) {
	return s.accounts().ByID(ctx, id, now)
}

func (s *Service) meter() metric.Meter { return metric.Meter{Log: s.Log, Stack: s.Stack, Now: s.Now} }

func (s *Service) measure(ctx context.Context, line metric.Line, attrs ...slog.Attr) {
	s.meter().Measure(ctx, line, attrs...)
}

// conflicts measures a change that met a conflict each time, and returns ErrConflicts.
func (s *Service) conflicts(ctx context.Context, operation, payment string) error {
	return s.meter().Conflicts(ctx, operation, payment)
}

func (s *Service) cardKeys() card.Keys {
	return card.Keys{Store: s.Store, Vault: s.Vault, Cache: &s.keyCache}
}

func (s *Service) accounts() merchant.Accounts {
	return merchant.Accounts{Store: s.Store, Secrets: s.Secrets, Connectors: s.Declarations, Cache: &s.accountCache}
}

// authenticate checks the hash of a request that is not a session: over the
// given parts and the password (decisions.md 3).
// Errors: CodeHash, also where there is no such merchant; CodeDenied; CodeTooMany.
func (s *Service) authenticate(m *merchant.Merchant, hash string, parts request.Signed) error {
	known := m != nil
	if !known {
		m = merchant.NoMerchant
	}
	if !merchant.VerifyHash(hash, m, parts...) || !known {
		return request.ErrHash()
	}
	return s.admit(m)
}

// admit lets a merchant in whose request is authentic, unless it is disabled
// or over its rate limit. Errors: CodeDenied, CodeTooMany.
func (s *Service) admit(m *merchant.Merchant) error {
	if m.Disabled {
		return request.ErrDenied()
	}
	return s.limits.Take(m, s.Now())
}

// sendJob puts a job on its queue. A failure is only logged: the job is stored and due, and Sweep sends it.
func (s *Service) sendJob(ctx context.Context, message JobMessage, delay time.Duration) {
	message.Cause = cmp.Or(message.Cause, request.ID(ctx))
	if err := s.Queue.SendJob(ctx, message, delay); err != nil {
		s.Log.WarnContext(ctx, "job not sent, left to sweep", "payment", message.PaymentID, "error", err)
	}
}
