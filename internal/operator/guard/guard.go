// Package guard compares the checkout page and the frame of Google Pay, as a payer's browser gets them, with what was
// released: each page, script and style sheet, what a page loads, and the headers that protect them.
package guard

import (
	"net/http"
	"time"

	"checkout/internal/metric"
	"checkout/internal/store"
)

const (
	// overlap is how long the release before is still served while a new one is uploaded.
	overlap = 15 * time.Minute
	// fetchTime is how long one file may take.
	fetchTime = 10 * time.Second
	// maxIndex is how much of a page is read, whose unknown scripts are to be named.
	maxIndex = 256 << 10
	// maxLines is how many differences are logged at most.
	maxLines = 20
	// pageOrigin stands in the released index.html of the frame where the uploaded one has the page's address.
	pageOrigin = "{PAGE_ORIGIN}"
)

// Guard compares two sites with their release.
type Guard struct {
	metric.Meter
	Store store.Store
	HTTP  http.RoundTripper

	Page  Site
	Frame Site // of Google Pay
}

// Site is one of the two as it should be.
type Site struct {
	URL    string // without a trailing slash
	Policy string // its Content-Security-Policy
}

// released is a release with when that was recorded.
type released struct {
	Release
	at time.Time
}
