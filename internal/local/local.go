// Package local runs the whole service in one process on one port: the API, the checkout page, the store and the queues
// in memory, and the demo shop. The page's headers are those of template.yaml.
package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/local/demo"
)

// Config says what to run. With only Now set, it is the repository in the working directory, on any free port.
type Config struct {
	Root          string           // folder of the repository, with template.yaml; default: the working directory
	Port          int              // on loopback; 0: any free one
	SimulatorPort int              // of the simulated providers, on loopback; 0: any free one
	Page          string           // the built page; default: Root/infra/page/dist
	Merchants     string           // JSON list, the first merchant has the demo shop; default: Root/infra/merchants.json
	Log           io.Writer        // gets a JSON line for each request and job; default: nobody
	Now           func() time.Time // time.Now; must be set
}

// Server is a running service.
type Server struct {
	URL       string        // of everything, without a trailing slash
	App       *app.Embedded // the service, with its store and queues
	Demo      demo.Config   // what the demo shop's merchant knows
	Simulator *Simulator    // of the providers that the merchants' live keys lead to

	http   *http.Server
	cancel context.CancelFunc
	work   sync.WaitGroup
	once   sync.Once
}

// readyIn is how long the first request to a new server may take.
const readyIn = 5 * time.Second

// Start starts the service, which runs until Stop or until ctx ends, and returns when it is ready. Its errors are one
// line and name what is missing: a free port, the built page, the template, the merchants.
func Start(ctx context.Context, config Config) (*Server, error) {
	page := orElse(config.Page, filepath.Join(config.Root, "infra", "page", "dist"))
	if err := CheckPage(page); err != nil {
		return nil, err
	}
	listeners, port, err := listen(ctx, config.Port, "PORT")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{URL: fmt.Sprintf("http://localhost:%d", port), cancel: cancel}
	handler, err := s.build(ctx, config, page)
	if err != nil {
		cancel()
		s.Simulator.Stop()
		closeAll(listeners)
		return nil, err
	}
	s.http = &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	for _, listener := range listeners {
		s.work.Go(func() { _ = s.http.Serve(listener) }) // ends with Stop
	}
	s.work.Go(func() { s.App.Run(ctx) })
	context.AfterFunc(ctx, s.Stop)
	if err := s.isReady(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// Stop ends everything at once: connections are closed and requests in progress are cancelled. It may be called more
// than once.
func (s *Server) Stop() {
	s.once.Do(func() {
		s.cancel()
		_ = s.http.Close() // the process ends anyway
		s.Simulator.Stop()
	})
	s.work.Wait()
}

// build starts the simulator and makes the handler of everything that the port serves.
func (s *Server) build(ctx context.Context, config Config, page string) (_ http.Handler, err error) {
	if s.Simulator, err = StartSimulator(ctx, config.SimulatorPort, simulatorPort, config.Now); err != nil {
		return nil, err
	}
	site, err := readSite(filepath.Join(config.Root, "template.yaml"), strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		return nil, err
	}
	log := config.Log
	if log == nil {
		log = io.Discard
	}
	env := map[string]string{"BASE_URL": s.URL, "ALLOW_LOOPBACK_CALLBACKS": "true"}
	if s.App, err = app.InMemory(func(name string) string { return env[name] }, app.Logger(log), config.Now); err != nil {
		return nil, err
	}
	merchants := orElse(config.Merchants, filepath.Join(config.Root, "infra", "merchants.json"))
	if s.Demo, err = LoadShop(ctx, s.App.Merchants, merchants, Addresses{s.URL, s.Simulator.URL}); err != nil {
		return nil, err
	}
	s.Demo.Catalogue = filepath.Join(config.Root, "infra", "methods.json")
	s.Demo.Now, s.Demo.Random = s.App.Service.Now, s.App.Service.Random
	shop, err := demo.New(s.Demo)
	if err != nil {
		return nil, err
	}
	checkout := site.handler(s.App.API.Handler(api.All()), page)
	// No http.ServeMux, which redirects a path with doubled slashes before the API can read it.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path+"/", "/demo/") {
			shop.ServeHTTP(w, r)
			return
		}
		checkout.ServeHTTP(w, r)
	}), nil
}

// CheckPage returns an error that says what to do if a folder has no built page.
func CheckPage(folder string) error {
	if _, err := os.Stat(filepath.Join(folder, "index.html")); err != nil {
		return fmt.Errorf("the checkout page is not built: no index.html in %s; run `make page`", folder)
	}
	return nil
}

// Addresses are those that stand in the merchants' settings as {BASE_URL} and {SIMULATOR_URL}.
type Addresses struct{ Base, Simulator string }

// LoadShop stores the merchants of a JSON file with these addresses. It returns the configuration of the demo shop,
// which is the first merchant's, without Catalogue, Now and Random.
func LoadShop(ctx context.Context, to *app.Merchants, file string, at Addresses) (demo.Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return demo.Config{}, fmt.Errorf("the merchants can't be read: %w", err)
	}
	text = bytes.ReplaceAll(text, []byte("{SIMULATOR_URL}"), []byte(at.Simulator))
	merchants, err := app.LoadMerchants(ctx, to, text, at.Base)
	if err != nil {
		return demo.Config{}, fmt.Errorf("%s: %w", file, err)
	}
	if len(merchants) == 0 {
		return demo.Config{}, fmt.Errorf("%s: no merchant in it", file)
	}
	for _, m := range merchants {
		for _, mapping := range m.Mappings {
			for _, mid := range mapping.MIDs {
				url := at.Base + app.NoticePath(mid.Connector, m.ID, mapping.Name, mid.Name)
				if err := addEndpoint(ctx, at.Simulator, mid.Credentials["url"], url); err != nil {
					return demo.Config{}, err
				}
			}
		}
	}
	m := merchants[0]
	shop := demo.Config{
		BaseURL: at.Base, SimulatorURL: at.Simulator, LiveKey: m.LiveKey, TestKey: m.TestKey,
		Password: m.Password, SHA256: m.SHA256, CallbackSecret: m.CallbackSecret,
	}
	for _, schedule := range m.Schedules {
		shop.Schedules = append(shop.Schedules, demo.Schedule{ID: schedule.ID, Name: schedule.Name})
	}
	for _, mapping := range m.Mappings {
		for _, mid := range mapping.MIDs {
			shop.Methods = append(shop.Methods, mid.Methods...)
		}
	}
	return shop, nil
}

// isReady requests the page and the shop, which logs no error.
func (s *Server) isReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyIn)
	defer cancel()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for path, want := range map[string]int{"/": http.StatusOK, "/demo": http.StatusOK} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return fmt.Errorf("the service does not respond: %w", err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			return errors.New("the service responds to " + path + " with " + response.Status)
		}
	}
	return nil
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
