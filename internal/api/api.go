// Package api is the HTTP side of the service: the list of its routes, their handlers, and the responses to errors.
package api

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
)

// API is what all handlers have in common.
type API struct {
	Core *checkout.Core

	Version string // of the code, in the header X-Service-Version of every response
	// CloudFront sends OriginSecret with every request; "" accepts requests from anywhere. Requests of a caller whom AWS
	// knows need not come through CloudFront.
	OriginSecret string
	Failed       func(error) // gets internal errors, beside the log; nil: nobody
}

// Handler returns a handler of some routes. It responds 404 to all others.
func (a *API) Handler(routes Routes) http.Handler {
	mux := http.NewServeMux()
	for _, route := range routes {
		mux.Handle(route.Method+" "+route.Path, a.serve(route))
	}
	mux.Handle("/", a.serve(Route{Path: "unknown", handler: raw(notFound)}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { mux.ServeHTTP(w, withPlainPath(r)) })
}

// PlainPath returns a path without doubled and trailing slashes, which shops send whose base URL ends with a slash
// (protocol.md, Plugins as they are).
func PlainPath(path string) string {
	return "/" + strings.Join(strings.FieldsFunc(path, func(c rune) bool { return c == '/' }), "/")
}

// withPlainPath returns the request with its PlainPath. A redirect would not do, since clients follow it without their
// body.
func withPlainPath(r *http.Request) *http.Request {
	path := r.URL.Path
	plain := !strings.HasSuffix(path, "/") && !strings.Contains(path, "//")
	if path == "/" || !strings.HasPrefix(path, "/") || plain {
		return r
	}
	other := *r
	other.URL = &url.URL{}
	*other.URL = *r.URL
	other.URL.Path = PlainPath(path)
	if r.URL.RawPath != "" {
		other.URL.RawPath = PlainPath(r.URL.RawPath)
	}
	return &other
}

// notFound handles unknown paths.
func notFound(w http.ResponseWriter, _ *http.Request) error {
	const text = "Not found."
	body := errorBody{Message: text, Errors: []errorElement{{fault.NumberInvalid, text}}}
	writeErrorBody(w, http.StatusNotFound, body)
	return nil
}

// serve returns the handler of a route, with what all requests have in common: a request id, headers, responses to
// errors and a log line.
func (a *API) serve(route Route) http.Handler {
	always := http.Header{ // the values are shared by all responses: nobody changes them in place
		"X-Service-Version": {a.Version}, "Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"},
	}
	name := route.Method + " " + route.Path
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := a.Core.Now()
		note := fault.NoteOf(r.Context())
		if note.ID == "" {
			note.ID = hex.EncodeToString(a.Core.Random(8))
			r = r.WithContext(fault.WithNote(r.Context(), note))
		}
		out := &recorder{ResponseWriter: w, status: http.StatusOK, gzip: takesGzip(r)}
		out.Header().Set("X-Request-Id", note.ID)
		maps.Copy(out.Header(), always)
		err := a.handle(route, out, r)
		if err != nil {
			writeError(out, note.ID, err)
		}
		a.log(r.Context(), served{name, *note, payerIP(r), out.status, a.Core.Now().Sub(start)}, err)
	})
}

// cameThroughCloudFront reports whether a request has the secret that CloudFront adds. A request without it went past
// CloudFront's firewall and log.
func (a *API) cameThroughCloudFront(r *http.Request) bool {
	sent := r.Header.Get("X-Origin-Secret")
	return a.OriginSecret == "" || callerOf(r.Context()).Who != "" ||
		subtle.ConstantTimeCompare([]byte(sent), []byte(a.OriginSecret)) == 1
}

// handle runs the handler of a route. It rejects a request that did not come through CloudFront, and returns an error
// if the handler panics.
func (a *API) handle(route Route, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.Core.Log.ErrorContext(r.Context(), "panic", "route", route.Path, "stack", string(debug.Stack()))
			err = errPanic
		}
	}()
	if !a.cameThroughCloudFront(r) {
		return fault.ErrDenied()
	}
	return route.handler.handle(a, w, r)
}

// served is a request for the log.
type served struct {
	route  string // its method and path
	note   fault.Note
	ip     string
	status int
	took   time.Duration
}

func (a *API) log(ctx context.Context, s served, err error) {
	level := slog.LevelInfo
	attrs := append(make([]slog.Attr, 0, 10+len(s.note.Attrs)),
		slog.String("route", s.route),
		slog.String("ip", s.ip), slog.Int("status", s.status), slog.Int64("ms", s.took.Milliseconds()))
	for _, id := range []slog.Attr{
		slog.String("merchant", s.note.Merchant),
		slog.String("session", s.note.Session),
		slog.String("payment", s.note.Payment),
	} {
		if id.Value.String() != "" {
			attrs = append(attrs, id)
		}
	}
	switch {
	case err != nil && fault.CodeOf(err) == fault.CodeInternal:
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", err.Error()))
		if a.Failed != nil {
			a.Failed(err)
		}
	case err != nil:
		attrs = append(attrs, slog.Int("code", int(fault.CodeOf(err))), slog.String("paths", faultPaths(err)))
	}
	a.Core.Log.LogAttrs(ctx, level, "request", append(attrs, s.note.Attrs...)...)
}

// recorder records the status of a response.
type recorder struct {
	http.ResponseWriter
	status int
	gzip   bool // the client takes a compressed one
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// payerIP returns the payer's address, "" for what is none. Behind CloudFront the last entry of X-Forwarded-For is
// CloudFront's address, and the one before it the payer's. The payer can send any entries before these. The address is
// only reported: nothing depends on it.
func payerIP(r *http.Request) string {
	hops := r.Header.Get("X-Forwarded-For")
	if last := strings.LastIndexByte(hops, ','); last >= 0 {
		return ipIn(hops[strings.LastIndexByte(hops[:last], ',')+1 : last])
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil { // API Gateway's has no port
		host = strings.Trim(r.RemoteAddr, "[]")
	}
	return ipIn(host)
}

// ipIn returns the address that a text is, "" for another text, also for an address with a zone, which is any text.
func ipIn(text string) string {
	text = strings.TrimSpace(text)
	if ip, err := netip.ParseAddr(text); err != nil || ip.Zone() != "" {
		return ""
	}
	return text
}
