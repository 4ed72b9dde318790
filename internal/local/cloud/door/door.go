// Package door is the front door of a local run, one HTTP listener in the place of CloudFront, the bucket and the HTTP API:
// it chooses the behaviour of the distribution for a path, serves the static page or calls the function of the route with
// API Gateway's payload format 2.0, and adds the headers of the behaviour's response headers policy.
package door

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"
)

// Limits of an HTTP API.
const (
	mostBody        = 10 << 20 // bytes
	integrationTime = 30 * time.Second
)

// Config says what is behind the door.
type Config struct {
	Site      template.Site
	Routes    []template.Route
	AccessLog string // format of the API's access log; empty for none
	StaticDir string // the built page
	Invoke    func(ctx context.Context, function string, payload []byte) (lambda.Result, error)
	Now       func() time.Time
}

// Door is the HTTP handler of the whole site.
type Door struct {
	config Config
	counts counter
}

// New makes a door.
func New(config Config) *Door { return &Door{config: config} }

// ServeHTTP answers as CloudFront would, and counts.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, m, began := d.behavior(r.URL.Path), &meter{ResponseWriter: w}, d.config.Now()
	d.serve(&policyWriter{ResponseWriter: m, headers: b.Headers}, r, b)
	one := d.visitOf(r, m, b)
	if b.ToAPI {
		one.LogBytes = d.logged(r, m, d.config.Now().Sub(began))
	}
	d.counts.add(one)
}

func (d *Door) serve(out http.ResponseWriter, r *http.Request, b template.Behavior) {
	switch {
	case !slices.Contains(b.Methods, r.Method):
		http.Error(out, "This distribution is not configured to allow the HTTP request method that was used for this request.", http.StatusForbidden)
	case b.ToAPI && b.Plain:
		plain := r.Clone(r.Context())
		plain.URL.Path = PlainPath(r.URL.Path)
		d.serveAPI(out, plain, b)
	case b.ToAPI:
		d.serveAPI(out, r, b)
	default:
		d.serveStatic(out, r)
	}
}

// behavior is the first whose pattern fits. CloudFront takes doubled slashes out to find it, and passes the path on as it came. A template without a distribution has its API at the root.
func (d *Door) behavior(path string) template.Behavior {
	for _, b := range d.config.Site.Behaviors {
		if template.Match(b.Pattern, PlainPath(path)) || template.Match(b.Pattern, strings.TrimPrefix(path, "/")) {
			return b
		}
	}
	return template.Behavior{
		ToAPI: true, Methods: []string{"GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"},
		Forward: template.Forward{AllHeaders: true, Cookies: true, Query: true},
	}
}

// PlainPath is what the template's CloudFront function makes of a path: without doubled and trailing slashes.
func PlainPath(path string) string {
	return "/" + strings.Join(strings.FieldsFunc(path, func(c rune) bool { return c == '/' }), "/")
}

func (d *Door) serveAPI(w http.ResponseWriter, r *http.Request, b template.Behavior) {
	found, ok := match(d.config.Routes, r.Method, r.URL.Path)
	if !ok {
		message(w, http.StatusNotFound, "Not Found")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		message(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	}
	if err != nil {
		message(w, http.StatusBadRequest, "Bad Request")
		return
	}
	payload, err := d.event(r, found, visit{body: body, forward: b.Forward, origin: b.Origin})
	if err != nil {
		message(w, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	// A viewer who goes away does not stop a function on AWS either.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), integrationTime)
	defer cancel()
	result, err := d.config.Invoke(ctx, found.route.Function, payload)
	switch {
	case err != nil: // throttled, or no answer in time
		message(w, http.StatusServiceUnavailable, "Service Unavailable")
	case result.FunctionError != "":
		message(w, http.StatusInternalServerError, "Internal Server Error")
	default:
		writeAnswer(w, result.Payload)
	}
}

// message is how API Gateway itself answers.
func message(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, `{"message":"`+text+`"}`)
}

// policyWriter adds the headers of a response headers policy when the origin's headers are complete.
type policyWriter struct {
	http.ResponseWriter
	headers []template.Header
	written bool
}

func (w *policyWriter) WriteHeader(status int) {
	if !w.written {
		w.written = true
		for _, h := range w.headers {
			if h.Override || w.Header().Get(h.Name) == "" {
				w.Header().Set(h.Name, h.Value)
			}
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *policyWriter) Write(p []byte) (int, error) {
	if !w.written {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}
