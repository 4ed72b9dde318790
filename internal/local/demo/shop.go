// Package demo is a small shop that uses the checkout as a merchant does: it has an address, a key, a password and a
// callback secret, uses HTTP only and shares no code with the service. It is part of local runs alone.
package demo

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Config is what a merchant knows. All fields but WalletURL, SimulatorURL, SHA256, Methods and Schedules must be set.
type Config struct {
	BaseURL        string // of the service, which in a local run is the shop's too; no trailing slash
	WalletURL      string // of the frame of Google Pay; "": unknown
	SimulatorURL   string // of the providers of the live key; "": unknown
	LiveKey        string
	TestKey        string
	Password       string
	SHA256         bool       // the merchant's SHA-256 setting
	CallbackSecret string     // "whsec_" and base64
	Schedules      []Schedule // of recurring payments
	Methods        []string   // ids of the merchant's payment methods
	Infra          string     // the folder with methods.json and receivers

	Now    func() time.Time
	Random func(n int) []byte // n random bytes, for order numbers
}

// Schedule is a schedule of recurring payments, which the merchant's operator has set.
type Schedule struct{ ID, Name string }

func (c Config) key(live bool) string {
	if live {
		return c.LiveKey
	}
	return c.TestKey
}

// Shop is the HTTP handler of /demo and everything below it, safe for concurrent use.
type Shop struct {
	config  Config
	methods methods
	client  *http.Client
	webhook *standardwebhooks.Webhook
	mux     *http.ServeMux

	mu       sync.Mutex
	orders   recent[order]
	received []received // callbacks, oldest first
	counted  int        // callbacks that ever came
}

// maxRecent is how many orders and how many callbacks the shop stores, the newest ones.
const maxRecent = 1000

// apiTime is how long the shop waits for the service.
const apiTime = 20 * time.Second

//go:embed *.html shop.css shop.js
var files embed.FS

var pages = template.Must(template.ParseFS(files, "*.html"))

// New makes a shop. It fails if the callback secret is not valid, if there is no catalogue, and for a service that is
// not on this machine: the shop shows everybody who can open it how to use the merchant's account.
func New(config Config) (*Shop, error) {
	webhook, err := standardwebhooks.NewWebhook(config.CallbackSecret)
	if err != nil {
		return nil, errors.New("the demo shop's callback secret is not base64")
	}
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("the demo shop's base URL %q is none", config.BaseURL)
	}
	if ip := net.ParseIP(base.Hostname()); base.Hostname() != "localhost" && !ip.IsLoopback() {
		return nil, fmt.Errorf("the demo shop is for a service on this machine, not for %s", base.Host)
	}
	methods, err := readMethods(filepath.Join(config.Infra, "methods.json"), config.Methods)
	if err != nil {
		return nil, err
	}
	s := &Shop{
		config: config, methods: methods, webhook: webhook, mux: http.NewServeMux(),
		client: &http.Client{Timeout: apiTime, Transport: &http.Transport{IdleConnTimeout: apiTime}},
	}
	s.routes()
	return s, nil
}

func (s *Shop) routes() {
	for pattern, handler := range map[string]http.HandlerFunc{
		"GET /demo":                 s.window,
		"GET /demo/shop.css":        file("shop.css"),
		"GET /demo/shop.js":         file("shop.js"),
		"POST /demo/buy":            s.buy,
		"GET /demo/frame":           s.frame,
		"GET /demo/return/{ending}": s.returned,
		"POST /demo/ask":            s.ask,
		"POST /demo/callback":       s.callback,
		"GET /demo/callbacks":       s.callbacks,
		"GET /demo/callbacks/rows":  s.newRows,
		"GET /demo/receiver/{file}": s.receiver,
		"GET /demo/playground":      s.openPlayground,
		"POST /demo/playground":     s.play,
	} {
		s.mux.HandleFunc(pattern, handler)
	}
	s.mux.Handle("GET /demo/{$}", http.RedirectHandler("/demo", http.StatusSeeOther))
}

// ServeHTTP serves /demo and everything below it.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	// A form may lead to the service, and the policy also applies to the redirect after it. The checkout page may be
	// shown in a frame.
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "+
		"img-src data:; frame-src "+s.config.BaseURL+"; form-action 'self' "+s.config.BaseURL+
		"; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	s.mux.ServeHTTP(w, r)
}

func file(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, name) }
}

// top is what every page of the shop has above its content.
type top struct {
	Here    string // the page in the navigation, "" if it is not there
	BaseURL string
}

func (s *Shop) top(here string) top { return top{here, s.config.BaseURL} }

// lost is the page of an order that the shop does not have.
func (s *Shop) lost(w http.ResponseWriter) { show(w, http.StatusNotFound, "lost.html", s.top("")) }

// show writes a page, or an error if the page can't be made.
func show(w http.ResponseWriter, status int, name string, data any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // fails if the connection is closed
}

// recent stores the newest values by name.
type recent[T any] struct {
	names  []string // oldest first
	values map[string]T
}

func (r *recent[T]) add(name string, value T) {
	if r.values == nil {
		r.values = map[string]T{}
	}
	if len(r.names) == maxRecent {
		delete(r.values, r.names[0])
		r.names = r.names[1:]
	}
	r.names = append(r.names, name)
	r.values[name] = value
}
