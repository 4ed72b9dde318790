package story

import (
	"testing"
	"time"

	"checkout/internal/method"
	"checkout/internal/simulator"
)

// faulty are faults of a provider, and the status of a payment ten minutes later. Another amount than was asked for is
// never taken for an approval: a person decides.
var faulty = map[simulator.Fault]string{
	simulator.NeverResponds: "settled", simulator.RespondsLate: "settled", simulator.ReportsTwice: "settled",
	simulator.DropsConnection: "settled", simulator.LosesRequest: "settled", simulator.NoticeFirst: "settled",
	simulator.NoticesDoubled: "settled", simulator.BrokenJSON: "settled", simulator.WrongSignature: "settled",
	simulator.TooManyRequests: "settled", simulator.ServerError: "settled", simulator.SlowDrip: "settled",
	simulator.OtherAmount: "prepare",
}

// Whatever goes wrong with a charge, it is made once, and the order says what has become of it.
func TestFaultsOfSimulatedProviders(t *testing.T) {
	for family, id := range map[string]string{"collection": "instant_transfer", "mobilemoney": "mobile_money"} {
		for fault, want := range faulty {
			t.Run(family+" "+string(fault), func(t *testing.T) {
				t.Parallel()
				s := openSimulated(t, family, collects)
				s.app.Service.ProviderTimeout = 3 * time.Second // a look-up has a third of it
				s.Expect(simulator.Next{Kind: simulator.Charge, Fault: fault, Settles: true})
				s.Expect(simulator.Next{Kind: simulator.Charge, Settles: true}) // if the first is not executed
				m, _ := method.Find(id)
				payer := s.shop.chooses(t, m, "CO", "ada")
				payer.pays(t)
				s.notifies()
				s.pass(10 * time.Minute)
				payer.is(want)
				if all := s.Operations(); len(all) != 1 || all[0].State != simulator.Approved {
					t.Errorf("the provider has %+v", all)
				}
			})
		}
	}
}
