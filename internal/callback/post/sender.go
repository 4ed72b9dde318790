// Package post sends callbacks by HTTP. A merchant's notification_url can't be trusted, so HTTPSender connects to
// public addresses only, whatever the URL's name resolves to, requires https, follows no redirect, and limits the time
// and the bytes of each response.
package post

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"checkout/internal/callback"

	"code.dny.dev/ssrf"
)

const (
	// limit is how long one exchange may take (protocol.md, Delivery).
	limit = 10 * time.Second
	// maxResponse is how many bytes of a response's body, and of its header, are read at most.
	maxResponse = 64 << 10
	// maxShown is how many bytes of a response that takes no callback are told at most.
	maxShown = 1 << 10
	// bodyLimit is how long a response's body is read.
	bodyLimit = 500 * time.Millisecond
	// idle is how long an idle connection stays open for the next callback to the same address.
	idle = 15 * time.Second
	// userAgent is the User-Agent header of every callback.
	userAgent = "Checkout-Session-Service"
)

// Options are those of an HTTPSender.
type Options struct {
	// AllowLoopback allows http as well as https, loopback addresses and every port, for a local run. Other private
	// addresses stay refused.
	AllowLoopback bool
}

// HTTPSender is a callback.Sender that is safe for concurrent use.
type HTTPSender struct {
	// Limit is the longest time from the DNS look-up to the end of the response. New sets it to 10 seconds.
	Limit time.Duration

	options   Options
	dialer    *net.Dialer
	transport *http.Transport
}

var _ callback.Sender = (*HTTPSender)(nil)

// New returns an HTTPSender. It ignores proxy settings, since a proxy would connect to addresses that are refused here.
func New(options Options) *HTTPSender {
	// The port is checked in the URL, by target.
	rules := []ssrf.Option{ssrf.WithAnyPort()}
	if options.AllowLoopback {
		rules = append(rules,
			ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8")),
			ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128")))
	}
	// Control checks the IP address just before it is dialled, after the DNS look-up. So a name that resolves to another
	// address than before can't get around the check. Dialling may continue after its request ended, so it has its own
	// time limit.
	dialer := &net.Dialer{Control: ssrf.New(rules...).Safe, Timeout: limit}
	return &HTTPSender{
		Limit:   limit,
		options: options,
		dialer:  dialer,
		transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    limit,
			IdleConnTimeout:        idle,
			MaxIdleConns:           64,
			MaxIdleConnsPerHost:    2,
			MaxResponseHeaderBytes: maxResponse,
			DisableCompression:     true, // the body is not used
		},
	}
}

// Send posts one callback and returns the HTTP status, whatever it is; redirects are not followed. The rest of the
// response is ignored, even if it never ends. Without a status the error is callback.ErrTimeout after Limit or ctx's
// deadline, callback.ErrAddress for an address that callbacks must not be sent to, or the network's error. Errors
// contain neither the body nor the URL's path, query and user.
func (s *HTTPSender) Send(ctx context.Context, out callback.Outgoing) (int, error) {
	target, err := s.target(out.URL)
	if err != nil {
		return 0, err
	}
	if out.Slow != nil {
		defer time.AfterFunc(callback.SlowAfter, out.Slow).Stop()
	}
	ctx, cancel := context.WithTimeout(ctx, s.Limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(out.Body))
	if err != nil {
		return 0, fmt.Errorf("%w: not a URL", callback.ErrAddress)
	}
	for name, value := range out.Header {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", out.ContentType)
	request.Header.Set("User-Agent", userAgent)
	// The empty value is not sent. It tells the transport that it may repeat the request when a reused connection broke.
	request.Header["Idempotency-Key"] = []string{}

	client := http.Client{Transport: s.transport, CheckRedirect: noRedirect}
	response, err := client.Do(request)
	if err != nil {
		return 0, explain(err, target.Host)
	}
	defer response.Body.Close()
	// The body is read only so that the connection can be reused. Where it takes too long, the connection is closed.
	defer time.AfterFunc(bodyLimit, cancel).Stop()
	body := io.LimitReader(response.Body, maxResponse)
	if out.Refused != nil && !callback.IsTaken(response.StatusCode) {
		start, _ := io.ReadAll(io.LimitReader(body, maxShown))
		out.Refused(start)
	}
	_, _ = io.Copy(io.Discard, body)
	return response.StatusCode, nil
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// target parses a URL and checks it before the DNS look-up. Allowed ports are 443 and the unprivileged ones, 1024 and
// above.
func (s *HTTPSender) target(text string) (*url.URL, error) {
	target, err := url.Parse(text)
	if err != nil || target.Hostname() == "" {
		return nil, fmt.Errorf("%w: not a URL", callback.ErrAddress)
	}
	if target.Scheme != "https" && !(s.options.AllowLoopback && target.Scheme == "http") {
		return nil, fmt.Errorf("%w: not https", callback.ErrAddress)
	}
	if isOddNumber(target.Hostname()) {
		return nil, fmt.Errorf("%w: an IP address in an unusual form", callback.ErrAddress)
	}
	if port := target.Port(); port != "" && !s.options.AllowLoopback {
		n, err := strconv.Atoi(port)
		if err != nil || n > 65535 || n != 443 && n < 1024 {
			return nil, fmt.Errorf("%w: port %s", callback.ErrAddress, port)
		}
	}
	return target, nil
}

// isOddNumber reports whether a host is a number that Go does not parse as an IP address, because some systems resolve
// 2130706433, 0x7f.1 and 0177.0.0.1 to 127.0.0.1. No public name ends in a number.
func isOddNumber(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	last := host[strings.LastIndexByte(host, '.')+1:]
	if hex, found := strings.CutPrefix(last, "0x"); found {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// explain returns the error of a failed request without the URL, as ErrAddress or ErrTimeout where it is one.
func explain(err error, host string) error {
	if with, ok := errors.AsType[*url.Error](err); ok {
		err = with.Err
	}
	if errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) ||
		errors.Is(err, ssrf.ErrInvalidHostPort) {
		return fmt.Errorf("%w: %s", callback.ErrAddress, host)
	}
	if timeout, ok := errors.AsType[net.Error](err); errors.Is(err, context.DeadlineExceeded) || ok && timeout.Timeout() {
		return fmt.Errorf("%w: %s", callback.ErrTimeout, host)
	}
	return fmt.Errorf("post to %s: %w", host, err)
}
