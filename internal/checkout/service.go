package checkout

import (
	"context"
	"log/slog"
	"time"
)

// Service carries out every operation. All fields must be set, but for those
// that the operations of one function do not use.
type Service struct {
	Store      Store
	Queue      Queue
	Vault      Vault
	Secrets    Secrets
	Connectors map[string]Connector
	Sender     Sender

	Now     func() time.Time
	Random  func(n int) []byte // n bytes that nobody can guess
	BaseURL string             // public address of the page, without a trailing slash
	Log     *slog.Logger
	Stack   string // the name of the deployment, by which its metrics are told from another one's

	// Pause waits, and fails if ctx ends before.
	Pause func(ctx context.Context, d time.Duration) error

	AskTimeout time.Duration // how long a provider may take to answer; a third of it for a look-up; both together less than the connector function may take

	accounts  AccountCache
	receivers cache[receiver]
	limits    limits

	sealKeys    cache[sealKey] // by day
	privateKeys privateKeys
	turned      cache[bool] // by day: whether the keys of the day were looked after
}

// account returns whom a merchant_key names, nil if nobody.
func (s *Service) account(ctx context.Context, key string, now time.Time) (*Merchant, Owner, error) {
	return s.accountsOf().byKey(ctx, key, now)
}

// merchant returns the merchant of an id, with the secrets that this function may decrypt, nil if there is none.
func (s *Service) merchant(ctx context.Context, id string, now time.Time) (*Merchant, error) {
	return s.accountsOf().byID(ctx, id, now)
}

func (s *Service) accountsOf() Accounts { return Accounts{s.Store, s.Secrets, &s.accounts} }

// authenticate checks the hash of a request that is not a session: over the
// given parts and the password (decisions.md 3).
// Errors: CodeHash, also where there is no such merchant; CodeDenied; CodeTooMany.
func (s *Service) authenticate(m *Merchant, hash string, parts signed) error {
	known := m != nil
	if !known {
		m = noMerchant
	}
	if !verifyHash(hash, m, parts...) || !known {
		return errHash()
	}
	return s.admit(m)
}

// admit lets a merchant in whose request is authentic, unless it is disabled
// or over its rate limit. Errors: CodeDenied, CodeTooMany.
func (s *Service) admit(m *Merchant) error {
	if m.Disabled {
		return errDenied()
	}
	return s.limits.take(m, s.Now())
}
