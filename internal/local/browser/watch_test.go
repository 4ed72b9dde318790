package browser

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// watch collects forbidden actions of a story's tabs.
type watch struct {
	mu     sync.Mutex
	faults []string
	pays   map[string]bool // requests to pay by the browser's ids
	bodies []string        // theirs
	wallet string          // the origin of the frame that may ask the host of Google Pay
	loaded float64         // bytes of responses with their headers
}

// frame lets the frame of a wallet ask the host of Google Pay, and nothing else ask it.
func (w *watch) frame(origin string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wallet = origin
}

// take handles an event of a tab.
func (w *watch) take(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if w.wallet == "" || !strings.HasPrefix(e.Request.URL, "https://"+payHost+"/") ||
			!strings.HasPrefix(e.DocumentURL, w.wallet+"/") {
			w.request(e.Request)
		}
		w.pay(string(e.RequestID), e.Request)
	case *fetch.EventRequestPaused: // that it is sent, a browser may never tell once the page has gone
		w.pay(cmp.Or(string(e.NetworkID), string(e.RequestID)), e.Request)
	case *network.EventLoadingFinished:
		w.loaded += e.EncodedDataLength
	case *log.EventEntryAdded:
		// A request that fails is no fault of the page.
		if e.Entry.Source != log.EntrySourceNetwork && e.Entry.Level == log.EntryLevelError {
			w.faults = append(w.faults, fmt.Sprintf("%s: %s", e.Entry.Source, e.Entry.Text))
		}
	case *runtime.EventExceptionThrown:
		w.faults = append(w.faults, "exception: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		w.faults = append(w.faults, "the page writes to the console")
	}
}

func (w *watch) request(r *network.Request) {
	at, err := url.Parse(r.URL)
	switch {
	case err != nil:
		w.faults = append(w.faults, err.Error())
	case at.Scheme == "data" || at.Scheme == "about":
	case !strings.HasSuffix("."+at.Hostname(), ".localhost") && at.Hostname() != "127.0.0.1":
		w.faults = append(w.faults, "a request to "+at.Host)
	}
	body := bodyOf(r)
	if r.HasPostData && body == "" {
		w.faults = append(w.faults, "a body that can't be seen")
	}
	// The test wallet tells the sandbox which of its published cards was picked.
	if hasCard(r.URL) || hasCard(body) && at.Path != "/sandbox/wallet" {
		w.faults = append(w.faults, "card data in a request to "+at.Path)
	}
}

// pay keeps a request to pay of the service, once by its id.
func (w *watch) pay(id string, r *network.Request) {
	address, _, _ := strings.Cut(r.URL, "?")
	if !strings.HasSuffix(address, "/pay") || strings.HasPrefix(address, "https://"+payHost+"/") || w.pays[id] {
		return
	}
	if w.pays == nil {
		w.pays = map[string]bool{}
	}
	w.pays[id], w.bodies = true, append(w.bodies, bodyOf(r))
}

func bodyOf(r *network.Request) string {
	var body strings.Builder
	for _, part := range r.PostDataEntries {
		body.Write(part.Bytes)
	}
	return body.String()
}

// hasCard reports whether a text contains a card number of these tests in clear.
func hasCard(text string) bool {
	bare := strings.NewReplacer(" ", "", "%20", "", "+", "", "-", "").Replace(text)
	return strings.Contains(bare, cardNumber) || strings.Contains(bare, payoutCard) ||
		strings.Contains(bare, `"`+securityCode+`"`)
}

// sent returns the bodies of the requests to pay so far.
func (w *watch) sent() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.bodies...)
}

// found returns the faults so far and removes them.
func (w *watch) found() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	faults := w.faults
	w.faults = nil
	return faults
}

func (w *watch) check(t *testing.T) {
	for _, fault := range w.found() {
		t.Error(fault)
	}
}
