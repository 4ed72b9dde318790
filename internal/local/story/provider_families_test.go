package story

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"checkout/internal/card"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/page/screen"
)

// latest is the provider's latest operation, with the body of the latest request that changed anything.
func (s *simulated) latest() (simulator.Operation, string) {
	s.t.Helper()
	all, requests := s.Operations(), s.Requests()
	i := len(requests) - 1
	for i >= 0 && requests[i].Method != "POST" {
		i--
	}
	if len(all) == 0 || i < 0 {
		s.t.Fatalf("the provider was sent nothing")
	}
	return all[len(all)-1], requests[i].Body
}

// Cards of wallet brands are paid with the address that the page has asked for, field by field.
func TestBrandCardIsPaid(t *testing.T) {
	s := openSimulated(t, "brandcard", map[string]string{"subdomain": "pens"})
	for _, id := range []string{"card_brand_a", "card_brand_b"} {
		name := strings.ReplaceAll(id, "_", "-")
		payer := s.shop.visits(name, with("methods", []string{id}), with("customer", nil),
			with("billing_address", map[string]any{"city": "Fresno"}))
		page := payer.screen()
		var asked []string
		for _, field := range page.Methods[0].Fields {
			asked = append(asked, field.ID)
		}
		want := []string{"payer_card", "payer_expiryDate", "payer_cvv", "payer_name", "payer_email", "payer_country",
			"payer_address", "payer_zip"}
		if !slices.Equal(asked, want) {
			t.Fatalf("%s: the payer is asked for %q, not %q", id, asked, want)
		}
		pay := payer.Fill(page, card.Card{
			Number: "4242424242424242", ExpiryMonth: 3, ExpiryYear: 2031, SecurityCode: "123",
		})
		for field, value := range map[string]string{
			"payer_name": "Al Doe", "payer_email": "al@shop.example", "payer_country": "US", "payer_address": "1 Main St",
			"payer_zip": "93650",
		} {
			pay.Fields[field] = value
		}
		payer.send(pay)
		s.work()
		payer.is("settled")
		_, body := s.latest()
		for _, part := range []string{
			`"customer":{"name":"Al Doe","email":"al@shop.example"}`, `"subdomain":"pens"`, `"payer_ip":"127.0.0.1"`,
			`"billing_address":{"address":"1 Main St","country":"US","city":"Fresno","zip":"93650"}`,
		} {
			if !strings.Contains(body, part) {
				t.Errorf("%s: the provider was sent no %s", id, part)
			}
		}
		s.acts(simulator.Dispute)
		payer.is("chargeback")
	}
}

// A card of a wallet brand needs 3-D Secure, which the payer passes or not.
func TestBrandCardNeeds3DS(t *testing.T) {
	s := openSimulated(t, "brandcard", nil)
	for choice, status := range map[simulator.Choice]string{
		simulator.Approve: "settled", simulator.Decline: "decline (The payer has refused.)",
	} {
		payer := s.shop.visits("pen-to-"+string(choice), with("methods", []string{"card_brand_a"}),
			with("customer", map[string]any{"name": "Al Doe", "email": "al@shop.example"}),
			with("billing_address", map[string]any{
				"country": "US", "state": "CA", "city": "Fresno", "address": "1 Main St", "zip": "93650",
				"phone": "347771112233",
			}))
		pay := payer.Fill(payer.screen(), card.Card{
			Number: "4000000000003220", ExpiryMonth: 3, ExpiryYear: 2031, SecurityCode: "123",
		})
		payer.send(pay)
		s.work()
		o, _ := s.latest()
		payer.sees("go " + s.PayURL(o))
		payer.is("3ds")
		s.acts(choice)
		payer.is(status)
	}
}

// Cash is paid in every country at the MID's gateway: a part, then the rest; or nothing until it is too late.
func TestCashIsPaid(t *testing.T) {
	s := openSimulated(t, "cash", map[string]string{"gateway_id": "cash-USD", "currency": "USD"})
	for _, id := range []string{"cash_mx", "cash_co", "cash_pe"} {
		m, _ := method.Find(id)
		payer := s.shop.chooses(t, m, CountriesOf(m)[0], "ada")
		payer.pays(t)
		payer.sees("wait: voucher_issued")
		var rows []string
		for _, row := range payer.screen().Show {
			rows = append(rows, row.ID)
		}
		if got := strings.Join(rows, " "); got != "voucher_number voucher_barcode amount_due pay_until app_link" {
			t.Errorf("%s: the payer is shown %s", id, got)
		}
		s.acts(simulator.Half)
		payer.sees("wait: partly_paid")
		s.acts(simulator.Rest)
		payer.is("settled")

		payer = s.shop.chooses(t, m, CountriesOf(m)[0], "late")
		payer.pays(t)
		s.acts(simulator.Expire)
		payer.is("decline (The payer was too slow.)")
	}
}

// The payer of a wallet app goes to its page, in the language that the shop has requested.
func TestWalletAppIsPaid(t *testing.T) {
	s := openSimulated(t, "walletapp", map[string]string{"service": "pens", "language": "fr"})
	for requested, sent := range map[string]string{"ua": "uk", "zho": "zh-Hant", "": "fr"} {
		changes := []func(map[string]any){with("methods", []string{"wallet_app"})}
		if requested != "" {
			changes = append(changes, with("checkout_language", requested))
		}
		payer := s.shop.visits("pen-in-"+sent, changes...)
		payer.Session, _, _ = strings.Cut(payer.Session, "&") // the address has the language, too
		m, _ := method.Find("wallet_app")
		chosen{payer, m}.pays(t)
		o, body := s.latest()
		payer.sees("go " + s.PayURL(o))
		var p struct{ PayerID, Language, ReturnURL, CallbackURL string }
		if err := json.Unmarshal([]byte(body), &p); err != nil || p.Language != sent || p.PayerID == "" {
			t.Errorf("%q: the provider was sent %+v, %v", requested, p, err)
		}
		if !strings.HasSuffix(p.ReturnURL, payer.ReturnPath()) || !strings.Contains(p.CallbackURL, "/walletapp/") {
			t.Errorf("%q: the addresses are %+v", requested, p)
		}
		s.acts(simulator.Approve)
		payer.is("settled")
		s.acts(simulator.Dispute)
		payer.is("chargeback")
	}
}

// A voucher pays once. Its PIN is nowhere but at the provider.
func TestVoucherIsPaid(t *testing.T) {
	s := openSimulated(t, "voucher", nil)
	for name, test := range map[string][2]string{
		"new": {"1234567890123456", "settled"}, "known": {"7777777777770000", "decline (There is no voucher with this PIN.)"},
		"used": {"7777777777771111", "decline (The voucher was used before.)"},
		"less": {"7777777777772222", "decline (The voucher is worth less.)"},
	} {
		payer := s.shop.visits("pen-by-"+name, with("methods", []string{"voucher"}))
		page := payer.screen()
		if page.Kind != screen.KindForm || len(page.Methods) != 1 {
			t.Fatalf("%s: the payer sees %s", name, words(page))
		}
		pay := payer.Fill(page, card.Card{Values: map[string]string{"pin": test[0]}})
		payer.send(pay)
		s.work()
		payer.is(test[1])
		if o, body := s.latest(); !strings.Contains(body, test[0]) || o.Values["pin"] != test[0] {
			t.Errorf("%s: the provider was sent another PIN", name)
		}
		for _, record := range s.app.Store.Dump() {
			if strings.Contains(string(record.Doc), test[0]) {
				t.Errorf("%s: the PIN is stored in %v", name, record.Key)
			}
		}
	}
}

// A provider repeats the PIN of a voucher: nobody is told or shown it, whether the payer or the merchant has sent it.
func TestVoucherPINIsRepeated(t *testing.T) {
	const pin = "8361529407261538"
	for _, parameters := range []map[string]any{nil, {"voucher": map[string]any{"pin": pin}}} {
		s := openLying(t, "voucher")
		s.repeats = true
		s.lie = func(_ *http.Request, said map[string]any) {
			said["status"], said["id"], said["code"] = "declined", pin, pin
			said["message"] = "The voucher 8361-5294-0726-1538 is unknown."
		}
		payer := s.shop.visits("pen-1", with("methods", []string{"voucher"}), with("parameters", parameters))
		pay := payer.Fill(payer.screen(), card.Card{Values: map[string]string{"pin": pin}})
		if parameters != nil {
			pay.Sealed = nil
		}
		payer.send(pay)
		s.work()
		payer.sees("form: declined (The voucher ****** is unknown.)")
		p := payer.payment()
		if p.ProviderID != "" || p.Transactions[0].Code != "" || strings.Contains(p.Reason, "8361") {
			t.Errorf("stored %q, %q, %q", p.ProviderID, p.Transactions[0].Code, p.Reason)
		}
		told := string(s.shop.last("sale").Body)
		if strings.Contains(told, "836152") || strings.Contains(told, "8361-52") {
			t.Errorf("the shop was told %s", told)
		}
	}
}
