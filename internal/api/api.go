// Package api is the HTTP side of the service: the list of its routes, their
// handlers, and the one place that turns errors into responses.
package api

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/request"
)

// API is what the handlers work with. Sandbox may be nil where no function serves its pages.
type API struct {
	Service *checkout.Service
	Sandbox Sandbox

	OriginSecret string // that CloudFront sends with every request; "" takes requests from anywhere
}

// Handler serves some routes. Any other path is unknown.
func (a *API) Handler(routes Routes) http.Handler {
	mux := http.NewServeMux()
	for _, route := range routes {
		mux.Handle(route.Method+" "+route.Path, a.serve(route))
	}
	mux.Handle("/", a.serve(Route{Path: "unknown", handler: raw(notFound)}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { mux.ServeHTTP(w, plain(r)) })
}

// PlainPath is a path without doubled and trailing slashes, as shops make them of a base URL that ends
// with one (decisions.md 11).
func PlainPath(path string) string {
	return "/" + strings.Join(strings.FieldsFunc(path, func(c rune) bool { return c == '/' }), "/")
}

// plain is a request for its PlainPath: the same handler answers, without a redirect, which clients
// would follow without their body.
func plain(r *http.Request) *http.Request {
	if path := r.URL.Path; path == "/" || !strings.HasPrefix(path, "/") || !strings.HasSuffix(path, "/") && !strings.Contains(path, "//") {
		return r
	}
	other := *r
	other.URL = &url.URL{}
	*other.URL = *r.URL
	other.URL.Path = PlainPath(r.URL.Path)
	if r.URL.RawPath != "" {
		other.URL.RawPath = PlainPath(r.URL.RawPath)
	}
	return &other
}

// notFound returns a path that is none of ours.
func notFound(_ *API, w http.ResponseWriter, _ *http.Request) error {
	writeError(w, http.StatusNotFound, errorBody{Message: "Not found.", Errors: []errorElement{{request.FaultInvalid, "Not found."}}})
	return nil
}

// serve runs a handler: a request id, one log line, no panic past this point.
func (a *API) serve(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := a.Service.Now()
		note := request.NoteOf(r.Context())
		if note.ID == "" {
			note.ID = hex.EncodeToString(a.Service.Random(8))
			r = r.WithContext(request.WithNote(r.Context(), note))
		}
		out := &recorder{ResponseWriter: w, status: http.StatusOK}
		out.Header().Set("X-Request-Id", note.ID)
		out.Header().Set("Cache-Control", "no-store")
		out.Header().Set("X-Content-Type-Options", "nosniff")
		err := a.guarded(route, out, r)
		if err != nil {
			answerError(out, note.ID, err)
		}
		a.log(r.Context(), served{route, *note, payerIP(r), out.status, a.Service.Now().Sub(start)}, err)
	})
}

// cameThroughCloudFront reports whether a request has the secret that CloudFront adds. Without it the request has passed
// neither its firewall nor its log.
func (a *API) cameThroughCloudFront(r *http.Request) bool {
	return a.OriginSecret == "" || subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Origin-Secret")), []byte(a.OriginSecret)) == 1
}

// guarded refuses a request that did not come through CloudFront, and turns a panic of a handler into an error.
func (a *API) guarded(route Route, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.Service.Log.ErrorContext(r.Context(), "panic", "route", route.Path, "stack", string(debug.Stack()))
			err = errPanic
		}
	}()
	if !a.cameThroughCloudFront(r) {
		return errDirect()
	}
	return route.handler.handle(a, w, r)
}

// served is what the log says of a request.
type served struct {
	route  Route
	note   request.Note
	ip     string
	status int
	took   time.Duration
}

func (a *API) log(ctx context.Context, s served, err error) {
	level := slog.LevelInfo
	attrs := append(make([]slog.Attr, 0, 10+len(s.note.Attrs)), slog.String("route", s.route.Method+" "+s.route.Path),
		slog.String("ip", s.ip), slog.Int("status", s.status), slog.Int64("ms", s.took.Milliseconds()))
	for _, known := range []slog.Attr{slog.String("merchant", s.note.Merchant), slog.String("session", s.note.Session), slog.String("payment", s.note.Payment)} {
		if known.Value.String() != "" {
			attrs = append(attrs, known)
		}
	}
	switch {
	case err != nil && request.ErrorCode(err) == request.CodeInternal:
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", err.Error()))
	case err != nil:
		attrs = append(attrs, slog.Int("code", int(request.ErrorCode(err))), slog.String("paths", faultPaths(err)))
	}
	a.Service.Log.LogAttrs(ctx, level, "request", append(attrs, s.note.Attrs...)...)
}

// recorder remembers the status that was answered.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// payerIP is the address the payer came from. Behind CloudFront the last
// entry of X-Forwarded-For is CloudFront's own and the one before it the
// payer's; what stands further left is the payer's to invent. It is reported,
// never trusted.
func payerIP(r *http.Request) string {
	if hops := strings.Split(r.Header.Get("X-Forwarded-For"), ","); len(hops) > 1 {
		return strings.TrimSpace(hops[len(hops)-2])
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil { // without a port, as API Gateway says it
		host = strings.Trim(r.RemoteAddr, "[]")
	}
	return host
}
