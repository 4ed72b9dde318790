// Package gateway is CloudFront, the bucket and the HTTP API of a local run, as one HTTP handler: it finds the
// distribution's behaviour for a path, serves the static page or calls the function of the route with API Gateway's
// payload format 2.0, and adds the headers of the behaviour's response headers policy. It may also be an HTTP API by
// itself, whose callers sign their requests.
package gateway

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
	maxBody         = 10 << 20 // bytes
	integrationTime = 30 * time.Second
)

// Config says what the gateway serves.
type Config struct {
	Site       template.Site
	Routes     []template.Route
	AccessLog  string // format of the API's access log; empty for none
	StaticDir  string // the built page
	IAM        *IAM   // decides about signed requests; nil for an API behind CloudFront
	PageOrigin string // takes the place of {PAGE_ORIGIN} in the root object, as when that is uploaded; empty: it stays
	Invoke     func(ctx context.Context, function string, payload []byte) (lambda.Result, error)
	Now        func() time.Time
}

// Gateway is the HTTP handler of the whole site.
type Gateway struct {
	config Config
	counts counter
}

// New makes a gateway.
func New(config Config) *Gateway { return &Gateway{config: config} }

// ServeHTTP serves a request as CloudFront would, and counts it.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, m, began := g.behaviorOf(r.URL.Path), &measuredWriter{ResponseWriter: w}, g.config.Now()
	g.serve(&policyWriter{ResponseWriter: m, headers: b.Headers}, r, b)
	counted := g.countsOf(r, m, b)
	if b.ToAPI {
		counted.LogBytes = g.logged(r, m, g.config.Now().Sub(began))
	}
	g.counts.add(counted)
}

func (g *Gateway) serve(out http.ResponseWriter, r *http.Request, b template.Behavior) {
	switch {
	case !slices.Contains(b.Methods, r.Method):
		http.Error(out, "This distribution is not configured to allow the HTTP request method that was used for this "+
			"request.",
			http.StatusForbidden)
	case b.ToAPI:
		g.serveAPI(out, changed(r, b.Function), b)
	default:
		g.serveStatic(out, changed(r, b.Function))
	}
}

// changed is a request as a CloudFront function of the template passes it on.
func changed(r *http.Request, function string) *http.Request {
	other := r.Clone(r.Context())
	switch function {
	case template.PlainPathFunction:
		other.URL.Path = PlainPath(r.URL.Path)
	case template.LanguagePageFunction:
		other.URL.Path = template.LanguagePath(r)
	}
	return other
}

// behaviorOf returns the first behaviour whose pattern matches. CloudFront ignores doubled slashes in matching and
// passes the path on unchanged. Without a distribution in the template, the API is at the root.
func (g *Gateway) behaviorOf(path string) template.Behavior {
	for _, b := range g.config.Site.Behaviors {
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

func (g *Gateway) serveAPI(w http.ResponseWriter, r *http.Request, b template.Behavior) {
	found, ok := match(g.config.Routes, r.Method, r.URL.Path)
	if !ok {
		message(w, http.StatusNotFound, "Not Found")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		message(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	}
	if err != nil {
		message(w, http.StatusBadRequest, "Bad Request")
		return
	}
	v := visit{body: body, forward: b.Forward, origin: b.Origin, direct: g.config.IAM != nil}
	if found.route.Signed {
		may := false
		if v.direct {
			v.caller, may = g.config.IAM.caller(r, body, g.config.Now())
		}
		if !may {
			message(w, http.StatusForbidden, "Forbidden")
			return
		}
	}
	payload, err := g.event(r, found, v)
	if err != nil {
		message(w, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	// As on AWS, a function goes on when the viewer closes the connection.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), integrationTime)
	defer cancel()
	result, err := g.config.Invoke(ctx, found.route.Function, payload)
	switch {
	case err != nil: // throttled, or no response in time
		message(w, http.StatusServiceUnavailable, "Service Unavailable")
	case result.FunctionError != "":
		message(w, http.StatusInternalServerError, "Internal Server Error")
	default:
		writeResponse(w, result.Payload)
	}
}

// message is a response of API Gateway itself.
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
