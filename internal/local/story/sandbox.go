package story

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/page/screen"
)

// presses presses a button on the sandbox's page, to which the screen redirects the payer, and returns where that page
// redirects the payer then.
func (v *Visit) presses(button string) (location string) {
	v.w.t.Helper()
	page := v.screen()
	if page.Kind != screen.KindGo || !strings.HasPrefix(page.Go.URL, v.w.server.URL+"/sandbox/") {
		v.w.t.Fatalf("the payer is not sent to the sandbox but sees %q", words(page))
	}
	return v.pressesAt(page.Go.URL, button)
}

// pressesAt does the same on a page that the payer still has open.
func (v *Visit) pressesAt(page, button string) (location string) {
	v.w.t.Helper()
	v.hasButton(strings.TrimPrefix(page, v.w.server.URL), button)
	response, err := noRedirects.PostForm(page, url.Values{"action": {button}})
	if err != nil {
		v.w.t.Fatalf("press %s: %v", button, err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusSeeOther {
		v.w.t.Fatalf("press %s: %d %s", button, response.StatusCode, body)
	}
	return response.Header.Get("Location")
}

// hasButton fails the story unless the sandbox's page has a button.
func (v *Visit) hasButton(path, button string) {
	v.w.t.Helper()
	code, html := v.w.call("GET", path, nil)
	if code != http.StatusOK || !strings.Contains(string(html), `value="`+button+`"`) {
		v.w.t.Fatalf("the sandbox's page has no button %q: %d %s", button, code, html)
	}
}

// comesBack follows the redirect from the sandbox to the checkout page.
func (v *Visit) comesBack(location string) {
	v.w.t.Helper()
	if want := v.w.server.URL + v.ReturnPath(); location != want {
		v.w.t.Errorf("sent back to %q, want %q", location, want)
	}
	response, err := noRedirects.Get(location)
	if err != nil {
		v.w.t.Fatalf("come back: %v", err)
	}
	defer response.Body.Close()
	want, got := v.w.server.URL+"/?session="+v.Session, response.Header.Get("Location")
	if response.StatusCode != http.StatusSeeOther || got != want {
		v.w.t.Errorf("back at the checkout: %d %q, want 303 %q", response.StatusCode, got, want)
	}
}

// noRedirects is an HTTP client that returns redirects instead of following them.
var noRedirects = http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// bankPage is the URL of the sandbox's page for the payment.
func (v *Visit) bankPage() string {
	return v.w.server.URL + "/sandbox/" + v.paymentID()
}

// decidesAtBank presses a button on the sandbox's page when the service can't handle the decision and returns a 500.
func (v *Visit) decidesAtBank(button string) {
	v.w.t.Helper()
	response, err := http.PostForm(v.bankPage(), url.Values{"action": {button}})
	if err != nil {
		v.w.t.Fatalf("press %s: %v", button, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusInternalServerError {
		v.w.t.Errorf("the bank page returned %d", response.StatusCode)
	}
}

// ledgerEntry is the sandbox's document of one charge.
type ledgerEntry struct {
	Reference  string            `json:"reference"`
	PaymentID  string            `json:"payment_id"`
	Charges    int               `json:"charges"`
	Amount     string            `json:"amount"`
	Currency   string            `json:"currency"`
	Next       payment.Status    `json:"next"`
	Outcome    connector.Outcome `json:"outcome"`
	Authorised money.Amount      `json:"authorised"`
	Captured   money.Amount      `json:"captured"`
	Refunded   money.Amount      `json:"refunded"`
	Voided     bool              `json:"voided"`
	Disputed   connector.Outcome `json:"disputed"`
}

// charges returns the sandbox's documents of charges, without those of requests that got lost.
func (w *World) charges() (all []ledgerEntry) {
	w.t.Helper()
	for _, record := range w.app.Store.Dump() {
		reference, found := strings.CutPrefix(record.Key.Partition, "sandbox/")
		if !found || strings.HasSuffix(reference, "/lost") {
			continue
		}
		var c ledgerEntry
		if err := json.Unmarshal(record.Doc, &c); err != nil {
			w.t.Fatalf("ledger: %v", err)
		}
		all = append(all, c)
	}
	return all
}

// ledger describes the sandbox's charges by reference, such as "1 x 10.00 USD approved".
func (w *World) ledger() map[string]string {
	w.t.Helper()
	ledger := map[string]string{}
	for _, c := range w.charges() {
		outcome := "declined"
		if c.Outcome == connector.OutcomeApproved {
			outcome = "approved"
		}
		if c.Next != "" {
			outcome = "waits for the payer"
		}
		ledger[c.Reference] = fmt.Sprintf("%d x %s %s %s", c.Charges, c.Amount, c.Currency, outcome)
	}
	return ledger
}

// ledgerIs compares the ledger's lines, without their references, with what a story expects.
func (w *World) ledgerIs(want ...string) {
	w.t.Helper()
	var got []string
	for _, line := range w.ledger() {
		got = append(got, line)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Errorf("the sandbox's ledger: %q, want %q", got, want)
	}
}
