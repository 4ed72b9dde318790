// Package load shows how many checkouts a second a service takes, and where it breaks first. Checkouts arrive at a
// fixed rate, whatever becomes of those before, in steps of growing rates. All are whole: session, page, form, a
// payment by the test card, its outcome, status. Times count from the planned arrival, so that a service that stalls is
// not flattered by requests that were not sent meanwhile.
package load

import (
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
