package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"checkout/internal/connector"
)

// The limits of a request to a provider, also where its context allows more.
const (
	connectTimeout = 5 * time.Second
	requestTimeout = 20 * time.Second // longer than the service's own limit, which ends a request first
	maxResponse    = 1 << 20          // bytes
)

// Client sends HTTP requests to providers. It never sends a body twice: it follows no redirect and repeats no
// request.
type Client struct{ http *http.Client }

// NewClient makes a client with connections of its own.
func NewClient() *Client {
	return Over(&http.Transport{
		DialContext:         (&net.Dialer{Timeout: connectTimeout}).DialContext,
		TLSHandshakeTimeout: connectTimeout,
		MaxIdleConnsPerHost: 10,
		IdleConnTimeout:     time.Minute,
		ForceAttemptHTTP2:   true,
	})
}

// Over makes a client that sends over a transport, which must report a connection as net/http does (httptrace.GotConn).
func Over(transport http.RoundTripper) *Client {
	return &Client{&http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       requestTimeout,
	}}
}

// Request is one HTTP request.
type Request struct {
	Method string
	URL    string
	Header map[string]string
	Body   []byte
}

// Response is a complete response, with any status, redirects included.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Send sends a request and reads its response. It fails with connector.ErrNotSent if no connection to the provider was
// made, and for an address without TLS that is not this machine. After any other error the outcome is unknown. An error
// contains only the address, without its query and with long numbers masked, so that it may be logged.
func (c *Client) Send(ctx context.Context, r Request) (Response, error) {
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	ctx = httptrace.WithClientTrace(ctx, trace)
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, nil)
	if err != nil {
		return Response{}, fmt.Errorf("%w: the address is not valid", connector.ErrNotSent)
	}
	if !isPrivate(request.URL) {
		return Response{}, fmt.Errorf("%w: the address is no https address", connector.ErrNotSent)
	}
	if len(r.Body) > 0 { // set without GetBody, so that net/http can't repeat it on another connection
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(r.Body)), int64(len(r.Body))
	}
	for name, value := range r.Header {
		request.Header.Set(name, value)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return Response{}, failure(request, err, connected.Load())
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	switch {
	case err != nil:
		return Response{}, failure(request, err, true)
	case len(text) > maxResponse:
		return Response{}, fmt.Errorf("%s: the response has more than %d bytes", address(request), maxResponse)
	}
	return Response{response.StatusCode, response.Header, text}, nil
}

// JSONRequest is an HTTP request with a JSON body. A nil Body is none.
type JSONRequest struct {
	Method string
	URL    string
	Header map[string]string
	Body   any
}

// SendJSON sends a request and reads the JSON of a response with a status below 500 into a value. It fails as Send
// does, and for a response that can't be read or has a status from 500 on: the outcome is unknown then. The body of a
// response with status 401, 403 or 429 may be anything, because gateways in front of providers send those, too.
func (c *Client) SendJSON(ctx context.Context, j JSONRequest, into any) (status int, err error) {
	r := Request{Method: j.Method, URL: j.URL, Header: map[string]string{"Accept": "application/json"}}
	if j.Body != nil {
		if r.Body, err = json.Marshal(j.Body); err != nil {
			return 0, fmt.Errorf("%w: the request can't be written", connector.ErrNotSent)
		}
		r.Header["Content-Type"] = "application/json"
	}
	maps.Copy(r.Header, j.Header)
	response, err := c.Send(ctx, r)
	if err != nil {
		return 0, err
	}
	if response.Status >= http.StatusInternalServerError {
		return response.Status, fmt.Errorf("the provider has a problem: status %d", response.Status)
	}
	err = response.JSON(into)
	if slices.Contains(fromGateway, response.Status) {
		err = nil
	}
	return response.Status, err
}

// fromGateway are the statuses that say everything without a body.
var fromGateway = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}

// failure is the error of a request.
func failure(r *http.Request, err error, connected bool) error {
	var inner *url.Error
	if errors.As(err, &inner) { // its own text has the whole address
		err = inner.Err
	}
	if !connected {
		return fmt.Errorf("%w: %s: %v", connector.ErrNotSent, address(r), err)
	}
	return fmt.Errorf("%s: %w", address(r), withoutResponse(err))
}

// withoutResponse returns an error of a connection as it is. Any other is of a response that is broken, whose text
// repeats a part of it: of a status line, a header or the address of a redirect. Only its type is returned.
func withoutResponse(err error) error {
	var connection *net.OpError
	var timeout net.Error
	switch {
	case errors.As(err, &connection), errors.As(err, &timeout) && timeout.Timeout(),
		errors.Is(err, context.Canceled), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	return fmt.Errorf("the response is broken: %T", err)
}

// isPrivate reports whether nobody between can read what is sent to an address: by TLS, or because it is this machine.
func isPrivate(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	local := u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && local)
}

// address is the method and address of a request in a form that may be logged.
func address(r *http.Request) string {
	return r.Method + " " + r.URL.Scheme + "://" + r.URL.Host + masked(r.URL.Path)
}

// longest is how many digits in a row a logged address may have: fewer than the number of a card, an account or a
// phone.
const longest = 8

// masked replaces the digits of long numbers by stars, because they may be secret.
func masked(text string) string {
	out := []byte(text)
	for i := 0; i < len(out); i++ {
		end := i
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		if end-i > longest {
			copy(out[i:end], strings.Repeat("*", end-i))
		}
		i = max(i, end-1)
	}
	return string(out)
}

// JSON decodes the response's body. Its error contains nothing of the body.
func (r Response) JSON(into any) error {
	if err := json.Unmarshal(r.Body, into); err != nil {
		return fmt.Errorf("the response can't be read: status %d, %d bytes", r.Status, len(r.Body))
	}
	return nil
}
