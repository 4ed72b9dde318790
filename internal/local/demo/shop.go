// Package demo is a small shop that takes its payments with the checkout, as a merchant would: it knows an address, a
// key, a password and a callback secret, speaks HTTP alone and shares no code with the service. Only local runs have it.
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

// Config is what a merchant knows. Every field must be set but SHA256 and Monthly.
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

// kept is how many orders and how many callbacks the shop remembers, the newest ones.
const kept = 1000

// apiTime is how long the shop waits for the service.
const apiTime = 20 * time.Second

//go:embed parts.html shop.html result.html lost.html shop.css
var files embed.FS

var pages = template.Must(template.ParseFS(files, "*.html"))

// New makes a shop. It fails if the callback secret is not in its form.
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

// ServeHTTP answers /demo, /demo/buy, /demo/return/..., /demo/ask, /demo/callback and /demo/callbacks.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	// A form may lead to the service, and browsers count the redirect behind it.
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

// show answers a page, or nothing of it if it can't be made whole.
func show(w http.ResponseWriter, status int, name string, data any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // the browser's loss
}

// recent remembers the newest values by name.
type recent[T any] struct {
	names  []string // oldest first
	values map[string]T
}

func (r *recent[T]) add(name string, value T) {
	if r.values == nil {
		r.values = map[string]T{}
	}
	if len(r.names) == kept {
		delete(r.values, r.names[0])
		r.names = r.names[1:]
	}
	r.names = append(r.names, name)
	r.values[name] = value
}
