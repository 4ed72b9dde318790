// Package demo is a small shop that uses the checkout as a merchant does: it has an address, a key, a password and a
// callback secret, uses HTTP only and shares no code with the service. It is part of local runs alone.
package demo

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Config is what a merchant knows. All fields but SHA256 and Monthly must be set.
type Config struct {
	BaseURL        string // of the service, which in a local run is the shop's too; no trailing slash
	LiveKey        string
	TestKey        string
	Password       string
	SHA256         bool   // the merchant's SHA-256 setting
	CallbackSecret string // "whsec_" and base64
	Monthly        string // id of a schedule of months, "" if the merchant has none

	Now    func() time.Time
	Random func(n int) []byte // n random bytes, for order numbers
}

// Shop is the HTTP handler of /demo and everything below it, safe for concurrent use.
type Shop struct {
	config  Config
	client  *http.Client
	webhook *standardwebhooks.Webhook
	mux     *http.ServeMux

	mu       sync.Mutex
	orders   recent[order]
	received []received // callbacks, oldest first
}

// maxRecent is how many orders and how many callbacks the shop stores, the newest ones.
const maxRecent = 1000

// apiTime is how long the shop waits for the service.
const apiTime = 20 * time.Second

//go:embed parts.html shop.html result.html lost.html shop.css
var files embed.FS

var pages = template.Must(template.ParseFS(files, "*.html"))

// New makes a shop. It fails if the callback secret is not valid.
func New(config Config) (*Shop, error) {
	webhook, err := standardwebhooks.NewWebhook(config.CallbackSecret)
	if err != nil {
		return nil, errors.New("the demo shop's callback secret is not base64")
	}
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("the demo shop's base URL %q is none", config.BaseURL)
	}
	s := &Shop{
		config: config, webhook: webhook, mux: http.NewServeMux(),
		client: &http.Client{Timeout: apiTime, Transport: &http.Transport{IdleConnTimeout: apiTime}},
	}
	s.mux.HandleFunc("GET /demo", s.window)
	s.mux.HandleFunc("GET /demo/shop.css", style)
	s.mux.HandleFunc("POST /demo/buy", s.buy)
	s.mux.HandleFunc("GET /demo/return/{ending}", s.returned)
	s.mux.HandleFunc("POST /demo/ask", s.ask)
	s.mux.HandleFunc("POST /demo/callback", s.callback)
	s.mux.HandleFunc("GET /demo/callbacks", s.callbacks)
	s.mux.Handle("GET /demo/{$}", http.RedirectHandler("/demo", http.StatusSeeOther))
	return s, nil
}

// ServeHTTP serves /demo, /demo/buy, /demo/return/..., /demo/ask, /demo/callback and /demo/callbacks.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	// A form may lead to the service, and the policy also applies to the redirect after it.
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src data:; form-action 'self' "+
		s.config.BaseURL+"; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	s.mux.ServeHTTP(w, r)
}

func style(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, files, "shop.css")
}

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
