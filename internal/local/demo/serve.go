package demo

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

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
