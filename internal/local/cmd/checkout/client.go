package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/internal/app"
	"checkout/internal/local/adminpage"
	"checkout/internal/local/sigv4"
)

const (
	// callTimeout is how long a call may take: API Gateway ends one after 30 seconds.
	callTimeout = 40 * time.Second
	// largest is how many bytes of a response are read.
	largest = 64 << 20
)

// client calls the admin API, and signs what it sends with the operator's AWS credentials, or sends it in the session
// of a person who has signed in.
type client struct {
	base string // address of the API, without what follows /admin
	http *http.Client
}

// address adds the flag that names the admin API.
func (c *call) address(cmd *cobra.Command) {
	c.setting(cmd, "api", "CHECKOUT_URL", "`ADDRESS` of the admin API")
}

// api returns the client of the API that is used. Once somebody has signed in, that is the one of the session, unless
// a flag or a variable names another.
func (c *call) api(ctx context.Context) (*client, error) {
	if direct, err := c.isDirect(); err != nil {
		return nil, err
	} else if direct {
		return c.openTable(ctx)
	}
	if c.given["CHECKOUT_URL"] == "" && c.getenv("CHECKOUT_URL") == "" {
		s, err := c.session()
		if err != nil {
			return nil, err
		}
		if s != nil {
			return clientOf(s.URL, &bearer{session: *s, next: http.DefaultTransport}), nil
		}
	}
	base := strings.TrimRight(c.env("CHECKOUT_URL"), "/")
	if base == "" {
		return nil, misusef("no admin API: name a stack with checkout use STACK, or set --api or CHECKOUT_URL")
	}
	if err := checkAddress(base); err != nil {
		return nil, err
	}
	transport, err := sigv4.Default(ctx)
	if err != nil {
		return nil, err
	}
	return clientOf(base, transport), nil
}

// isDirect reports whether the command works on the table. It does where it is told to, or where nothing tells of an
// admin API.
func (c *call) isDirect() (bool, error) {
	switch {
	case !c.settings:
		return false, nil
	case c.directly || c.given["TABLE"] != "":
		return true, nil
	case c.env("CHECKOUT_URL") != "" || c.env("TABLE") == "":
		return false, nil
	}
	s, err := c.session()
	return s == nil, err
}

// inTable sends requests to a handler of this process. Its errors are those that the handler has met.
type inTable struct {
	http.RoundTripper
	failed error
}

// RoundTrip implements http.RoundTripper.
func (d *inTable) RoundTrip(r *http.Request) (*http.Response, error) {
	d.failed = nil
	response, err := d.RoundTripper.RoundTrip(r)
	if d.failed != nil {
		return nil, d.failed
	}
	return response, err
}

// openTable returns a client of the admin API's settings that works on the table.
func (c *call) openTable(ctx context.Context) (*client, error) {
	env, err := c.tableEnv("SECRETS_KEY_ID")
	if err != nil {
		return nil, err
	}
	if env("SECRETS_KEY_ID") == "" {
		return nil, misusef("no KMS key: name a stack with checkout use STACK, or set --secrets-key or SECRETS_KEY_ID")
	}
	d := &inTable{}
	handler, err := app.Direct(ctx, env, func(err error) { d.failed = err })
	if err != nil {
		return nil, err
	}
	d.RoundTripper = adminpage.InProcess(handler)
	return clientOf("http://table", d), nil
}

func clientOf(base string, transport http.RoundTripper) *client {
	return &client{base: base, http: &http.Client{
		Transport: transport, Timeout: callTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// checkAddress refuses an address to which a signature would go in clear.
func checkAddress(base string) error {
	u, err := url.Parse(base)
	if err != nil {
		return misuse{err}
	}
	if u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && isHere(u)) {
		return misusef("%q is no https address", base)
	}
	return nil
}

// isHere reports whether an address is one of this machine.
func isHere(u *url.URL) bool {
	return net.ParseIP(u.Hostname()).IsLoopback() || u.Hostname() == "localhost"
}

// get reads from the API.
func (a *client) get(ctx context.Context, path string, query url.Values) ([]byte, http.Header, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+"/admin/v1"+path, nil)
	if err != nil {
		return nil, nil, err
	}
	return a.do(r)
}

// read reads JSON from the API.
func (a *client) read(ctx context.Context, path string, query url.Values, to any) error {
	body, _, err := a.get(ctx, path, query)
	if err != nil {
		return err
	}
	return decode(body, to)
}

// post is a changing call. A repeat with the same key and body is the same call. Without a key it changes nothing.
type post struct {
	path, key string
	body      any
}

// change has the API change something, and reads its response.
func (a *client) change(ctx context.Context, p post, to any) error {
	err := a.send(ctx, p, to)
	if err != nil && !isRefused(err) {
		return repeatable{err, p.key}
	}
	return err
}

// send sends a body to the API, and reads its response.
func (a *client) send(ctx context.Context, p post, to any) error {
	text, err := json.Marshal(p.body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+"/admin/v1"+p.path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if p.key != "" {
		r.Header.Set("Idempotency-Key", p.key)
	}
	response, _, err := a.do(r)
	if err != nil {
		return err
	}
	return decode(response, to)
}

// repeatable is the error of a change that may have been made, or may be made by a repeat.
type repeatable struct {
	error
	key string
}

func (r repeatable) Unwrap() error { return r.error }

func (r repeatable) Error() string {
	return r.error.Error() + "\nrepeat with --idempotency-key " + r.key
}

// isRefused reports whether an error says that nothing was changed, and that nothing will be by a repeat.
func isRefused(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.Status < http.StatusInternalServerError &&
		(r.Status != http.StatusConflict || r.Hint.Version > 0) &&
		r.Status != http.StatusTooManyRequests && r.Status != http.StatusRequestTimeout
}

func (a *client) do(r *http.Request) ([]byte, http.Header, error) {
	r.Header.Set("X-Admin-Via", "command")
	response, err := a.http.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, largest))
	if err != nil {
		return nil, nil, fmt.Errorf("read the response: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, nil, refusalOf(response.StatusCode, response.Header, body)
	}
	return body, response.Header, nil
}

func decode(body []byte, to any) error {
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	return nil
}
