package function

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"checkout/internal/api"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/archive"
	"checkout/internal/payer"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/worker"
)

// Env reads a variable of the environment, "" if it is not set.
type Env func(name string) string

// App is the service, with the parts of a function, and its API. A port that the function was not given is nil: a test
// proves that no function can use it.
type App struct {
	Core     *checkout.Core
	Payer    *payer.Service
	Merchant *merchant.Service
	Worker   *worker.Service
	Operator *operator.Service
	API      *api.API

	ComparePage func(ctx context.Context) error // compares the page with its release

	// IndexOrders lists payments for operators, by the partitions of their orders. It returns those that failed.
	IndexOrders func(ctx context.Context, partitions []string) (failed []string, err error)

	// CopyAudit copies audit documents that have changed to their bucket. It returns the changes that failed. RepairAudit
	// copies those that have no copy, and returns how many these were.
	CopyAudit   func(ctx context.Context, changes []archive.Change) (failed []archive.Change, err error)
	RepairAudit func(ctx context.Context) (copied int, err error)
}

// Builder is an app to which parts are added.
type Builder struct {
	*App
	Env Env
	AWS func(service string) aws.Config // returns the configuration of a service's client, such as "SQS"

	ListingTTL time.Duration // for how long payments are listed: LISTING_RETENTION_DAYS, without it 25 months

	secretKeys map[settings.SecretUse]string // the KMS key of each use
}

// ProviderTimeout is how long a provider may take to respond.
const ProviderTimeout = 15 * time.Second

// NewBuilder completes a core whose Now and Store are set, with all that every function has and without parts.
func NewBuilder(env Env, log *slog.Logger, s *checkout.Core) (*Builder, error) {
	retention, err := daysOf(env, "PAYMENT_RETENTION_DAYS", "0")
	if err != nil {
		return nil, err
	}
	listed, err := daysOf(env, "LISTING_RETENTION_DAYS", defaultListingDays)
	if err != nil {
		return nil, err
	}
	s.Store = store.Retain(s.Store, retention)
	s.Stack = cmp.Or(env("STACK"), "local")
	s.Random, s.Pause = Random, pause
	s.Log = log
	s.Declarations = connector.Declarations()
	a := &App{
		Core:     s,
		Payer:    &payer.Service{Core: s},
		Merchant: &merchant.Service{Core: s},
		Worker:   &worker.Service{Core: s, ProviderTimeout: ProviderTimeout},
		Operator: &operator.Service{Core: s},
	}
	a.API = &api.API{
		Core: s, Payer: a.Payer, Merchant: a.Merchant, Worker: a.Worker, Operator: a.Operator,
		Version: Version, OriginSecret: originSecret(env),
	}
	return &Builder{App: a, Env: env, ListingTTL: listed}, nil
}

// defaultListingDays are 25 months.
const defaultListingDays = "761"

// daysOf returns a time of whole days from a variable of the environment.
func daysOf(env Env, name, otherwise string) (time.Duration, error) {
	days, err := strconv.Atoi(cmp.Or(env(name), otherwise))
	if err != nil || days < 0 {
		return 0, fmt.Errorf("%s: %q is no number of days", name, env(name))
	}
	return time.Duration(days) * 24 * time.Hour, nil
}

// originSecret returns the secret that CloudFront sends with every request. It returns "" for "off", which a local run
// without CloudFront sets to accept requests from anywhere.
func originSecret(env Env) string {
	if env("ORIGIN_SECRET") == "off" {
		return ""
	}
	return env("ORIGIN_SECRET")
}

// Random returns n random bytes. crypto/rand never fails.
func Random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

// NewWriterID returns a random text of 80 bits. It is stored with each write of a document, to tell apart two writes of
// the same version.
func NewWriterID() string { return rand.Text()[:16] }

// pause waits for d. It fails if ctx ends before.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
