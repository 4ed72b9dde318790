// Package demo is a small shop that uses the checkout as a merchant does: it has an address, a key, a password and a
// callback secret, uses HTTP only and shares no code with the service. It is part of local runs alone.
package demo

import (
	"bytes"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
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

// pair is a name and a value to show.
type pair struct{ Name, Value string }

// order is what the shop stores of a purchase.
type order struct {
	Key, Number, Amount, Currency, Description string

	Page     string // the checkout page's address
	Asked    string // refund, capture or void, the latest; "" if none
	Response []pair // of the service to it
}

// pairs makes rows of a JSON value, with dots in nested names, in the order of the names.
func pairs(name string, value any) []pair {
	var rows []pair
	switch value := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(value))
		for inner := range value {
			names = append(names, inner)
		}
		slices.Sort(names)
		for _, inner := range names {
			rows = append(rows, pairs(strings.TrimPrefix(name+"."+inner, "."), value[inner])...)
		}
	case []any:
		for i, inner := range value {
			rows = append(rows, pairs(fmt.Sprintf("%s[%d]", name, i), inner)...)
		}
	default:
		rows = append(rows, pair{name, fmt.Sprint(value)})
	}
	return rows
}

// newOrderNumber returns another number for every attempt to buy, as the service requires.
func (s *Shop) newOrderNumber() string {
	return "shop-" + s.config.Now().UTC().Format("060102-150405-") + hex.EncodeToString(s.config.Random(4))
}

// product is what the shop sells.
var product = struct{ ID, Name, Text, Price, Currency string }{
	"coffee", "Coffee beans", "Dark roast, one kilogram", "18.50", "EUR",
}
