// Package cloud runs the real Lambda binaries without AWS, as template.yaml describes them: gateways in the place of
// its two CloudFront distributions and the HTTP API, a Lambda host, an AWS endpoint that knows which function calls and
// what its policies allow, DynamoDB Local and ElasticMQ behind it, queue pollers and schedules. All of it is a value:
// Start makes one, Close ends every process of it, and tests may kill functions and break calls in between.
package cloud

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/source"
	"checkout/internal/local/cloud/template"
)

// Region and account are those of the local cloud and of its engines.
const (
	Region  = "eu-central-1"
	account = "000000000000"
)

// Config says what to run. The zero value runs the repository in the current folder on a free port.
type Config struct {
	Root        string              // folder of the repository
	Template    string              // default: Root/template.yaml
	BinaryDir   string              // has <function>/bootstrap; default: Root/bin/lambda
	OldDir      string              // the same of an older release, which serves half of the calls; default: none
	Seed        uint64              // decides which half
	StaticDir   string              // the built page; default: Root/infra/page/dist
	WalletDir   string              // the built frame of Google Pay; default: Root/infra/page/dist-wallet
	Port        int                 // of the gateway on loopback; 0: any free one
	WalletPort  int                 // of the frame's gateway on loopback; 0: any free one
	Endpoint    string              // host that the AWS endpoint listens on; default: 127.0.0.1
	StackName   string              // prefix of table and queue names; default: local
	Parameters  map[string]string   // of the template
	Environment map[string]string   // variables that only a local run has, for every function
	Most        int                 // environments per function; default: 8 per processor
	Visibility  time.Duration       // of all queues, instead of the template's; 0: the template's
	Slower      int                 // how many times longer than on AWS functions may take, for busy machines; 0: once
	People      map[string]Person   // who else may call the admin API, by access key id
	NoSchedule  bool                // functions with schedules are called by Fire alone
	NoStreams   bool                // tables have no streams, whose records functions would be called for
	Engines     *engine.Engines     // running engines, which Close leaves alone; default: StartEngines
	Log         io.Writer           // gets the functions' lines; default: nobody
	Now         func() time.Time    // default: time.Now
	Getenv      func(string) string // default: os.Getenv; see StartEngines
	AfterStart  func(*Cloud) error  // runs when everything is ready, for example to load merchants
}

func withDefaults(config Config) Config {
	set := func(text *string, otherwise string) {
		if *text == "" {
			*text = otherwise
		}
	}
	set(&config.Template, filepath.Join(config.Root, "template.yaml"))
	set(&config.BinaryDir, filepath.Join(config.Root, "bin", "lambda"))
	set(&config.StaticDir, filepath.Join(config.Root, "infra", "page", "dist"))
	set(&config.WalletDir, filepath.Join(config.Root, "infra", "page", "dist-wallet"))
	set(&config.StackName, "local")
	set(&config.Endpoint, "127.0.0.1")
	if config.Most == 0 {
		config.Most = 8 * runtime.NumCPU()
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Getenv == nil {
		config.Getenv = os.Getenv
	}
	if config.Log != nil {
		config.Log = &oneAtATime{out: config.Log}
	}
	return config
}

// oneAtATime passes writes on one at a time, so that lines of several functions don't mix.
type oneAtATime struct {
	mu  sync.Mutex
	out io.Writer
}

func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.out.Write(p)
}

// Person is whoever signs requests to the admin API with an access key. Without policies, everything is allowed.
type Person = gateway.Caller

// Cloud is a running local cloud.
type Cloud struct {
	config   Config
	template *template.Template
	engines  *engine.Engines
	urls     map[string]string // the engine's URL of each queue, by name
	host     *lambda.Host
	endpoint *endpoint.Endpoint
	gateway  *gateway.Gateway // of the page and the API
	sources  *source.Sources
	calls    atomic.Uint64 // of all functions, for Config.Seed
	address  [4]string     // of the gateways and the endpoint
	extra    sync.Map      // http.Handler by path, see Handle
	closers  []func()      // in the order of starting
	once     sync.Once
}

const (
	gatewaySide = iota
	walletSide
	endpointSide
	adminSide
)

// Old is the end of the names by which Snapshot counts calls of functions of OldDir.
const Old = " of the older release"

// Close ends everything in the reverse order of starting. It may be called more than once.
func (c *Cloud) Close() {
	c.once.Do(func() {
		for i := len(c.closers) - 1; i >= 0; i-- {
			c.closers[i]()
		}
	})
}
