package story

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// lying is a simulated provider whose responses a story changes, if lie is set.
type lying struct {
	*simulated
	lie func(r *http.Request, said map[string]any)
}

func openLying(t *testing.T, family string) *lying {
	t.Helper()
	l := &lying{simulated: openSimulated(t, family, CredentialsOf[family])}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		truth, said := httptest.NewRecorder(), map[string]any{}
		l.Simulator.ServeHTTP(truth, r)
		body := truth.Body.Bytes()
		if l.lie != nil && json.Unmarshal(body, &said) == nil {
			l.lie(r, said)
			body, _ = json.Marshal(said)
		}
		w.WriteHeader(truth.Code)
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	l.shop.set(func(m *settings.Merchant) { m.Mappings[0].MIDs[0].Credentials["url"] = server.URL + "/" + family })
	return l
}

// paidElsewhere are methods whose payers pay with what they are shown, with what their providers call it.
var paidElsewhere = []struct {
	family, method, country, paid, expiry string
}{
	{"cash", "cash_mx", "MX", "paid", "expires_at"},
	{"collection", "offline_service", "AR", "PAID", "expiryDate"},
	{"collection", "offline_transfer_a", "AR", "PAID", "expiryDate"},
}

// A look-up settles a payment only if it names its request, its amount and currency, and as much as is due.
func TestLookUpsThatAreNoApproval(t *testing.T) {
	lies := map[string]any{"amount": 9.99, "currency": "EUR", "received": 5, "status": "success"}
	for _, of := range paidElsewhere[:2] {
		for member, value := range lies {
			t.Run(member+" "+of.method, func(t *testing.T) {
				l := openLying(t, of.family)
				m, _ := method.Find(of.method)
				payer := l.shop.chooses(t, m, of.country, "ada")
				payer.pays(t)
				l.lie = func(r *http.Request, said map[string]any) {
					if r.Method != "GET" {
						return
					}
					said["status"], said["received"] = of.paid, 10
					in := said
					if order, found := said["order"].(map[string]any); found && (member == "amount" || member == "currency") {
						in = order
					}
					in[member] = value
				}
				l.pass(2 * time.Minute)
				payer.is("pending")
				l.lie = nil
				l.acts(simulator.Approve)
				l.pass(2 * time.Hour)
				payer.is("settled")
			})
		}
	}
}

// What to pay with was over before the payer could see it, such as by a provider's wrong clock. The provider ends the
// payment, and the payer may choose again.
func TestVoucherThatIsOver(t *testing.T) {
	for _, of := range paidElsewhere {
		for _, late := range []time.Duration{0, 12 * time.Hour} {
			l := openLying(t, of.family)
			m, _ := method.Find(of.method)
			payer := l.shop.chooses(t, m, of.country, "ada")
			l.lie = func(r *http.Request, said map[string]any) {
				if r.Method == "POST" && said[of.expiry] != nil {
					said[of.expiry] = l.clock.Now().Add(-late).UTC().Format(time.RFC3339)
				}
			}
			payer.pays(t)
			l.lie = nil
			l.pass(10 * time.Minute)
			payer.is("decline (The payment provider has a problem.)")
			payer.sees("form: declined (try_again_later)")
		}
	}
}

// A half arrives, of which nothing is known here, and the payer wants to leave: they see how to pay the other half.
func TestLeavesAfterAHalf(t *testing.T) {
	for _, of := range paidElsewhere {
		for _, why := range []screen.Action{screen.ActionAnother, screen.ActionCancel} {
			s := openSimulated(t, of.family, CredentialsOf[of.family])
			m, _ := method.Find(of.method)
			payer := s.shop.chooses(t, m, of.country, "ada")
			payer.pays(t)
			o, _ := s.latest()
			s.Act(o.ID, simulator.Half)
			payer.asksFor(why)
			s.work()
			payer.sees("wait: partly_paid")
			payer.offers("paid")
			s.acts(simulator.Rest)
			payer.is("settled")
		}
	}
}
