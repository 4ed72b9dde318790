package function

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"checkout/internal/api"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/merchant"
	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Env reads a variable of the environment, "" if it is not set.
type Env func(name string) string

// App is the service with what a function is given, and its API.
type App struct {
	Service *checkout.Service
	API     *api.API
}

// Given is an app while its parts are added, and what they are made of.
type Given struct {
	*App
	Env Env
	AWS func(service string) aws.Config // for the client of a service, such as "SQS"

	secretKeys map[merchant.SecretUse]string // the KMS key of each use
}

// ProviderTimeout is how long a provider may take to respond.
const ProviderTimeout = 15 * time.Second

// Build gives a service, of which Now and Store are set, what every function has. All parts are absent.
func Build(env Env, log *slog.Logger, s *checkout.Service) (*Given, error) {
	days, err := strconv.Atoi(cmp.Or(env("PAYMENT_RETENTION_DAYS"), "0"))
	if err != nil || days < 0 {
		return nil, fmt.Errorf("PAYMENT_RETENTION_DAYS: %q is no number of days", env("PAYMENT_RETENTION_DAYS"))
	}
	s.Store = store.Retain(s.Store, time.Duration(days)*24*time.Hour)
	s.Stack = cmp.Or(env("STACK"), "local")
	s.Random = Random
	s.Log = log
	s.Declarations = connector.Declarations()
	s.ProviderTimeout = ProviderTimeout
	s.Pause = pause
	setAbsent(s)
	a := &App{Service: s, API: &api.API{Service: s, OriginSecret: originSecret(env)}}
	return &Given{App: a, Env: env}, nil
}

// originSecret is what CloudFront sends with every request. "off" lets requests in from anywhere, as a local run
// without CloudFront does.
func originSecret(env Env) string {
	if env("ORIGIN_SECRET") == "off" {
		return ""
	}
	return env("ORIGIN_SECRET")
}

// Random returns n bytes that nobody can guess. crypto/rand never fails.
func Random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

// NewWriterID returns 80 bits of text: it tells the writes of one version of a document apart, and is stored with each.
func NewWriterID() string { return rand.Text()[:16] }

// pause waits for d, and fails if ctx ends before.
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
