package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"checkout/internal/local/cloud/template"
)

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
