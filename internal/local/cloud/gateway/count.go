package gateway

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"
)

// The headers that AWS adds to every response.
const (
	byCloudFront = "Date: Sat, 21 Nov 2026 12:00:00 GMT\r\nX-Cache: Miss from cloudfront\r\n" +
		"Via: 1.1 0123456789abcdef0123456789abcdef.cloudfront.net (CloudFront)\r\nX-Amz-Cf-Pop: FRA56-P3\r\n" +
		"X-Amz-Cf-Id: 0123456789-0123456789-0123456789-0123456789-01234567890==\r\n"
	byGateway = "Apigw-Requestid: AbCdEfGhIjKlMnO=\r\n"
	byBucket  = "ETag: \"0123456789abcdef0123456789abcdef\"\r\nx-amz-server-side-encryption: AES256\r\n" +
		"Server: AmazonS3\r\n" +
		"Cache-Control: public, max-age=31536000, immutable\r\nVary: Accept-Encoding\r\nAge: 100000\r\n"
)

// measuredWriter passes a response on and records its status and body.
type measuredWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (m *measuredWriter) WriteHeader(status int) {
	m.status = status
	m.ResponseWriter.WriteHeader(status)
}

func (m *measuredWriter) Write(p []byte) (int, error) {
	if m.status == 0 {
		m.status = http.StatusOK
	}
	m.body.Write(p)
	return m.ResponseWriter.Write(p)
}

// countsOf counts a request and its response.
func (g *Gateway) countsOf(r *http.Request, m *measuredWriter, b template.Behavior) Counts {
	added := byCloudFront + byGateway
	if !b.ToAPI {
		added = byCloudFront + byBucket
	}
	size := len("HTTP/1.1 200 OK\r\n") + headerSize(m.Header()) + len(added) + len("\r\n")
	body := m.body.Bytes()
	if small := Compressed(r, m.Header(), body); b.Compress && small != nil {
		body = small
		size += len("Content-Encoding: gzip\r\n")
	}
	c := Counts{Requests: 1, Bytes: int64(size + len(body))}
	if b.Function != "" {
		c.Functions = 1
	}
	if b.ToAPI && r.ContentLength > 0 {
		c.OriginBytes = int64(len(r.Method)+len(r.URL.RequestURI())+len("  HTTP/1.1\r\n\r\n")+headerSize(r.Header)) +
			r.ContentLength
	}
	return c
}

func headerSize(h http.Header) int {
	size := 0
	for name, values := range h {
		for _, value := range values {
			size += len(name) + len(": ") + len(value) + len("\r\n")
		}
	}
	return size
}

// Compressed is a response's body as CloudFront compresses it, or nil where it does not: only 1,000 to 10,000,000 bytes
// of a type that its manual lists.
func Compressed(r *http.Request, h http.Header, body []byte) []byte {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	kinds := []string{"text/html", "text/css", "text/javascript", "text/plain", "application/javascript",
		"application/json", "image/svg+xml"}
	if len(body) < 1000 || len(body) > 10_000_000 || !slices.Contains(kinds, kind) || h.Get("Content-Encoding") != "" ||
		!strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		return nil
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(body) // to memory, which never fails
	w.Close()
	return out.Bytes()
}

var contextVariable = regexp.MustCompile(`\$context\.[A-Za-z.]+`)

// accessLine is the line of the API's access log about a request.
func (g *Gateway) accessLine(key string, m *measuredWriter, took time.Duration) string {
	values := map[string]string{
		"$context.requestId": "AbCdEfGhIjKlMnO=", "$context.identity.sourceIp": edge, "$context.routeKey": key,
		"$context.status": fmt.Sprint(m.status), "$context.responseLatency": fmt.Sprint(took.Milliseconds()),
		"$context.responseLength": fmt.Sprint(m.body.Len()),
	}
	return contextVariable.ReplaceAllStringFunc(g.config.AccessLog, func(name string) string {
		if value, ok := values[name]; ok {
			return value
		}
		return "-"
	})
}

// logged is the size of the access log's line, 0 without such a log.
func (g *Gateway) logged(r *http.Request, m *measuredWriter, took time.Duration) int64 {
	if g.config.AccessLog == "" {
		return 0
	}
	key := "$default"
	if found, ok := match(g.config.Routes, r.Method, r.URL.Path); ok {
		key = found.key()
	}
	return int64(len(g.accessLine(key, m, took)) + lambda.EventOverhead)
}
