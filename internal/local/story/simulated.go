package story

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"checkout/internal/local/simulator"
	"checkout/internal/settings"
)

// simulated is a world whose shop has one connector of the service's own, with its simulated provider over HTTP.
type simulated struct {
	*World
	*simulator.Simulator
	family string

	mu    sync.Mutex
	later []func() // what the provider does by itself, until it is let
	hours []func() // what it does after an hour
}

// openSimulated starts such a world. The MID has all methods of the connector, and the credentials beside address, key
// and secret.
func openSimulated(t *testing.T, family string, credentials map[string]string) *simulated {
	t.Helper()
	s := &simulated{family: family}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Simulator.ServeHTTP(w, r)
	}))
	address := "http://" + server.Listener.Addr().String()
	s.World = open(t, all)
	s.Simulator = simulator.New(simulator.Options{URL: address, Now: s.clock.Now, After: s.after})
	server.Start()
	t.Cleanup(server.Close)
	s.shop.set(func(m *settings.Merchant) {
		mid := &m.Mappings[0].MIDs[0]
		can := s.app.Core.Declarations[family]
		mid.Connector, mid.Operations = family, can.Operations
		if len(can.Methods) > 0 { // else it has all, as the MID already
			mid.Methods = can.Methods
		}
		mid.Credentials = map[string]string{
			"url": address + "/" + family, "key": simulator.Key, "secret": simulator.Secret,
		}
		maps.Copy(mid.Credentials, credentials)
		maps.DeleteFunc(mid.Credentials, func(name, _ string) bool { return !can.HasCredential(name) })
	})
	s.shop.live = true
	return s
}

// after keeps a notice for acts. What would happen later, such as an expiry, a story does by itself.
func (s *simulated) after(d time.Duration, f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case d < time.Second:
		s.later = append(s.later, f)
	case d == time.Hour:
		s.hours = append(s.hours, f)
	}
}

// passesAnHour lets the provider do what it does after an hour.
func (s *simulated) passesAnHour() {
	s.t.Helper()
	s.pass(time.Hour)
	s.mu.Lock()
	all := s.hours
	s.hours = nil
	s.mu.Unlock()
	for _, f := range all {
		f()
	}
	s.notifies()
}

// acts lets the payer of the latest operation act at the provider, whose notices arrive then.
func (s *simulated) acts(choice simulator.Choice) {
	s.t.Helper()
	all := s.Operations()
	if len(all) == 0 {
		s.t.Fatalf("the provider was sent nothing")
	}
	s.Act(all[len(all)-1].ID, choice)
	s.notifies()
}

// notifies lets the notices arrive that the provider has sent.
func (s *simulated) notifies() {
	s.mu.Lock()
	later := s.later
	s.later = nil
	s.mu.Unlock()
	for _, send := range later {
		send()
	}
	s.work()
}

// CredentialsOf are the credentials of families' MIDs beside address, key and secret.
var CredentialsOf = map[string]map[string]string{
	"collection": {"market": "AR", "merchant_name": "Pens", "merchant_type": "RETAIL", "account_id": "account-1"},
	"cash":       {"gateway_id": "cash-USD", "currency": "USD"},
	"walletapp":  {"service": "pens"},
	"stripe":     {"raw_cards": "true", "webhook_secret": simulator.Secret},
}
