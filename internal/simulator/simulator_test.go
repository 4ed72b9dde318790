package simulator

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/money"
)

// plain is a provider without a form of its own.
var plain = family{
	name: "plain",
	routes: func(s *Simulator) map[string]http.HandlerFunc {
		charge := func(w http.ResponseWriter, r *http.Request) {
			usd, _ := money.Find("USD")
			amount, err := money.ParseMinor(r.PathValue("amount"), usd)
			if err != nil {
				http.Error(w, "amount", http.StatusBadRequest)
				return
			}
			o, err := s.execute(r, Operation{
				Family: "plain", Kind: Charge, Reference: r.PathValue("reference"), Amount: amount,
			})
			if err != nil {
				http.Error(w, err.Error(), http.StatusConflict)
				return
			}
			writeJSON(w, http.StatusOK, map[string]string{"id": o.ID, "state": string(o.State), "reason": o.Reason})
		}
		return map[string]http.HandlerFunc{"POST /charges/{amount}/{reference}": charge}
	},
}

func start(t *testing.T) (*Simulator, *httptest.Server) {
	t.Helper()
	s := newOf(Options{}, []family{plain})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server
}

// broken are the faults with which a impatient client gets no response with status 200.
var broken = []Fault{
	NeverResponds, RespondsLate, DropsConnection, LosesRequest, TooManyRequests, ServerError,
}

// TestChoices sends an amount of each choice, twice with the same reference: it is executed once, or the first time not
// at all.
func TestChoices(t *testing.T) {
	s, server := start(t)
	client := &http.Client{Timeout: 200 * time.Millisecond}
	for _, c := range choices {
		if c.amount == "" {
			continue
		}
		reference := "r" + c.amount
		address := server.URL + "/plain/charges/1" + c.amount + "/" + reference
		first, err := client.Post(address, "", nil)
		if err == nil {
			first.Body.Close()
		}
		whole := err == nil && first.StatusCode == http.StatusOK
		if whole == slices.Contains(broken, c.fault) {
			t.Errorf("%s: %+v, %v", c.amount, first, err)
		}
		o, found := s.Find("plain", reference)
		if notExecuted := c.fault == TooManyRequests || c.fault == LosesRequest; found == notExecuted {
			t.Errorf("%s: %+v, %v", c.amount, o, found)
		}
		again, err := client.Post(address, "", strings.NewReader("{}"))
		if err != nil || again.StatusCode != http.StatusOK {
			t.Errorf("%s again: %+v, %v", c.amount, again, err)
			continue
		}
		again.Body.Close()
	}
	seen := map[string]int{}
	for _, o := range s.Operations() {
		if seen[o.Reference]++; seen[o.Reference] > 1 {
			t.Errorf("%s was executed twice", o.Reference)
		}
	}
}
