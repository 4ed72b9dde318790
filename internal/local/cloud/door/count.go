package door

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"
)

// Counts is what has gone through the door since the last reset.
type Counts struct {
	Requests    int64 // of viewers
	Functions   int64 // runs of CloudFront Functions
	Bytes       int64 // to viewers: status line, headers and bodies, compressed where CloudFront would
	OriginBytes int64 // of requests with a body to the API: request line, headers and body
	LogBytes    int64 // of the API's access log
}

type counter struct {
	mu    sync.Mutex
	total Counts
}

// Counts of all requests.
func (d *Door) Counts() Counts {
	d.counts.mu.Lock()
	defer d.counts.mu.Unlock()
	return d.counts.total
}

// Reset begins to count anew.
func (d *Door) Reset() {
	d.counts.mu.Lock()
	defer d.counts.mu.Unlock()
	d.counts.total = Counts{}
}

func (c *counter) add(one Counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total.Requests += one.Requests
	c.total.Functions += one.Functions
	c.total.Bytes += one.Bytes
	c.total.OriginBytes += one.OriginBytes
	c.total.LogBytes += one.LogBytes
}

// What AWS adds to every response, as it looks on the wire.
const (
	byCloudFront = "Date: Sat, 21 Nov 2026 12:00:00 GMT\r\nX-Cache: Miss from cloudfront\r\n" +
		"Via: 1.1 0123456789abcdef0123456789abcdef.cloudfront.net (CloudFront)\r\nX-Amz-Cf-Pop: FRA56-P3\r\n" +
		"X-Amz-Cf-Id: 0123456789-0123456789-0123456789-0123456789-01234567890==\r\n"
	byGateway = "Apigw-Requestid: AbCdEfGhIjKlMnO=\r\n"
	byBucket  = "ETag: \"0123456789abcdef0123456789abcdef\"\r\nx-amz-server-side-encryption: AES256\r\nServer: AmazonS3\r\n" +
		"Cache-Control: public, max-age=31536000, immutable\r\nVary: Accept-Encoding\r\nAge: 100000\r\n"
)

// meter passes a response on and keeps its size.
type meter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (m *meter) WriteHeader(status int) {
	m.status = status
	m.ResponseWriter.WriteHeader(status)
}

func (m *meter) Write(p []byte) (int, error) {
	if m.status == 0 {
		m.status = http.StatusOK
	}
	m.body.Write(p)
	return m.ResponseWriter.Write(p)
}

// visitOf counts a request that has been answered.
func (d *Door) visitOf(r *http.Request, m *meter, b template.Behavior) Counts {
	added := byCloudFront + byGateway
	if !b.ToAPI {
		added = byCloudFront + byBucket
	}
	size := len("HTTP/1.1 200 OK\r\n") + headerSize(m.Header()) + len(added) + len("\r\n")
	body := m.body.Bytes()
	if b.Compress && compressible(m.Header().Get("Content-Type"), len(body)) && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		body = compressed(body)
		size += len("Content-Encoding: gzip\r\n")
	}
	c := Counts{Requests: 1, Bytes: int64(size + len(body))}
	if b.Plain {
		c.Functions = 1
	}
	if b.ToAPI && r.ContentLength > 0 {
		c.OriginBytes = int64(len(r.Method)+len(r.URL.RequestURI())+len("  HTTP/1.1\r\n\r\n")+headerSize(r.Header)) + r.ContentLength
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

// compressible tells whether CloudFront compresses a response: 1,000 to 10,000,000 bytes of the kinds that the manual lists.
func compressible(contentType string, size int) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kinds := []string{"text/html", "text/css", "text/javascript", "text/plain", "application/javascript", "application/json", "image/svg+xml"}
	return size >= 1000 && size <= 10_000_000 && slices.Contains(kinds, kind)
}

func compressed(text []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(text) // into memory: never fails
	w.Close()
	return out.Bytes()
}

var contextVariable = regexp.MustCompile(`\$context\.[A-Za-z.]+`)

// accessLine is the API's line about a request that has been answered.
func (d *Door) accessLine(key string, m *meter, took time.Duration) string {
	values := map[string]string{
		"$context.requestId": "AbCdEfGhIjKlMnO=", "$context.identity.sourceIp": edge, "$context.routeKey": key,
		"$context.status": fmt.Sprint(m.status), "$context.responseLatency": fmt.Sprint(took.Milliseconds()), "$context.responseLength": fmt.Sprint(m.body.Len()),
	}
	return contextVariable.ReplaceAllStringFunc(d.config.AccessLog, func(name string) string {
		if value, ok := values[name]; ok {
			return value
		}
		return "-"
	})
}

// logged is the size of the access log's line, nothing without such a log.
func (d *Door) logged(r *http.Request, m *meter, took time.Duration) int64 {
	if d.config.AccessLog == "" {
		return 0
	}
	key := "$default"
	if found, ok := match(d.config.Routes, r.Method, r.URL.Path); ok {
		key = found.key()
	}
	return int64(len(d.accessLine(key, m, took)) + lambda.EventOverhead)
}
