package function

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// HTTP is the entry of a function that serves HTTP requests, which come by API Gateway.
func HTTP(a *App, f Function) any {
	a.API.RequestID = requestID
	return gateway{a.API.Handler(*f.Routes)}
}

// gateway gives events of API Gateway (HTTP API, payload format 2.0) to an http.Handler. It is a lambda.Handler, so
// that nothing else reads the event. A header is one value, commas included, as X-Forwarded-For, idempotency keys and
// providers' signatures need it.
type gateway struct{ handler http.Handler }

// event is what is read of an event.
type event struct {
	Path      string            `json:"rawPath"`
	Query     string            `json:"rawQueryString"`
	Cookies   []string          `json:"cookies"`
	Headers   map[string]string `json:"headers"`
	Body      string            `json:"body"`
	IsEncoded bool              `json:"isBase64Encoded"`
	Context   struct {
		RequestID  string `json:"requestId"`
		DomainName string `json:"domainName"`
		HTTP       struct {
			Method   string `json:"method"`
			SourceIP string `json:"sourceIp"`
		} `json:"http"`
	} `json:"requestContext"`
}

// Invoke implements lambda.Handler. It fails for what is no event of API Gateway.
func (g gateway) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("read an event: %w", err)
	}
	r, err := e.request(ctx)
	if err != nil {
		return nil, err
	}
	w := recorder{status: http.StatusOK, header: http.Header{}}
	g.handler.ServeHTTP(&w, r)
	return w.response()
}

func (e *event) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader = strings.NewReader(e.Body)
	if e.IsEncoded {
		body = base64.NewDecoder(base64.StdEncoding, body) // what is not base64 fails where it is read
	}
	ctx = context.WithValue(ctx, requestIDKey{}, e.Context.RequestID)
	r, err := http.NewRequestWithContext(ctx, e.Context.HTTP.Method, "/", body)
	if err != nil {
		return nil, fmt.Errorf("an event is no request: %w", err)
	}
	path := "/" + strings.TrimPrefix(e.Path, "/")
	if r.URL, err = url.ParseRequestURI(path); err != nil {
		r.URL = &url.URL{Path: path} // it was decoded before
	}
	r.URL.RawQuery, r.Host, r.RemoteAddr = e.Query, e.Context.DomainName, e.Context.HTTP.SourceIP
	r.RequestURI = r.URL.RequestURI()
	for name, value := range e.Headers {
		r.Header.Set(name, value)
	}
	if len(e.Cookies) > 0 {
		r.Header.Set("Cookie", strings.Join(e.Cookies, "; "))
	}
	return r, nil
}

// requestIDKey is where the context of a request has the id that API Gateway gave it.
type requestIDKey struct{}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
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

// response is the response to API Gateway. Every body of the service is text.
func (w *recorder) response() ([]byte, error) {
	headers := make(map[string]string, len(w.header))
	for name, values := range w.header {
		headers[name] = strings.Join(values, ",")
	}
	return json.Marshal(struct {
		StatusCode int               `json:"statusCode"`
		Headers    map[string]string `json:"headers"`
		Body       string            `json:"body"`
	}{w.status, headers, w.body.String()})
}
