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

// HTTP is the entry of a function that handles HTTP requests, which are events of API Gateway.
func HTTP(a *App, f Function) any { return gateway{a.API.Handler(*f.Routes)} }

// gateway passes events of API Gateway (HTTP API, payload format 2.0) to an http.Handler. It is a lambda.Handler, so
// that the library does not decode the event, too. A header has one value, commas included, which X-Forwarded-For,
// idempotency keys and providers' signatures need. The id of a request is that of API Gateway, so that both logs have
// the same.
type gateway struct{ handler http.Handler }

// Invoke implements lambda.Handler. It fails if the payload is no event of API Gateway.
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
		body = base64.NewDecoder(base64.StdEncoding, body) // reading fails if it is not base64
	}
	about := event.Object("requestContext")
	ctx = request.WithNote(ctx, &request.Note{ID: about.Text("requestId")})
	r, err := http.NewRequestWithContext(ctx, about.Object("http").Text("method"), "/", body)
	if err != nil {
		return nil, fmt.Errorf("an event is no request: %w", err)
	}
	path := "/" + strings.TrimPrefix(event.Text("rawPath"), "/")
	if r.URL, err = url.ParseRequestURI(path); err != nil {
		r.URL = &url.URL{Path: path} // API Gateway has decoded it
	}
	r.URL.RawQuery, r.Host = event.Text("rawQueryString"), about.Text("domainName")
	r.RemoteAddr = about.Object("http").Text("sourceIp")
	r.RequestURI = r.URL.RequestURI()
	r.Header = headers(event)
	return r, nil
}

// headers returns the headers of an event, with its cookies.
func headers(event *request.Object) http.Header {
	all := make(http.Header, 16)
	values := make([]string, 0, 16) // of all headers, so that they share one allocation
	for name, value := range event.Object("headers").Texts() {
		values = append(values, value)
		all[http.CanonicalHeaderKey(name)] = values[len(values)-1 : len(values) : len(values)]
	}
	if cookies := event.List("cookies"); len(cookies) > 0 {
		all.Set("Cookie", strings.Join(cookies, "; "))
	}
	return all
}

// recorder records a response.
type recorder struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(p []byte) (int, error) { return w.body.Write(p) }

// response returns the response for API Gateway. encoding/json is not used, since it is slow with a map of headers.
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
	for _, c := range text { // a byte that is not UTF-8 becomes U+FFFD
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
