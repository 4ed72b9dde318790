package story

import (
	"testing"
	"time"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
)

// Every method is paid, refused and left unpaid through an adapter, whose notices tell of it.
func TestEveryMethodThroughAnAdapter(t *testing.T) {
	s := openSimulated(t, "adapter", nil)
	tried := 0
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered || m.Card || method.IsWallet(m.ID) {
			continue
		}
		for _, country := range CountriesOf(m) {
			tried++
			payer := s.shop.chooses(t, m, country, "ada")
			payer.pays(t)
			o, _ := s.latest()
			switch want, _ := whileWaitingFor(m, country); {
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
	if tried < 45 {
		t.Errorf("only %d methods were tried", tried)
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

// A payment through an adapter is refunded in parts, never above the whole, and then disputed.
func TestRefundAndDisputeThroughAnAdapter(t *testing.T) {
	s := openSimulated(t, "adapter", nil)
	m, _ := method.Find("open_banking")
	payer := s.shop.chooses(t, m, "CO", "ada")
	payer.pays(t)
	charge, _ := s.latest()
	s.acts(simulator.Approve)
	payer.is("settled")
	if got := s.shop.refunds(payer.paymentID(), "1.00"); got != "200 accepted" {
		t.Errorf("the refund: %s", got)
	}
	s.work()
	refund, _ := s.latest()
	if refund.Kind != simulator.Refund || refund.Amount.String() != "1.00" || refund.Parent != charge.ID {
		t.Errorf("the provider has %+v", refund)
	}
	s.Act(charge.ID, simulator.Dispute)
	s.notifies()
	payer.is("chargeback")
}

// Whatever goes wrong with the HTTP of an adapter, its notice or a look-up settles the payment, once.
func TestFaultsOfAnAdapter(t *testing.T) {
	for _, fault := range []simulator.Fault{
		simulator.DropsConnection, simulator.BrokenJSON, simulator.ServerError, simulator.TooManyRequests,
		simulator.LosesRequest, simulator.NoticeFirst, simulator.NoticesDoubled, simulator.WrongSignature,
		simulator.FoundLate,
	} {
		s := openSimulated(t, "adapter", nil)
		s.Expect(simulator.Next{Fault: fault})
		m, _ := method.Find("payout_wd1")
		payer := s.shop.chooses(t, m, "CO", "ada")
		payer.pays(t)
		s.notifies()
		s.pass(12 * time.Minute)
		payer.is("settled")
		if n := len(s.Operations()); n != 1 {
			t.Errorf("%s: %d operations", fault, n)
		}
	}
}
