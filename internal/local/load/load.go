// Package load shows how many checkouts a second a service takes, and where it breaks first. Checkouts arrive at a
// fixed rate, whatever becomes of those before, in steps of growing rates. All are whole: session, page, form, a
// payment by the test card, its outcome, status. Times count from the planned arrival, so that a service that stalls is
// not flattered by requests that were not sent meanwhile.
package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"checkout/internal/local/client"
)

// Config says what is measured.
type Config struct {
	URL      string          // of the service, without a slash at its end
	Merchant client.Merchant // with the test key
	Rates    []int           // checkouts a second of each step, ascending
	Each     time.Duration   // how long each step lasts
	Bound    time.Duration   // that p99 of no call may exceed
	Timeout  time.Duration   // of one call
	Patience time.Duration   // for the outcome of a payment
	Open     int             // checkouts that are in progress at once, at most: more are counted as not sent
	JSON     bool            // print a line of JSON for each step instead of a table
}

// Rates returns the rates of the steps up to the highest: 5, 10, 25, 50, 100, 200, 400, ...
func Rates(highest int) []int {
	rates := []int{}
	for _, rate := range []int{5, 10, 25, 50} {
		if rate < highest {
			rates = append(rates, rate)
		}
	}
	for rate := 100; rate < highest; rate *= 2 {
		rates = append(rates, rate)
	}
	return append(rates, highest)
}

// brokenSteps is after how many steps in a row that were too much a run ends.
const brokenSteps = 2

// Run measures a service until the last step, or until ctx ends, and prints a line for each step and where it breaks.
func Run(ctx context.Context, c Config, out io.Writer) error {
	if c.Open < 1 || c.Each <= 0 || len(c.Rates) == 0 || slices.Min(c.Rates) < 1 {
		return errors.New("at least one rate, of at least one checkout a second, for some time")
	}
	transport := &http.Transport{ // without HTTP/2: payers share no connection
		MaxIdleConnsPerHost: c.Open, IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: c.Timeout,
	}
	defer transport.CloseIdleConnections()
	service := client.Service{URL: c.URL, HTTP: &http.Client{Transport: transport, Timeout: c.Timeout}}
	p := printer{out, c.JSON}
	if err := p.head(); err != nil {
		return err
	}
	var all []Step
	broken := 0
	for _, rate := range c.Rates {
		step := (&stage{config: c, service: service, rate: rate}).run(ctx)
		all = append(all, step)
		if err := p.step(step); err != nil {
			return err
		}
		if step.Broken == "" {
			broken = 0
		} else if broken++; broken == brokenSteps {
			break
		}
		if ctx.Err() != nil {
			break
		}
	}
	return p.end(conclude(all))
}

// Conclusion is what the steps say together.
type Conclusion struct {
	KeepsUp  int    `json:"keeps_up"`  // highest rate before the first step that was too much; 0: none
	BreaksAt int    `json:"breaks_at"` // rate of that step; 0: none was too much
	Why      string `json:"why,omitempty"`
	Stopped  bool   `json:"stopped,omitempty"` // before the last step had ended
}

func conclude(all []Step) (c Conclusion) {
	for _, s := range all {
		switch {
		case s.Stopped:
			c.Stopped = true
		case c.BreaksAt > 0:
		case s.Broken != "":
			c.BreaksAt, c.Why = s.Offered, s.Broken
		default:
			c.KeepsUp = s.Offered
		}
	}
	return c
}

func (c Conclusion) String() string {
	text := fmt.Sprintf("it keeps up with %d a second", c.KeepsUp)
	if c.KeepsUp == 0 {
		text = "it keeps up with no step"
	}
	if c.BreaksAt > 0 {
		text += fmt.Sprintf(", and breaks at %d: %s", c.BreaksAt, c.Why)
	}
	if c.Stopped {
		text += "; stopped before the end"
	}
	return text
}
