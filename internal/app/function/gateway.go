package function

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"checkout/internal/request"
)

// HTTP is the entry of a function that serves HTTP requests, which come by API Gateway.
func HTTP(a *App, f Function) any { return gateway{a.API.Handler(*f.Routes)} }

// gateway gives events of API Gateway (HTTP API, payload format 2.0) to an http.Handler. It is a lambda.Handler, so
// that nothing else reads the event. A header is one value, commas included, as X-Forwarded-For, idempotency keys and
// providers' signatures need it. The request's id is the gateway's own, so that its log and ours name the same one.
type gateway struct{ handler http.Handler }

// Invoke implements lambda.Handler. It fails for what is no event of API Gateway.
func (g gateway) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	event, err := request.ReadObject(payload)
	if err != nil {
		return nil, fmt.Errorf("read an event: %w", err)
	}
	r, err := httpRequest(ctx, event)
	if err != nil {
		return nil, err
	}
	w := recorder{status: http.StatusOK, header: make(http.Header, 8)}
	g.handler.ServeHTTP(&w, r)
	return w.response(), nil
}

func httpRequest(ctx context.Context, event *request.Object) (*http.Request, error) {
	var body io.Reader = strings.NewReader(event.Text("body"))
	if event.Text("isBase64Encoded") == "true" {
		body = base64.NewDecoder(base64.StdEncoding, body) // what is not base64 fails where it is read
	}
	about := event.Object("requestContext")
	ctx = request.WithNote(ctx, &request.Note{ID: about.Text("requestId")})
	r, err := http.NewRequestWithContext(ctx, about.Object("http").Text("method"), "/", body)
	if err != nil {
		return nil, fmt.Errorf("an event is no request: %w", err)
	}
	path := "/" + strings.TrimPrefix(event.Text("rawPath"), "/")
	if r.URL, err = url.ParseRequestURI(path); err != nil {
		r.URL = &url.URL{Path: path} // it was decoded before
	}
	r.URL.RawQuery, r.Host = event.Text("rawQueryString"), about.Text("domainName")
	r.RemoteAddr = about.Object("http").Text("sourceIp")
	r.RequestURI = r.URL.RequestURI()
	r.Header = headers(event)
	return r, nil
}

// headers are those of an event, with its cookies.
func headers(event *request.Object) http.Header {
	all := make(http.Header, 16)
	values := make([]string, 0, 16) // of many headers, so that not each takes memory of its own
	for name, value := range event.Object("headers").Texts() {
		values = append(values, value)
		all[http.CanonicalHeaderKey(name)] = values[len(values)-1 : len(values) : len(values)]
	}
	if cookies := event.List("cookies"); len(cookies) > 0 {
		all.Set("Cookie", strings.Join(cookies, "; "))
	}
	return all
}

// recorder is the response while it is written.
type recorder struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(p []byte) (int, error) { return w.body.Write(p) }

// response is the response to API Gateway. It is written by hand, since a map of headers is what encoding/json is
// slowest at.
func (w *recorder) response() []byte {
	body := w.body.String()
	text := make([]byte, 0, 512+len(body)+len(body)/4)
	text = append(text, `{"statusCode":`...)
	text = strconv.AppendInt(text, int64(w.status), 10)
	text = append(text, `,"headers":{`...)
	separator := ""
	for name, values := range w.header {
		text = append(text, separator...)
		text = appendQuoted(text, name)
		text = append(text, ':')
		text = appendQuoted(text, strings.Join(values, ","))
		separator = ","
	}
	text = append(text, `},"body":`...)
	return append(appendQuoted(text, body), '}')
}

// appendQuoted appends a text as JSON.
func appendQuoted(json []byte, text string) []byte {
	json = append(json, '"')
	for _, c := range text { // a byte that is no UTF-8 is U+FFFD
		switch {
		case c == '"' || c == '\\':
			json = append(json, '\\', byte(c))
		case c < ' ':
			json = fmt.Appendf(json, `\u%04x`, c)
		default:
			json = utf8.AppendRune(json, c)
		}
	}
	return append(json, '"')
}
