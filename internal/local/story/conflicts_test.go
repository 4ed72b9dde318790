package story

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// rivals makes every save of certain documents a conflict: of those whose partition begins with the first text and
// whose sort key contains the second one. Without texts it ends that.
func (w *World) rivals(texts ...string) {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	w.store.rival = nil
	if len(texts) == 2 {
		w.store.rival = func(key store.Key) bool {
			return strings.HasPrefix(key.Partition, texts[0]) && strings.Contains(key.Sort, texts[1])
		}
	}
}

// gaveUp checks how many calls of an operation ended with too many conflicts since the story began.
func (w *World) gaveUp(operation string, want int) {
	w.t.Helper()
	line := `"operation":"` + operation + `"`
	got := 0
	for logged := range strings.Lines(w.log.String()) {
		if strings.Contains(logged, line) && strings.Contains(logged, `"conflicts_exhausted":1`) {
			got++
		}
	}
	if got != want {
		w.t.Errorf("%d times conflicts_exhausted of %s, want %d", got, operation, want)
	}
}

// Each save before the provider request is a conflict: no request is sent. The message comes again, and later one
// request is sent.
func TestConflictsBeforeTheProviderRequest(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/38"))
	w.rivals("order/", "/payment")
	if err := payer.runs(); !errors.Is(err, store.ErrConflicts) {
		t.Errorf("the job returned %v", err)
	}
	w.gaveUp("run job", 1)
	w.ledgerIs()
	w.rivals()
	w.pass(10 * time.Minute)
	payer.is("settled")
	w.ledgerIs("1 x 10.00 USD approved")
	w.shop.told("sale success settled")
}

// Each save after the provider's response is a conflict: the outcome is looked up later, and nothing is charged again.
func TestConflictsAfterTheProvidersResponse(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/38"))
	w.connects(settings.SandboxConnector, w.bank.ends(func() { w.rivals("order/", "/payment") }))
	if err := payer.runs(); !errors.Is(err, store.ErrConflicts) {
		t.Errorf("the job returned %v", err)
	}
	w.gaveUp("change payment", 1)
	w.connects(settings.SandboxConnector, w.bank)
	w.rivals()
	w.pass(10 * time.Minute)
	payer.is("settled")
	w.ledgerIs("1 x 10.00 USD approved")
	w.shop.told("sale success settled")
	if w.bank.lookups != 1 {
		t.Errorf("%d look-ups", w.bank.lookups)
	}
}

// A refund and a notice whose saves are always conflicts return 500 and can be sent again.
func TestConflictsOfCalls(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.rivals("order/", "/payment")
	refund := w.shop.AmountBody(payer.paymentID(), "4.00")
	if code, body := w.call("POST", "/api/v1/payment/refund", refund); code != http.StatusInternalServerError {
		t.Errorf("the refund returned %d %s", code, body)
	}
	w.gaveUp("change payment", 1)
	w.rivals("sandbox/", "")
	button := map[string]string{"reference": payer.paymentID(), "action": "chargeback"}
	if code := w.postForm("/sandbox/"+payer.paymentID(), button); code != http.StatusInternalServerError {
		t.Errorf("the chargeback returned %d", code)
	}
	w.rivals()
	w.work()
	w.ledgerIs("1 x 10.00 USD approved")
	payer.is("settled")
	if code := w.postForm("/sandbox/"+payer.paymentID(), button); code != http.StatusSeeOther {
		t.Errorf("the chargeback returned %d", code)
	}
	w.work()
	payer.is("chargeback")
	w.shop.told("sale success settled", "chargeback success chargeback")
}

// The payer comes back, but the session can't be saved: the response is a 500, and reloading works.
func TestConflictsOfAReturn(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.pays("05/38")
	location := w.server.URL + payer.ReturnPath() // before the payer has decided
	w.rivals("order/", "/session/")
	if code, _ := w.call("GET", strings.TrimPrefix(location, w.server.URL), nil); code != http.StatusInternalServerError {
		t.Errorf("the return returned %d", code)
	}
	w.gaveUp("payer returned", 1)
	w.rivals()
	payer.comesBack(location)
	payer.pressesAt(payer.bankPage(), "confirm")
	w.work()
	payer.is("settled")
}

// postForm sends a form and returns the status. It doesn't follow redirects.
func (w *World) postForm(path string, fields map[string]string) int {
	w.t.Helper()
	form := url.Values{}
	for name, value := range fields {
		form.Set(name, value)
	}
	response, err := noRedirects.PostForm(w.server.URL+path, form)
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

// The sandbox can't store a refund: the outcome is unknown and is looked up, and the amount is refunded once.
func TestConflictsAtTheSandbox(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.rivals("sandbox-refund/", "")
	refund := w.shop.AmountBody(payer.paymentID(), "4.00")
	if code, body := w.call("POST", "/api/v1/payment/refund", refund); code != http.StatusOK {
		t.Errorf("the refund returned %d %s", code, body)
	}
	w.work()
	w.gaveUp("send to sandbox", 1)
	w.rivals()
	w.pass(10 * time.Minute)
	w.shop.told("sale success settled", "refund undefined settled", "refund success settled")
	if got := w.shop.refunds(payer.paymentID(), "6.01"); !strings.HasPrefix(got, "400") {
		t.Errorf("a refund of more than is refundable: %s", got)
	}
}
