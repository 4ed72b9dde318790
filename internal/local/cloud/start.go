package cloud

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/source"
	"checkout/internal/local/cloud/template"
)

// Start starts a local cloud, which runs until Close; the context is for the start only. Its error is one line, or one
// per fault of the template.
func Start(ctx context.Context, config Config) (*Cloud, error) {
	c := &Cloud{config: withDefaults(config)}
	if err := c.start(ctx); err != nil {
		c.Close()
		return nil, err
	}
	if config.AfterStart != nil {
		if err := config.AfterStart(c); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

func (c *Cloud) start(ctx context.Context) error {
	front, err := c.listen(gatewaySide, "127.0.0.1", c.config.Port)
	if err != nil {
		return err
	}
	wallet, err := c.listen(walletSide, "127.0.0.1", c.config.WalletPort)
	if err != nil {
		return err
	}
	back, err := c.listen(endpointSide, c.config.Endpoint, 0)
	if err != nil {
		return err
	}
	if c.template, err = c.read(); err != nil {
		return err
	}
	specs, err := c.specs()
	if err != nil {
		return err
	}
	if err := c.startEngines(ctx); err != nil {
		return err
	}
	c.host = lambda.New(lambda.Config{
		Region: Region, EndpointURL: "http://" + c.address[endpointSide],
		Most: c.config.Most, Patience: 20 * time.Millisecond, Slower: c.config.Slower, Now: c.config.Now, Log: c.config.Log,
	}, specs)
	c.closers = append(c.closers, c.host.Close)
	if c.endpoint, err = endpoint.New(c.endpointConfig()); err != nil {
		return err
	}
	c.serve(back, c.endpoint)
	public := c.template.APIs[template.PublicAPI]
	c.gateway = gateway.New(gateway.Config{
		Site: c.template.Sites[template.PageSite], Routes: public.Routes, AccessLog: public.AccessLog,
		StaticDir: c.config.StaticDir, Invoke: c.Invoke, Now: c.config.Now,
	})
	c.serve(front, c.beside(c.gateway))
	c.serve(wallet, gateway.New(gateway.Config{
		Site: c.template.Sites[template.WalletSite], StaticDir: c.config.WalletDir, PageOrigin: c.BaseURL(),
		Now: c.config.Now,
	}))
	if err := c.serveAdmin(); err != nil {
		return err
	}
	c.startSources()
	return nil
}

// variables are the names of the environment variables for the ports that may be chosen.
var variables = [...]string{gatewaySide: "PORT", walletSide: "WALLET_PORT"}

// listen opens a port before anything else starts, since the template's values contain it.
func (c *Cloud) listen(side int, host string, port int) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is taken: set %s to a free one", port, variables[side])
	}
	if err != nil {
		return nil, err
	}
	c.address[side] = listener.Addr().String()
	c.closers = append(c.closers, func() { listener.Close() })
	return listener, nil
}

func (c *Cloud) serve(listener net.Listener, handler http.Handler) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	c.closers = append(c.closers, func() { server.Close() })
}

// beside serves the handlers of Handle, and the site at all other paths.
func (c *Cloud) beside(site http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if extra, ok := c.extra.Load("/" + first); ok {
			extra.(http.Handler).ServeHTTP(w, r)
			return
		}
		site.ServeHTTP(w, r)
	})
}

func (c *Cloud) read() (*template.Template, error) {
	t, err := template.Read(c.config.Template, template.Options{
		Parameters: c.config.Parameters, StackName: c.config.StackName, Region: Region, Account: account,
		Domains: map[string]string{
			template.PageSite:   strings.TrimPrefix(c.BaseURL(), "http://"),
			template.WalletSite: strings.TrimPrefix(c.WalletURL(), "http://"),
		},
		QueueURL: func(name string) string { return c.EndpointURL() + "/" + account + "/" + name },
	})
	if err != nil {
		return nil, err
	}
	for i := range t.Functions {
		for name, value := range c.config.Environment {
			t.Functions[i].Environment[name] = value
		}
	}
	return t, nil
}

// specs finds the binary of every function, and that of the older release, which a new function has none of.
func (c *Cloud) specs() ([]lambda.Spec, error) {
	var specs []lambda.Spec
	var missing []string
	for _, f := range c.template.Functions {
		spec := lambda.Spec{
			Name: f.Name, FullName: f.FullName, ARN: f.ARN, Binary: binary(c.config.BinaryDir, f.Name), Handler: f.Handler,
			Timeout: f.Timeout, MemoryMB: f.MemoryMB, SystemLog: f.SystemLog,
			Concurrency: f.Concurrency, Environment: f.Environment, AccessKeyID: accessKey(f),
			Queues: len(f.Queues),
		}
		if spec.Binary == "" {
			missing = append(missing, f.Name)
		}
		specs = append(specs, spec)
		if old := binary(c.config.OldDir, f.Name); c.config.OldDir != "" && old != "" {
			spec.Name, spec.Binary = f.Name+Old, old
			specs = append(specs, spec)
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("no binary in %s for %s: run `make lambda`", c.config.BinaryDir, strings.Join(missing, ", "))
	}
	return specs, nil
}

// binary is the path of a function's binary, empty if there is none.
func binary(folder, function string) string {
	path, err := filepath.Abs(filepath.Join(folder, function, "bootstrap"))
	if info, missing := os.Stat(path); err != nil || missing != nil || info.IsDir() {
		return ""
	}
	return path
}

// accessKey is the access key id by which the endpoint knows a function. The engines accept only letters and digits.
func accessKey(f template.Function) string { return "LOCAL" + strings.ToUpper(f.ID) }

func (c *Cloud) endpointConfig() endpoint.Config {
	callers := map[string]endpoint.Caller{}
	for _, f := range c.template.Functions {
		callers[accessKey(f)] = endpoint.Caller{Name: f.Name, FullName: f.FullName, RoleARN: f.RoleARN, Policies: f.Policies}
	}
	return endpoint.Config{
		Region: Region, Account: account, DynamoDB: c.engines.DynamoDB, SQS: c.engines.SQS,
		Callers: callers, Queues: c.urls, Tables: c.template.Tables, Keys: c.template.Keys,
		Buckets: c.template.Buckets, Now: c.config.Now, Kill: c.Kill,
	}
}

func (c *Cloud) startEngines(ctx context.Context) (err error) {
	if c.engines = c.config.Engines; c.engines == nil {
		if c.engines, err = StartEngines(ctx, c.config.Root, c.config.Getenv); err != nil {
			return err
		}
		c.closers = append(c.closers, c.engines.Close)
	}
	for _, table := range c.template.Tables {
		if c.config.NoStreams { // with one, the engine reads the records of all of them for every request
			delete(table.Definition, "StreamSpecification")
		}
	}
	if err := c.engines.CreateTables(ctx, c.template.Tables); err != nil {
		return err
	}
	c.urls, err = c.engines.CreateQueues(ctx, c.template.Queues, c.config.Visibility)
	return err
}

func (c *Cloud) startSources() {
	urls := map[string]string{}
	for _, q := range c.template.Queues {
		urls[q.ARN] = c.urls[q.Name]
	}
	c.sources = source.Start(source.Config{
		Queues: c.engines.Queues(), Tables: c.engines.Tables(), Streams: c.engines.Streams(),
		URLs: urls, Region: Region, Account: account, Most: c.config.Most,
		NoSchedule: c.config.NoSchedule, NoStreams: c.config.NoStreams, Invoke: c.Invoke, Now: c.config.Now,
		Log: c.config.Log,
	}, c.template.Functions)
	c.closers = append(c.closers, c.sources.Close)
}

// StartEngines starts the engines, so that several clouds can share them, each under a StackName of its own. They are
// in the folder engines of CHECKOUT_TOOLS, else of root/.tools; DYNAMODB_ENDPOINT and SQS_ENDPOINT name running ones.
func StartEngines(ctx context.Context, root string, getenv func(string) string) (*engine.Engines, error) {
	tools := getenv("CHECKOUT_TOOLS")
	if tools == "" {
		tools = filepath.Join(root, ".tools")
	}
	return engine.Start(ctx, engine.Config{
		Dir: filepath.Join(tools, "engines"), DynamoDB: getenv("DYNAMODB_ENDPOINT"), SQS: getenv("SQS_ENDPOINT"),
		Region: Region, Account: account,
	})
}

// serveAdmin serves the HTTP API for operators, if the template has one.
func (c *Cloud) serveAdmin() error {
	api, ok := c.template.APIs[template.AdminAPI]
	if !ok {
		return nil
	}
	listener, err := c.listen(adminSide, "127.0.0.1", 0)
	if err != nil {
		return err
	}
	callers := map[string]gateway.Caller{AdminKey: {ARN: UserARN(AdminKey), Secret: AdminSecret}}
	maps.Copy(callers, c.config.People)
	c.serve(listener, gateway.New(gateway.Config{
		Routes: api.Routes, IAM: &gateway.IAM{Region: Region, ARN: api.ARN, Callers: callers},
		Invoke: c.Invoke, Now: c.config.Now,
	}))
	return nil
}
