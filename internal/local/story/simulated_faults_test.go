package story

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
)

// faulty are faults of a provider, and the status of a payment twelve minutes later. Another amount than was asked for
// is never taken for an approval: a person decides.
var faulty = map[simulator.Fault]string{
	simulator.NeverResponds: "settled", simulator.RespondsLate: "settled", simulator.ReportsTwice: "settled",
	simulator.DropsConnection: "settled", simulator.LosesRequest: "settled", simulator.NoticeFirst: "settled",
	simulator.NoticesDoubled: "settled", simulator.BrokenJSON: "settled", simulator.WrongSignature: "settled",
	simulator.TooManyRequests: "settled", simulator.ServerError: "settled", simulator.SlowDrip: "settled",
	simulator.OtherAmount: "prepare", simulator.FoundLate: "settled",
}

// slow are the faults that a story waits for. How clients end them is tested with each connector.
var slow = []simulator.Fault{simulator.NeverResponds, simulator.RespondsLate, simulator.SlowDrip}

// family is a family of providers with one of its methods.
type family struct {
	name, method string
	all          bool // faults, the slow ones too
}

var families = []family{
	{"collection", "instant_transfer", true},
	{"mobilemoney", "mobile_money", false},
	{"brandcard", "card_brand_a", false},
	{"cash", "cash_co", false},
	{"voucher", "voucher", false},
	{"walletapp", "wallet_app", false},
	{"stripe", "card", false},
	{"adapter", "open_banking", false},
}

// Whatever goes wrong with a charge, it is made once, and the order says what has become of it.
func TestFaultsOfSimulatedProviders(t *testing.T) {
	for _, f := range families {
		for fault, want := range faulty {
			if !f.all && slices.Contains(slow, fault) {
				continue
			}
			t.Run(f.name+" "+string(fault), func(t *testing.T) {
				t.Parallel()
				s := openSimulated(t, f.name, CredentialsOf[f.name])
				s.app.Runner.ProviderTimeout = 3 * time.Second // a look-up has a third of it
				s.Expect(simulator.Next{Kind: simulator.Charge, Fault: fault, Settles: true})
				s.Expect(simulator.Next{Kind: simulator.Charge, Settles: true}) // if the first is not executed
				payer := f.pays(t, s)
				s.notifies()
				if fault == simulator.OtherAmount {
					payer.sees("wait: checking_outcome")
				}
				s.pass(12 * time.Minute)
				payer.is(want)
				if all := s.Operations(); len(all) != 1 || all[0].State != simulator.Approved {
					t.Errorf("the provider has %+v", all)
				}
				s.logsNothingSecret()
			})
		}
	}
}

// secretFields are the fields of what connectors send that nobody else may see.
var secretFields = []string{
	"number", "cvv", "pin", "otp", "cbu", "alias", "phone", "phoneNumber", "payerId", "clientTaxId", "private_key",
}

// logsNothingSecret looks in the service's log for credentials of the MID and for what the provider was sent.
func (s *simulated) logsNothingSecret() {
	s.t.Helper()
	secrets := []string{simulator.Key, simulator.Secret, "4242424242424242"}
	sent := 0
	for _, r := range s.Requests() {
		var body any
		if json.Unmarshal([]byte(r.Body), &body) == nil {
			secrets = secretsOf(body, secrets)
			sent++
		}
	}
	if log := s.log.String(); sent == 0 && s.family != "stripe" || !strings.Contains(log, "provider") {
		s.t.Errorf("%d requests, and a log of %d bytes", sent, len(log))
	}
	for _, secret := range secrets {
		for _, form := range []string{
			secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)),
		} {
			if len(secret) > 3 && strings.Contains(s.log.String(), form) {
				s.t.Errorf("the log has %s", form)
			}
		}
	}
}

// secretsOf adds the secret texts of a JSON value to others.
func secretsOf(value any, all []string) []string {
	object, _ := value.(map[string]any)
	for name, member := range object {
		text, ok := member.(string)
		if ok && slices.Contains(secretFields, name) {
			all = append(all, text)
		}
		all = secretsOf(member, all)
	}
	return all
}

// pays opens a visit and pays by the family's method.
func (f family) pays(t *testing.T, s *simulated) *Visit {
	m, _ := method.Find(f.method)
	if !m.Card {
		payer := s.shop.chooses(t, m, "CO", "ada")
		payer.pays(t)
		return payer.Visit
	}
	payer := s.shop.visits("pen-by-card", with("methods", []string{m.ID}),
		with("customer", map[string]any{"name": "Al Doe", "email": "al@shop.example"}),
		with("billing_address", map[string]any{"country": "CO", "city": "Cali", "address": "Calle 1", "zip": "760001"}))
	payer.send(payer.Fill(payer.screen(), card.Card{
		Number: "4242424242424242", ExpiryMonth: 3, ExpiryYear: 2031, SecurityCode: "123",
	}))
	s.work()
	return payer
}
