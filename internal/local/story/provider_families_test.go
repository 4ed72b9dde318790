package story

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"checkout/internal/card"
	"checkout/internal/local/simulator"
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
			"payer_address", "payer_address2", "payer_zip"}
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
