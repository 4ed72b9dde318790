package function

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"checkout/internal/api"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/store"
)

// Env reads a variable of the environment, "" if it is not set.
type Env func(name string) string

// Needs is what a function needs of template.yaml: what its Build has asked for.
type Needs struct {
	Variables []string            // of the environment
	Actions   map[string][]string // of AWS, by the resources that template.yaml names
	Routes    api.Routes          // that lead to it
}

// Version is that of the code: the linker sets what infra/tools/version prints. It is in the log line of a start, and
// in the header X-Service-Version of every response.
var Version = "dev"

// Builder has the ports of functions. Each call of one of its methods is recorded, with what it needs of template.yaml.
type Builder struct {
	AWS func(service string) aws.Config // returns the configuration of a service's client, such as "SQS"

	env    Env
	log    *slog.Logger
	needs  Needs
	errs   []error
	starts []func() // what begins once the function is built
}

func newBuilder(env Env, log *slog.Logger) *Builder {
	return &Builder{env: env, log: log, AWS: awsConfig(env, log), needs: Needs{Actions: map[string][]string{}}}
}

// Variable returns a variable of the environment that the function needs.
func (b *Builder) Variable(name string) string {
	b.needs.Variables = append(b.needs.Variables, name)
	value := b.env(name)
	if value == "" {
		b.fail(fmt.Errorf("the environment has no %s", name))
	}
	return value
}

// Option returns a variable of the environment that only tests set.
func (b *Builder) Option(name string) string { return b.env(name) }

// May says that the function does some actions, such as "sqs:SendMessage", with a resource of template.yaml.
func (b *Builder) May(resource string, actions ...string) {
	b.needs.Actions[resource] = append(b.needs.Actions[resource], actions...)
}

// MayTable says which operations of DynamoDB the function does with a table: their names, separated by spaces.
func (b *Builder) MayTable(resource, operations string) {
	for _, name := range strings.Fields(operations) {
		b.May(resource, "dynamodb:"+name)
	}
}

// Start has something begin once the function is built, while the first request reads other documents. Where it fails,
// its first use tries again and returns the error.
func (b *Builder) Start(name string, begin func(context.Context) error) {
	b.starts = append(b.starts, func() {
		go func() {
			if err := begin(context.Background()); err != nil {
				b.log.Error(name, "error", err)
			}
		}()
	})
}

func (b *Builder) fail(err error) { b.errs = append(b.errs, err) }

// err returns why the function can't be built, nil if it can.
func (b *Builder) err() error { return errors.Join(b.errs...) }

// NewCore returns what every function has, with the settings of an environment.
func NewCore(env Env, log *slog.Logger, now func() time.Time, documents store.Store) (*checkout.Core, error) {
	retention, err := daysOf(env, "PAYMENT_RETENTION_DAYS", "0")
	if err != nil {
		return nil, err
	}
	return &checkout.Core{
		Store: store.Retain(documents, retention), Declarations: connector.Declarations(), Now: now, Random: Random,
		Pause: pause, Log: log, Stack: cmp.Or(env("STACK"), "local"),
	}, nil
}

// NewAPI returns what all handlers of HTTP requests have in common.
func NewAPI(core *checkout.Core, env Env) *api.API {
	return &api.API{Core: core, Version: Version, OriginSecret: originSecret(env)}
}

// ListingTTL returns for how long payments are listed: LISTING_RETENTION_DAYS, without it 25 months.
func ListingTTL(env Env) (time.Duration, error) { return daysOf(env, "LISTING_RETENTION_DAYS", "761") }

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
