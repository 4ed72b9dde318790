package cloud

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"

	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"
)

// AdminKey is the access key id that may do everything at the endpoint and the engines, with any secret.
const AdminKey = endpoint.AdminKey

// BaseURL is the address of the gateway, without a slash at its end.
func (c *Cloud) BaseURL() string { return c.localhost(gatewaySide) }

// WalletURL is the address of the frame of Google Pay, without a slash at its end.
func (c *Cloud) WalletURL() string { return c.localhost(walletSide) }

func (c *Cloud) localhost(side int) string {
	_, port, _ := net.SplitHostPort(c.address[side])
	return "http://localhost:" + port
}

// EndpointURL is the AWS endpoint that the functions use.
func (c *Cloud) EndpointURL() string { return "http://" + c.address[endpointSide] }

// DynamoDBURL is the address of the DynamoDB engine itself, where nothing is checked or counted; use AdminKey.
func (c *Cloud) DynamoDBURL() string { return c.engines.DynamoDB }

// Template returns the template as it was read.
func (c *Cloud) Template() *template.Template { return c.template }

// TableName returns the name of the table with a logical id, empty if there is none.
func (c *Cloud) TableName(id string) string {
	for _, t := range c.template.Tables {
		if t.ID == id {
			return t.Name
		}
	}
	return ""
}

// BucketName returns the name of the bucket with a logical id, empty if there is none.
func (c *Cloud) BucketName(id string) string {
	for _, b := range c.template.Buckets {
		if b.ID == id {
			return b.Name
		}
	}
	return ""
}

func (c *Cloud) keyID(id string) string {
	for _, k := range c.template.Keys {
		if k.ID == id {
			return k.KeyID
		}
	}
	return ""
}

// Depth is how much a queue holds.
type Depth struct {
	Visible int // waiting to be received
	Hidden  int // received and not deleted yet
	Delayed int // not to be received yet
}

// QueueDepth counts the messages of the queue with a logical id.
func (c *Cloud) QueueDepth(ctx context.Context, id string) (Depth, error) {
	for _, q := range c.template.Queues {
		if q.ID != id {
			continue
		}
		var out struct{ Attributes map[string]string }
		query := map[string]any{"QueueUrl": c.urls[q.Name], "AttributeNames": []string{"All"}}
		if err := c.engines.Queues().Call(ctx, "GetQueueAttributes", query, &out); err != nil {
			return Depth{}, err
		}
		number := func(name string) int {
			count, _ := strconv.Atoi(out.Attributes["ApproximateNumberOfMessages"+name])
			return count
		}
		return Depth{Visible: number(""), Hidden: number("NotVisible"), Delayed: number("Delayed")}, nil
	}
	return Depth{}, fmt.Errorf("no queue has the logical id %s", id)
}

// Waiting returns what the queues hold that functions receive from, up to the first with messages that can be received
// or are being handled. They are read one after the other, and twice if there are none: a message may lead to one in a
// queue that was read before.
func (c *Cloud) Waiting(ctx context.Context) (sum Depth, err error) {
	for range 2 {
		sum = Depth{}
		for _, q := range c.template.Queues {
			if strings.HasPrefix(q.ID, "Dead") {
				continue
			}
			depth, err := c.QueueDepth(ctx, q.ID)
			if err != nil || depth.Visible+depth.Hidden > 0 {
				return depth, err
			}
			sum.Delayed += depth.Delayed
		}
	}
	return sum, nil
}

// Invoke calls a function with a raw payload, or for half of the calls that of the older release.
func (c *Cloud) Invoke(ctx context.Context, function string, payload []byte) (lambda.Result, error) {
	if c.config.OldDir != "" && rand.New(rand.NewPCG(c.config.Seed, c.calls.Add(1))).IntN(2) == 0 {
		result, err := c.host.Invoke(ctx, function+Old, payload)
		if !errors.Is(err, lambda.ErrUnknown) {
			return result, err
		}
	}
	return c.host.Invoke(ctx, function, payload)
}

// Fire calls a function as its schedule does, now, and waits for it. It fails when the function does or has no
// schedule.
func (c *Cloud) Fire(ctx context.Context, function string) error {
	for _, f := range c.template.Functions {
		if f.Name == function && len(f.Schedules) > 0 {
			return c.sources.Fire(ctx, function, f.Schedules[0].ID)
		}
	}
	return fmt.Errorf("no function %s with a schedule", function)
}

// Handle serves a path such as /demo, and everything below it, on the gateway's port, for what only a local run has.
func (c *Cloud) Handle(path string, handler http.Handler) { c.extra.Store(path, handler) }

// Restart ends all environments of every function and sets a variable for later ones.
func (c *Cloud) Restart(name, value string) {
	c.host.Set(name, value)
	for _, f := range c.template.Functions {
		c.Kill(f.Name)
	}
}

// Logs is everything that a function wrote to its standard output and error.
func (c *Cloud) Logs(function string) string {
	return c.host.Logs(function) + c.host.Logs(function+Old)
}

// AllLogs is everything that every function wrote, by function.
func (c *Cloud) AllLogs() map[string]string {
	logs := map[string]string{}
	for _, f := range c.template.Functions {
		logs[f.Name] = c.Logs(f.Name)
	}
	return logs
}

// Kill ends all environments of a function at once, with their calls, and returns how many there were.
func (c *Cloud) Kill(function string) int { return c.host.Kill(function) + c.host.Kill(function+Old) }

// KillAfter kills a function after its next call of an operation such as dynamodb:PutItem (empty: any), or after skip
// more such calls. For a kill before the call, see Inject.
func (c *Cloud) KillAfter(function, operation string, skip int) *endpoint.Injected {
	return c.Inject(endpoint.Fault{Function: function, Operation: operation, Skip: skip, Do: endpoint.KillAfter})
}

// Inject breaks AWS calls of functions: see endpoint.Fault.
func (c *Cloud) Inject(f endpoint.Fault) *endpoint.Injected { return c.endpoint.Inject(f) }

// Usage is what one function has used.
type Usage struct {
	lambda.Counts
	AWS endpoint.Counts
}

// Snapshot is the usage of every function since the start or the last Reset.
func (c *Cloud) Snapshot() map[string]Usage {
	aws := c.endpoint.Counts()
	all := map[string]Usage{}
	for name, counts := range c.host.Counts() {
		all[name] = Usage{Counts: counts, AWS: aws[name]}
	}
	return all
}

// Front is what the gateway of the page and the API has transferred since the start or the last Reset.
func (c *Cloud) Front() gateway.Counts { return c.gateway.Counts() }

// Reset begins to count anew.
func (c *Cloud) Reset() {
	c.gateway.Reset()
	c.host.Reset()
	c.endpoint.Reset()
}
