package function

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/smithy-go/logging"
)

// awsConfig returns the configuration of a client by the name of its service, with which the variable of its endpoint
// ends. Lambda sets region and credentials in the environment, and replaces the process before these expire. The SDK's
// config package reads profiles, files, instance metadata and single sign-on too, and would make each binary 2 MB
// larger and its start slower.
func awsConfig(env Env, log *slog.Logger) func(service string) aws.Config {
	config := aws.Config{
		Region: env("AWS_REGION"),
		Credentials: credentials.NewStaticCredentialsProvider(
			env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY"), env("AWS_SESSION_TOKEN")),
		HTTPClient: awshttp.NewBuildableClient().WithTransportOptions(keepConnections),
		Retryer:    retrySoon,
		Logger: logging.LoggerFunc(func(_ logging.Classification, format string, values ...any) {
			log.Warn("SDK", "message", fmt.Sprintf(format, values...))
		}),
	}
	return func(service string) aws.Config {
		c := config
		for _, variable := range []string{"AWS_ENDPOINT_URL_" + service, "AWS_ENDPOINT_URL"} {
			if url := env(variable); url != "" {
				c.BaseEndpoint = &url
				break
			}
		}
		return c
	}
}

// keepConnections keeps as many idle connections open as the sweep sends requests at the same time, one for each shard
// of a kind. By default most would be closed after each request.
func keepConnections(t *http.Transport) { t.MaxIdleConnsPerHost = store.MaxDueShards }

// retrySoon returns the SDK's retryer with a sixteenth of its delays: at most 125 ms after the first attempt and 250 ms
// after the second. The SDK's own 2 s and 4 s are too long for a payer who waits.
func retrySoon() aws.Retryer {
	backoff := retry.NewExponentialJitterBackoff(retry.DefaultMaxBackoff)
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, err error) (time.Duration, error) {
			delay, err := backoff.BackoffDelay(attempt, err)
			return delay / 16, err
		})
	})
}

// clock returns the clock of the service. Tests set it forward by CLOCK_OFFSET, such as "90s", instead of waiting.
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

// milliseconds returns a clock in UTC without smaller units. Stored times are short then: DynamoDB is paid by the KB.
func milliseconds(now func() time.Time) func() time.Time {
	return func() time.Time { return now().UTC().Truncate(time.Millisecond) }
}
