package story

import (
	"testing"
	"time"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"

	"github.com/google/uuid"
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

// Codes of a pull may be wrong, and the account without money.
func TestCollectionPulls(t *testing.T) {
	s := openSimulated(t, "collection", CredentialsOf["collection"])
	wallet, _ := method.Find("pull_wallet")
	payer := s.shop.chooses(t, wallet, "CO", "ada")
	payer.pays(t)
	const again = "wait: code_wrong"
	for _, want := range []string{again, again, "form: declined (A wrong code was entered too often.)"} {
		payer.fillsIn("000000", 0)
		payer.sees(want)
	}
	bank, _ := method.Find("pull_bank")
	payer = s.shop.chooses(t, bank, "AR", "ada")
	payer.pays(t)
	payer.fillsIn("", 2)
	payer.is("decline (There are not enough funds.)")
}

// A payer who was shown a code to scan pays in another way: the provider has ended the payment before.
func TestCollectionIsEnded(t *testing.T) {
	s := openSimulated(t, "collection", CredentialsOf["collection"])
	m, _ := method.Find("instant_qr")
	payer := s.shop.chooses(t, m, "BR", "ada")
	payer.pays(t)
	payer.asksFor(screen.ActionAnother)
	s.work()
	if got := payer.screen().Kind; got != screen.KindForm {
		t.Fatalf("the payer sees %s", words(payer.screen()))
	}
	s.acts(simulator.Approve) // too late for the ended one
	payer.pays(t)
	s.acts(simulator.Approve)
	payer.is("settled")
	approved := 0
	for _, o := range s.Operations() {
		if o.State == simulator.Approved {
			approved++
		}
	}
	if approved != 1 {
		t.Errorf("%d payments were made", approved)
	}
}

// A payer of mobile money is asked for an e-mail address, if the merchant has sent none, and sees the provider's words.
func TestMobileMoneyIsPaid(t *testing.T) {
	s := openSimulated(t, "mobilemoney", nil)
	for id, phone := range map[string]string{"mobile_money": "+233241234567", "mobile_bj_tg": "+2290197000000"} {
		order := []func(map[string]any){with("methods", []string{id}),
			with("billing_address", map[string]any{"country": "BJ"}), with("customer", nil)}
		payer := s.shop.visits("pen-of-"+id[7:9], order...)
		var asked []string
		for _, field := range payer.screen().Methods[0].Fields {
			if field.Required {
				asked = append(asked, field.ID)
			}
		}
		if len(asked) != 2 || asked[0] != "payer_email" || asked[1] != "phone" {
			t.Fatalf("%s: the payer is asked for %q", id, asked)
		}
		payer.send(form.Request{Attempt: uuid.NewString(), Method: id, Fields: map[string]string{
			"payer_email": "ama@shop.example", "phone": phone,
		}})
		s.work()
		page := payer.screen()
		if words(page) != "wait: confirm_in_app" || len(page.Show) != 1 || page.Show[0].ID != "provider_message" {
			t.Errorf("%s: the payer sees %q, %+v", id, words(page), page.Show)
		}
		s.acts(simulator.Approve)
		payer.is("settled")
	}
}
