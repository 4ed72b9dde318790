package story

import (
	"testing"
	"time"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
)

// Every variant of the collection family is paid at a provider over HTTP, until the session's end, and what is paid
// offline for three days.
func TestCollectionIsPaid(t *testing.T) {
	s := openSimulated(t, "collection", CredentialsOf["collection"])
	for id, sees := range map[string]string{
		"instant_qr": "wait: scan_qr", "offline_transfer_a": "wait: transfer_details",
		"offline_transfer_b": "wait: transfer_details", "offline_transfer_c": "wait: transfer_details",
		"offline_transfer_d": "wait: transfer_details", "offline_service": "wait: voucher_issued",
		"instant_transfer": "wait: transfer_details", "pull_bank": "wait: enter_code", "pull_wallet": "wait: enter_code",
	} {
		m, _ := method.Find(id)
		payer := s.shop.chooses(t, m, CountriesOf(m)[0], "ada")
		end := payer.screen().ExpiresAt
		if m.Offline("") {
			end = s.clock.Now().Add(72 * time.Hour).Format(time.RFC3339)
		}
		payer.pays(t)
		if got := words(payer.screen()); got != sees {
			t.Errorf("%s: the payer sees %q, want %q", id, got, sees)
		}
		all := s.Operations()
		if got := all[len(all)-1].ExpiresAt.UTC().Format(time.RFC3339); got != end {
			t.Errorf("%s: the provider takes it until %s, not until %s", id, got, end)
		}
		if len(m.SecondFields(method.Purchase)) > 0 {
			payer.fillsIn(simulator.RightCode, 0)
			payer.is("settled")
		} else {
			s.acts(simulator.Half)
			payer.sees("wait: partly_paid")
			s.acts(simulator.Rest)
			payer.is("settled")
			s.acts(simulator.Dispute)
			payer.is("chargeback")
		}
	}
}
