// Package app reads the environment and builds the service. It is the only
// place that knows every room, the clock and the randomness.
package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"

	"checkout/internal/api"
	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/request"
	"checkout/internal/store"
	"checkout/internal/store/dynamo"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/logging"
)

// Env reads a variable of the environment, "" if it is not set.
type Env func(name string) string

// App is the service, put together.
type App struct {
	Service *checkout.Service
	API     *api.API
}

// AskTimeout is how long a provider may take to answer.
const AskTimeout = 15 * time.Second

// build joins what every function is given: a service with its clock, its log and its table. Now and Store are set.
func build(env Env, log *slog.Logger, s *checkout.Service) (*given, error) {
	days, err := strconv.Atoi(cmp.Or(env("PAYMENT_RETENTION_DAYS"), "0"))
	if err != nil || days < 0 {
		return nil, fmt.Errorf("PAYMENT_RETENTION_DAYS: %q is no number of days", env("PAYMENT_RETENTION_DAYS"))
	}
	s.Store = store.Retain(s.Store, time.Duration(days)*24*time.Hour)
	s.Stack = cmp.Or(env("STACK"), "local")
	s.Random = random
	s.Log = log
	s.Declarations = connector.Declarations()
	s.AskTimeout = AskTimeout
	s.Pause = pause
	none(s)
	return &given{App: &App{Service: s, API: &api.API{Service: s, OriginSecret: originSecret(env)}}, env: env}, nil
}

// originSecret is what CloudFront sends with every request; "off" lets requests in from anywhere, as a local run without
// CloudFront does.
func originSecret(env Env) string {
	if env("ORIGIN_SECRET") == "off" {
		return ""
	}
	return env("ORIGIN_SECRET")
}

// random answers n bytes that nobody can guess. crypto/rand never fails.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

// newWriterID is 80 bits of text: it tells the writes of one version of a document apart, and is stored with each.
func newWriterID() string { return rand.Text()[:16] }

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

// Logger writes JSON lines, each with the id of the request that it belongs to, and without texts that are empty:
// CloudWatch is paid by the byte.
func Logger(w io.Writer) *slog.Logger {
	return slog.New(request.NewLogHandler(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch {
		case a.Key == slog.TimeKey && a.Value.Kind() == slog.KindTime:
			return slog.String(a.Key, a.Value.Time().UTC().Format("2006-01-02T15:04:05.000Z"))
		case a.Value.Kind() == slog.KindString && a.Value.String() == "":
			return slog.Attr{}
		}
		return a
	}})))
}

// onAWS builds the service over DynamoDB, SQS and KMS, with the parts that a
// function is given and no other.
func onAWS(ctx context.Context, env Env, log *slog.Logger, parts []*part) (*App, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithLogger(logging.LoggerFunc(func(_ logging.Classification, format string, values ...any) {
		log.Warn("SDK", "message", fmt.Sprintf(format, values...))
	})))
	if err != nil {
		return nil, fmt.Errorf("read AWS configuration: %w", err)
	}
	now, err := clock(env)
	if err != nil {
		return nil, err
	}
	tables := dynamo.Tables{Main: env("TABLE"), Vault: env("VAULT_TABLE")}
	store := dynamo.NewStore(dynamodb.NewFromConfig(cfg), tables, newWriterID)
	g, err := build(env, log, &checkout.Service{Now: now, Store: store})
	if err != nil {
		return nil, err
	}
	g.aws = cfg
	for _, p := range parts {
		p.add(g)
	}
	return g.App, g.start(ctx)
}

// clock is the time. CLOCK_OFFSET, such as "90s", sets it forward where what
// is due later is to be seen at once; only tests set it.
func clock(env Env) (func() time.Time, error) {
	if env("CLOCK_OFFSET") == "" {
		return milliseconds(time.Now), nil
	}
	offset, err := time.ParseDuration(env("CLOCK_OFFSET"))
	if err != nil {
		return nil, fmt.Errorf("CLOCK_OFFSET: %w", err)
	}
	return milliseconds(func() time.Time { return time.Now().Add(offset) }), nil
}

// milliseconds is a clock that knows no smaller unit: what is stored names times in UTC, and is paid by the KB.
func milliseconds(now func() time.Time) func() time.Time {
	return func() time.Time { return now().UTC().Truncate(time.Millisecond) }
}

func newSender(env Env) callback.Sender {
	return callback.New(callback.Options{AllowLoopback: env("ALLOW_LOOPBACK_CALLBACKS") == "true"})
}
