package story

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// twoBanks gives the shop two MIDs with different connectors, and lets it use its live key.
func twoBanks(t *testing.T) (w *World, one, other *provider) {
	t.Helper()
	w = open(t, mids("", ""), func(m *settings.Merchant) { m.Mappings[0].MIDs[1].Connector = anotherBank })
	one, other = &provider{}, &provider{}
	w.goesLive(one)
	w.connects(anotherBank, other)
	return w, one, other
}

// down is a provider that is not reached.
func down(connector.Charge) (connector.Result, error) {
	return connector.Result{}, fmt.Errorf("connection refused: %w", connector.ErrNotSent)
}

// pay makes n payments of new orders.
func (s *Shop) pay(from, n int) (visits []*Visit) {
	for i := range n {
		v := s.visits(fmt.Sprintf("pen-%d", from+i))
		v.pays("01/38")
		visits = append(visits, v)
	}
	return visits
}

// After the fifth failure of a MID all payments go to the next one at once, those too that are sent again. A probe that
// succeeds brings the first one back.
func TestCircuitBreakerOfAMID(t *testing.T) {
	w, one, other := twoBanks(t)
	one.charge = noResponse
	w.shop.pay(0, 5)
	if len(one.charges) != 5 || len(other.charges) != 0 {
		t.Fatalf("%d and %d charges before the circuit breaker opened", len(one.charges), len(other.charges))
	}
	for _, v := range w.shop.pay(5, 5) {
		v.is("settled")
		if p := v.payment(); p.MID != "mid-2" || p.Connector != anotherBank {
			t.Errorf("a payment went to %s of %s", p.MID, p.Connector)
		}
	}
	if len(one.charges) != 5 {
		t.Errorf("%d charges although the circuit breaker is open", len(one.charges)-5)
	}
	if got := w.shop.explainsCircuit("mid-1"); got != "open no_outcome 1m0s" {
		t.Errorf("explained: %s", got)
	}
	if got := w.shop.explainsCircuit("mid-2"); got != "" {
		t.Errorf("the other MID is explained as %s", got)
	}
	one.charge, one.lookUp = nil, onFollowUp(approved)
	w.pass(90 * time.Second)
	if got := w.shop.explainsCircuit("mid-1"); !strings.HasPrefix(got, "half_open no_outcome") {
		t.Errorf("after it was open: %s", got)
	}
	before := len(one.charges)
	w.shop.pay(10, 3)
	if len(one.charges) != before+3 || w.shop.explainsCircuit("mid-1") != "" {
		t.Errorf("after a good probe %d of 3 went to it: %s", len(one.charges)-before, w.shop.explainsCircuit("mid-1"))
	}
	opens := `"msg":"circuit breaker opens"`
	if log := w.log.String(); strings.Count(log, opens) != 1 || !strings.Contains(log, `"circuits_open":1`) ||
		strings.Count(log, `"msg":"circuit breaker closes"`) != 1 {
		t.Error("opening and closing are not logged once each")
	}
	for _, p := range w.Stored(t) {
		if p.Status != payment.StatusSettled {
			t.Errorf("payment %s is %s", p.ID, p.Status)
		}
	}
}

// explainsCircuit returns what the shop is told of the circuit breaker of a MID: state, reason, and for how long it is
// open; "" if it is closed.
func (s *Shop) explainsCircuit(name string) string {
	s.w.t.Helper()
	e := s.explains(s.Sign(s.Order("pen-explained")))
	for _, mid := range e.MIDs {
		if mid.MID == name && mid.Circuit != nil {
			c := mid.Circuit
			return fmt.Sprintf("%s %s %s", c.State, c.Reason, c.Until.Sub(c.Since))
		}
	}
	return ""
}

// What became unknown while a circuit breaker was open is looked up within a minute after it has closed, and not all
// the time before.
func TestUnknownIsLookedUpWhenACircuitBreakerCloses(t *testing.T) {
	w, bank, _ := twoBanks(t)
	bank.charge = noResponse
	bank.lookUp = func(connector.ProviderRequest) (connector.Result, error) {
		return connector.Result{}, errors.New("no response")
	}
	w.shop.pay(0, 5)
	for i := range 6 {
		w.pass(10 * time.Minute)
		w.shop.pay(10+i, 1)
	}
	if n := len(bank.lookUps) / len(bank.charges); n > 40 {
		t.Errorf("%d look-ups of each payment in an hour", n)
	}
	bank.charge, bank.lookUp = nil, onFollowUp(approved)
	w.skip(15 * time.Minute)
	w.shop.pay(100, 1)
	w.pass(time.Minute)
	for _, p := range w.Stored(t) {
		if p.Status != payment.StatusSettled {
			t.Errorf("payment %s is %s", p.ID, p.Status)
		}
	}
	if n := strings.Count(w.log.String(), `"msg":"circuit breaker closes"`); n != 1 {
		t.Errorf("closed %d times", n)
	}
}

// explains requests the explanation of an order.
func (s *Shop) explains(body map[string]any) (e routing.Explanation) {
	s.w.t.Helper()
	code, text := s.w.call("POST", "/api/v1/session/explain", body)
	if err := json.Unmarshal(text, &e); code != http.StatusOK || err != nil {
		s.w.t.Fatalf("explain returned %d %s: %v", code, text, err)
	}
	return e
}
