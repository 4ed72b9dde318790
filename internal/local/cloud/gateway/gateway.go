// Package gateway is CloudFront, the bucket and the HTTP API of a local run, as one HTTP handler: it finds the
// distribution's behaviour for a path, serves the static page or calls the function of the route with API Gateway's
// payload format 2.0, and adds the headers of the behaviour's response headers policy. It may also be an HTTP API by
// itself, whose callers sign their requests.
package gateway

import (
	"context"
	"sync"
	"time"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"
)

// Limits of an HTTP API.
const (
	maxBody         = 10 << 20 // bytes
	integrationTime = 30 * time.Second
)

// Config says what the gateway serves.
type Config struct {
	Site       template.Site
	Routes     []template.Route
	AccessLog  string // format of the API's access log; empty for none
	StaticDir  string // the built page
	IAM        *IAM   // decides about signed requests; nil for an API behind CloudFront
	PageOrigin string // takes the place of {PAGE_ORIGIN} in the root object, as when that is uploaded; empty: it stays
	Invoke     func(ctx context.Context, function string, payload []byte) (lambda.Result, error)
	Now        func() time.Time
}

// Gateway is the HTTP handler of the whole site.
type Gateway struct {
	config Config
	counts counter
}

// New makes a gateway.
func New(config Config) *Gateway { return &Gateway{config: config} }

// Counts is what the gateway has transferred since the last reset.
type Counts struct {
	Requests    int64 // of viewers
	Functions   int64 // runs of CloudFront Functions
	Bytes       int64 // to viewers: status line, headers and bodies, compressed where CloudFront would
	OriginBytes int64 // of requests with a body to the API: request line, headers and body
	LogBytes    int64 // of the API's access log
}

type counter struct {
	mu    sync.Mutex
	total Counts
}

// Counts of all requests.
func (g *Gateway) Counts() Counts {
	g.counts.mu.Lock()
	defer g.counts.mu.Unlock()
	return g.counts.total
}

// Reset begins to count anew.
func (g *Gateway) Reset() {
	g.counts.mu.Lock()
	defer g.counts.mu.Unlock()
	g.counts.total = Counts{}
}

func (c *counter) add(counted Counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total.Requests += counted.Requests
	c.total.Functions += counted.Functions
	c.total.Bytes += counted.Bytes
	c.total.OriginBytes += counted.OriginBytes
	c.total.LogBytes += counted.LogBytes
}
