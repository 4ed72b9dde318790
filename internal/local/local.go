// Package local runs the whole service in one process: the API, the checkout page, the store and the queues in memory,
// and the demo shop on one port, and the frame of Google Pay on another, which makes it another origin. The headers are
// those of template.yaml.
package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/local/adminpage"
	"checkout/internal/local/demo"
	"checkout/internal/local/notices"
)

// Config says what to run. With only Now set, it is the repository in the working directory, on any free port.
type Config struct {
	Root          string           // folder of the repository, with template.yaml; default: the working directory
	Port          int              // on loopback; 0: any free one
	WalletPort    int              // of the frame of Google Pay, on loopback; 0: any free one
	WalletHost    string           // by which the page names that, such as wallet.localhost; default: localhost
	SimulatorPort int              // of the simulated providers, on loopback; 0: any free one
	Page          string           // the built page; default: Root/infra/page/dist
	Wallet        string           // the built frame of Google Pay; default: Root/infra/page/dist-wallet
	Admin         string           // the built admin page; default: Root/infra/page/dist-admin
	Merchants     string           // JSON list, the first merchant has the demo shop; default: Root/infra/merchants.json
	Log           io.Writer        // gets a JSON line for each request and job; default: nobody
	Now           func() time.Time // time.Now; must be set
}

// Server is a running service.
type Server struct {
	URL       string        // of everything but the frame, without a trailing slash
	WalletURL string        // of the frame of Google Pay, without a trailing slash
	App       *app.Embedded // the service, with its store and queues
	Demo      demo.Config   // what the demo shop's merchant knows
	Simulator *Simulator    // of the providers that the merchants' live keys lead to

	adminPage string // folder
	admin     site   // of people who sign in
	// Folder of the file for the operator's command, "" for none.
	commandFolder string
	servers       []*http.Server
	running       context.Context // until Stop
	cancel        context.CancelFunc
	work          sync.WaitGroup
	once          sync.Once
}

// readyIn is how long the first request to a new server may take.
const readyIn = 5 * time.Second

// Start starts the service, which runs until Stop or until ctx ends, and returns when it is ready. Its errors are one
// line and name what is missing: a free port, the built page or frame, the template, the merchants.
func Start(ctx context.Context, config Config) (*Server, error) {
	config.Page = orElse(config.Page, filepath.Join(config.Root, "infra", "page", "dist"))
	config.Wallet = orElse(config.Wallet, filepath.Join(config.Root, "infra", "page", "dist-wallet"))
	config.Admin = orElse(config.Admin, filepath.Join(config.Root, "infra", "page", "dist-admin"))
	if err := CheckPages(config.Page, config.Wallet); err != nil {
		return nil, err
	}
	listeners, port, err := listen(ctx, config.Port, "PORT")
	if err != nil {
		return nil, err
	}
	walletListeners, walletPort, err := listen(ctx, config.WalletPort, walletPort)
	if err != nil {
		closeAll(listeners)
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{
		URL:       fmt.Sprintf("http://localhost:%d", port),
		WalletURL: fmt.Sprintf("http://%s:%d", orElse(config.WalletHost, "localhost"), walletPort),
		running:   ctx, cancel: cancel, adminPage: config.Admin,
	}
	page, wallet, err := s.build(ctx, config)
	if err != nil {
		cancel()
		s.Simulator.Stop()
		closeAll(append(listeners, walletListeners...))
		return nil, err
	}
	s.serve(listeners, page)
	s.serve(walletListeners, wallet)
	s.work.Go(func() { s.App.Run(ctx) })
	context.AfterFunc(ctx, s.Stop)
	if err := s.isReady(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// serve serves a handler until Stop.
func (s *Server) serve(listeners []net.Listener, handler http.Handler) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	s.servers = append(s.servers, server)
	for _, listener := range listeners {
		s.work.Go(func() { _ = server.Serve(listener) })
	}
}

// Stop ends everything at once: connections are closed and requests in progress are cancelled. It may be called more
// than once.
func (s *Server) Stop() {
	s.once.Do(func() {
		s.cancel()
		for _, server := range s.servers {
			_ = server.Close() // the process ends anyway
		}
		s.Simulator.Stop()
		if s.commandFolder != "" {
			_ = os.RemoveAll(s.commandFolder) // its secret is worth nothing without this process
		}
	})
	s.work.Wait()
}

// build starts the simulator and makes the handlers of the two ports.
func (s *Server) build(ctx context.Context, config Config) (page, wallet http.Handler, err error) {
	if s.Simulator, err = StartSimulator(ctx, config.SimulatorPort, simulatorPort, config.Now); err != nil {
		return nil, nil, err
	}
	sites, err := readSites(filepath.Join(config.Root, "template.yaml"), s.URL, s.WalletURL)
	if err != nil {
		return nil, nil, err
	}
	log := config.Log
	if log == nil {
		log = io.Discard
	}
	env := map[string]string{"BASE_URL": s.URL, "WALLET_URL": s.WalletURL, "ALLOW_LOOPBACK_CALLBACKS": "true"}
	if s.App, err = app.InMemory(func(name string) string { return env[name] }, app.Logger(log), config.Now); err != nil {
		return nil, nil, err
	}
	merchants := orElse(config.Merchants, filepath.Join(config.Root, "infra", "merchants.json"))
	at := Addresses{Base: s.URL, Wallet: s.WalletURL, Simulator: s.Simulator.URL}
	if s.Demo, err = LoadShop(ctx, s.App.Merchants, merchants, at); err != nil {
		return nil, nil, err
	}
	if err := GiveRoles(ctx, s.App.People, People); err != nil {
		return nil, nil, err
	}
	s.Demo.Infra = filepath.Join(config.Root, "infra")
	s.Demo.Now, s.Demo.Random = s.App.Core.Now, s.App.Core.Random
	shop, err := demo.New(s.Demo)
	if err != nil {
		return nil, nil, err
	}
	s.admin = sites.admin
	checkout := sites.page.handler(s.App.Handler(), servePage(config.Page, sites.page.RootObject, s.URL))
	wallet = sites.wallet.handler(http.NotFoundHandler(), servePage(config.Wallet, sites.wallet.RootObject, s.URL))
	// No http.ServeMux, which redirects a path with doubled slashes before the API can read it.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path+"/", "/demo/") {
			shop.ServeHTTP(w, r)
			return
		}
		checkout.ServeHTTP(w, r)
	}), wallet, nil
}

// CheckPages returns an error that says what to do if the folder of the page or that of the frame of Google Pay has no
// built one.
func CheckPages(page, wallet string) error {
	for _, built := range [][2]string{{"checkout page", page}, {"frame of Google Pay", wallet}} {
		if _, err := os.Stat(filepath.Join(built[1], "index.html")); err != nil {
			return fmt.Errorf("the %s is not built: no index.html in %s; run `make page`", built[0], built[1])
		}
	}
	return nil
}

// Addresses are those of a run. Base and Simulator stand in the merchants' settings as {BASE_URL} and {SIMULATOR_URL}.
type Addresses struct{ Base, Wallet, Simulator string }

// LoadShop stores the merchants of a JSON file with these addresses. It returns the configuration of the demo shop,
// which is the first merchant's, without Infra, Now and Random.
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
	if err := notices.Tell(ctx, merchants, notices.Addresses{Base: at.Base, Simulator: at.Simulator}); err != nil {
		return demo.Config{}, err
	}
	m := merchants[0]
	shop := demo.Config{
		BaseURL: at.Base, WalletURL: at.Wallet, SimulatorURL: at.Simulator, LiveKey: m.LiveKey, TestKey: m.TestKey,
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

// localAPI stands for the address of an admin API in this process.
var localAPI = &url.URL{Scheme: "http", Host: "local"}

// StartAdmin starts the admin page for one of People until Stop. See StartAdmin.
func (s *Server) StartAdmin(p AdminPerson, port int, renewed func(why, link string)) (*adminpage.Server, error) {
	admin := s.App.Admin()
	return adminpage.Start(s.running, adminpage.Config{
		Page: s.adminPage, Base: localAPI, Port: port, Now: s.App.Core.Now, Renewed: renewed,
		API: adminpage.InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx := api.WithCaller(r.Context(), p.Who, r.Header.Get("X-Admin-Via"))
			admin.ServeHTTP(w, r.WithContext(ctx))
		})),
	})
}
