package smoke

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/client"
)

// Stack is a stack and how to reach its parts.
type Stack struct {
	URL       string  // of page and API
	WalletURL string  // of the frame of Google Pay; "": not checked
	API       string  // of API Gateway, past CloudFront; "": not checked
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

	cancelled string       // path that cancels a cancelled session
	number    string       // of the first order, which is paid
	first     client.Visit // its session
	order     payment      // and its payment
	payments  []string     // ids of all payments
	called    []string     // functions
	broken    bool         // a response was an internal error
}

// errSkipped is the error of a step that is left out because the stack lacks what it needs.
var errSkipped = errors.New("not checked")

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
		if err := client.Pause(ctx, 250*time.Millisecond); err != nil {
			return err
		}
	}
}

// newNumber makes an order number.
func newNumber() string { return "smoke-" + rand.Text()[:12] }

func ms(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) }
