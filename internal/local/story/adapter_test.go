package story

import (
	"testing"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
)

// Every method is paid through an adapter, whose notices tell of it. One of each kind is refused and left unpaid, too.
func TestEveryMethodThroughAnAdapter(t *testing.T) {
	s := openSimulated(t, "adapter", nil)
	tried, failed := 0, map[string]bool{}
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered || m.Card || method.IsWallet(m.ID) {
			continue
		}
		for _, country := range CountriesOf(m) {
			tried++
			payer := s.shop.chooses(t, m, country, "ada")
			payer.pays(t)
			o, _ := s.latest()
			want, _ := whileWaitingFor(m, country)
			switch {
			case want == "go":
				payer.sees("go " + s.PayURL(o))
			case want != "":
				payer.sees(want)
			default: // there is nothing to wait for
				payer.is("settled")
				continue
			}
			s.acts(simulator.Approve)
			payer.is("settled")
			if failed[want] {
				continue
			}
			failed[want] = true
			for choice, end := range map[simulator.Choice]string{
				simulator.Decline: "decline (The payer refused.)",
				simulator.Expire:  "decline (The payer did not finish in time.)",
			} {
				payer := s.shop.chooses(t, m, country, string(choice))
				payer.pays(t)
				s.acts(choice)
				payer.is(end)
			}
		}
	}
	if tried < 45 || len(failed) < 7 {
		t.Errorf("only %d methods were paid, and %d kinds not", tried, len(failed))
	}
}

// A payer fills in the code that an adapter asks for, at first a wrong one.
func TestCodeForAnAdapter(t *testing.T) {
	s := openSimulated(t, "adapter", nil)
	m, _ := method.Find("pull_wallet")
	payer := s.shop.chooses(t, m, "CO", "ada")
	payer.pays(t)
	payer.fillsIn("000000", 0)
	payer.sees("wait: code_wrong")
	payer.fillsIn(simulator.RightCode, 0)
	payer.is("settled")
}
