package story

import (
	"testing"
	"time"

	"checkout/internal/local/simulator"
)

// tellsElsewhere sends an adapter's notice of what was done to a payment's charge without a request, twice, and
// compares the response with a status.
func (s *simulated) tellsElsewhere(o simulator.Operation, want int, done map[string]any) {
	s.t.Helper()
	for range 2 {
		status := s.notice(o.NoticeURL, map[string]any{
			"kind": "charge", "reference": o.Reference, "payment": o.Values["payment"], "session": o.Values["session"],
			"status": "approved", "elsewhere": done,
		})
		if status != want {
			s.t.Errorf("%v: %d, want %d", done, status, want)
		}
	}
	s.work()
}

// inUSD is an amount of the contract.
func inUSD(value string) map[string]any {
	return map[string]any{"value": value, "currency": "USD", "exponent": 2}
}

// paysThroughAdapter is a card payment through an adapter.
func paysThroughAdapter(t *testing.T, changes ...func(map[string]any)) (*simulated, *Visit, simulator.Operation) {
	t.Helper()
	s := openSimulated(t, "adapter", nil)
	payer := s.shop.visits("pen-1", changes...)
	payer.pays("03/31")
	o, _ := s.latest()
	return s, payer, o
}

// Refunds on the website of an adapter's provider are told beside the shop's own, once for each, and so is that one of
// them failed.
func TestRefundsAtTheProviderOfAnAdapter(t *testing.T) {
	s, payer, o := paysThroughAdapter(t)
	s.tellsElsewhere(o, 200, map[string]any{"what": "refunded", "id": "re-1", "amount": inUSD("3.00"), "code": "fraud"})
	payer.is("settled")
	s.shop.refunds(payer.paymentID(), "2.00")
	s.work()
	s.tellsElsewhere(o, 400, map[string]any{"what": "refunded", "id": "re-2", "amount": inUSD("5.01")})
	s.tellsElsewhere(o, 200, map[string]any{"what": "refunded", "id": "re-2", "amount": inUSD("5.00")})
	payer.is("refund")
	s.notice(o.NoticeURL, map[string]any{
		"kind": "refund", "reference": "re-2", "payment": o.Values["payment"], "session": o.Values["session"],
		"status": "declined", "decline": map[string]any{"reason": "account_closed"},
	})
	s.work()
	payer.is("settled")
	const want = "refund 3.00 made_elsewhere, refund 2.00, refund 5.00 made_elsewhere, refund 5.00 failed_later"
	if got := s.shop.amounts(); got != want {
		t.Errorf("told %s", got)
	}
}

// What becomes of an authorisation at the provider of an adapter.
func TestAuthorisationsAtTheProviderOfAnAdapter(t *testing.T) {
	for _, test := range []struct {
		done         map[string]any
		status, told string
	}{
		{map[string]any{"what": "captured", "id": "c-1", "amount": inUSD("8.00")},
			"settled", "capture success settled made_elsewhere 8.00"},
		{map[string]any{"what": "voided", "id": "v-1"}, "void", "void success void made_elsewhere "},
		{map[string]any{"what": "expired", "id": "v-1"}, "void", "void success void authorisation_expired "},
	} {
		s, payer, o := paysThroughAdapter(t, with("auth", true))
		s.tellsElsewhere(o, 409, map[string]any{"what": "refunded", "id": "re-1", "amount": inUSD("1.00")}) // not yet
		s.tellsElsewhere(o, 200, test.done)
		told := s.shop.Taken()
		last := told[len(told)-1]
		got := last.Event() + " " + last.Fields.Get("reason_code") + " " + last.Fields.Get("transaction_amount")
		if got != test.told || len(told) != 2 {
			t.Errorf("told %d times, the last time %s", len(told), got)
		}
		payer.is(test.status)
	}
}

// A dispute that was won and is lost after that is charged back again, once, whatever of it comes late.
func TestDisputeThroughAnAdapterIsLostAgain(t *testing.T) {
	received := map[string]any{"what": "chargeback", "id": "dp-1", "amount": inUSD("5.00")}
	won := map[string]any{"what": "dispute_won", "id": "dp-1"}
	lost := map[string]any{"what": "chargeback", "id": "dp-1", "amount": inUSD("5.00"), "stage": "lost"}
	s, payer, o := paysThroughAdapter(t)
	for _, done := range []map[string]any{received, won, received, lost, won, lost, received} {
		s.tellsElsewhere(o, 200, done)
	}
	payer.is("chargeback")
	if got := s.shop.amounts(); got != "chargeback 5.00, chargeback 5.00 dispute_won, chargeback 5.00" {
		t.Errorf("told %s", got)
	}
}

// The same at Stripe, which tells when each event was made: an old loss that comes again is no new one.
func TestStripeDisputeIsLostAgain(t *testing.T) {
	s := opensStripe(t)
	payer := s.shop.visits("pen-1")
	payer.pays("03/31")
	for _, choice := range []simulator.Choice{simulator.Part, simulator.Win, simulator.Lose} {
		s.skip(time.Minute)
		s.happens(payer, choice)
	}
	payer.is("chargeback")
	s.shop.told("sale success settled", "chargeback success chargeback", "chargeback fail settled",
		"chargeback success chargeback")
}
