package cloud

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"checkout/internal/local/cloud/engine"
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
