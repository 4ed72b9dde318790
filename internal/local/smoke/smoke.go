// Package smoke shows that a deployed stack works: with a merchant of its own it pays by the test card, captures,
// refunds, voids and charges again, loads the page as a browser does, waits until callbacks are delivered, and reads
// the functions' logs. No money moves, because all payments have the test key. It prints a line for each part that
// works, and for each that does not why and where to look.
package smoke

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/client"
)

// Stack is a stack and how to reach its parts.
type Stack struct {
	URL       string  // of page and API, without a slash at its end
	WalletURL string  // of the frame of Google Pay, likewise; "": not checked
	API       string  // of API Gateway, past CloudFront, likewise; "": not checked
	Env       app.Env // of app.OpenMerchants and app.OpenTable
	Act       app.Act // by whom the merchant is stored

	// CallbackURL is where callbacks go; "": to the stack itself. A POST to the path that cancels a cancelled session
	// changes nothing and is responded to with 200.
	CallbackURL string

	Logs     Logs          // nil: not checked
	Patience time.Duration // for each outcome that is waited for
}

// Logs are those of a stack's functions.
type Logs interface {
	// Read returns lines of each function, by its name as in functions/: all that may be about a fault, and at least one
	// if the function has written any since a time.
	Read(ctx context.Context, since time.Time) (map[string][]string, error)
}

// step is one part of the test. It returns a few words about what it has seen.
type step struct {
	name  string
	needs string   // the step without which it can't be tried; "": none
	calls []string // functions, whose logs say more
	do    func(context.Context) (string, error)
}

// run is one test of a stack.
type run struct {
	Stack
	out       io.Writer
	began     time.Time
	merchants *app.Merchants
	records   app.Store
	service   client.Service
	shop      client.Merchant

	cancelled string   // path of the page of a cancelled session
	number    string   // of the first order, which is paid
	first     string   // its session
	order     payment  // and its payment
	payments  []string // ids of all payments
	called    []string // functions
	broken    bool     // a response was an internal error
}

// errSkipped is the error of a step that is left out because the stack lacks what it needs.
var errSkipped = errors.New("not checked")

// Run tests a stack, and reports whether all went well. What it prints has no secret.
func Run(ctx context.Context, stack Stack, out io.Writer) bool {
	r := &run{Stack: stack, out: out, began: time.Now()}
	r.service = client.Service{URL: r.URL, HTTP: &http.Client{
		Timeout:       30 * time.Second, // what API Gateway allows
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	failed := map[string]bool{}
	for _, s := range r.steps() {
		if s.needs != "" && failed[s.needs] {
			failed[s.name] = true
			fmt.Fprintf(out, "%-9s  -     not tried without %s\n", s.name, s.needs)
			continue
		}
		r.called = append(r.called, s.calls...)
		words, err := s.do(ctx)
		switch {
		case errors.Is(err, errSkipped):
			fmt.Fprintf(out, "%-9s  -     %v\n", s.name, err)
		case err != nil:
			failed[s.name] = true
			fmt.Fprintf(out, "%-9s  FAIL  %s%s\n", s.name, plain(err), whereToLook(s.calls))
		default:
			fmt.Fprintf(out, "%-9s  ok    %s\n", s.name, words)
		}
	}
	if err := r.disable(context.WithoutCancel(ctx)); err != nil {
		failed["merchant"] = true
		fmt.Fprintf(out, "%-9s  FAIL  not disabled again: %s\n", "merchant", plain(err))
	}
	if len(failed) > 0 {
		fmt.Fprintf(out, "%s does not work\n", r.URL)
		return false
	}
	fmt.Fprintf(out, "%s works\n", r.URL)
	return true
}

// steps are all steps in their order.
func (r *run) steps() []step {
	return []step{
		{"merchant", "", nil, r.putMerchant},
		{"session", "merchant", []string{"session"}, r.createSessions},
		{"page", "", nil, r.loadPage},
		{"wallet", "", nil, r.loadWallet},
		{"direct", "", nil, r.callDirectly},
		{"pay", "session", []string{"page", "connector", "status"}, r.payFirst},
		{"capture", "pay", []string{"capture", "connector"}, r.capture},
		{"refund", "capture", []string{"refund", "connector"}, r.refund},
		{"recurring", "capture", []string{"recurring", "connector"}, r.recur},
		{"void", "pay", []string{"void", "connector"}, r.void},
		{"status", "pay", []string{"status"}, r.askStatus},
		{"callbacks", "pay", []string{"callback"}, r.awaitCallbacks},
		{"logs", "", nil, r.readLogs},
	}
}

func whereToLook(functions []string) string {
	if len(functions) == 0 {
		return ""
	}
	return "; look at the log of " + strings.Join(functions, " and ")
}

// plain is an error on one line. Addresses of requests are left out, because they may have the id of a session.
func plain(err error) string {
	var request *url.Error
	if errors.As(err, &request) {
		err = fmt.Errorf("no response: %w", request.Err)
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

// until repeats a check until it is done or fails. The check's words say what is missing when the patience is over.
func (r *run) until(ctx context.Context, check func() (done bool, words string, err error)) error {
	for end := time.Now().Add(r.Patience); ; {
		done, words, err := check()
		if err != nil || done {
			return err
		}
		if !time.Now().Before(end) {
			return fmt.Errorf("after %s still %s", r.Patience, words)
		}
		if err := pause(ctx, 250*time.Millisecond); err != nil {
			return err
		}
	}
}

// pause waits, unless ctx ends before that.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// newNumber makes an order number.
func newNumber() string { return "smoke-" + rand.Text()[:12] }

func ms(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) }
