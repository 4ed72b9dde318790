package story

import (
	"net/http"
	"strings"
	"testing"

	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
)

const payoutCard = "4601541833776519"

func payee(body map[string]any) {
	body["payee"] = map[string]any{"name": "Grace Hopper", "email": "grace@example.org"}
	body["payee_billing_address"] = map[string]any{
		"country": "US", "state": "NY", "city": "New York", "address": "1 Main Street",
	}
}

// Every operation on the page: type, status and order_status of its callback, and the payee if it has one.
func TestOperations(t *testing.T) {
	short := []string{"payer_card", "payer_expiryDate"}
	all := []string{"payer_card", "payer_expiryDate", "payer_cvv", "payer_name"}
	tests := []struct {
		operation, number string
		expiry            string
		fields            []string
		told              string
	}{
		{"purchase", TestCard, "01/38", all, "sale success settled"},
		{"debit", TestCard, "01/38", all, "debit success settled"},
		{"debit", TestCard, "02/38", all, "debit fail decline"},
		{"credit", payoutCard, "09/40", short, "credit success settled"},
		{"credit", TestCard, "02/38", short, "credit fail decline"},
		{"transfer", TestCard, "01/38", append(all, "payee_card"), "transfer success settled"},
	}
	for _, test := range tests {
		t.Run(test.operation+" "+test.told, func(t *testing.T) {
			w := open(t, operations)
			payer := w.shop.visits("pen-1", with("operation", test.operation), payee)
			form := payer.screen()
			var ids []string
			for _, f := range form.Methods[0].Fields {
				ids = append(ids, f.ID)
			}
			if strings.Join(ids, " ") != strings.Join(test.fields, " ") {
				t.Errorf("the page asks for %q", ids)
			}
			c := paymentCard(t, test.expiry)
			c.Number = test.number
			if test.operation == "credit" {
				c.SecurityCode = ""
			}
			if test.operation == "transfer" {
				c.PayeeNumber = payoutCard
			}
			payer.send(payer.Fill(form, c))
			w.work()
			w.shop.told(test.told)
			f := w.shop.last(strings.Fields(test.told)[0]).Fields
			if test.operation == "credit" || test.operation == "transfer" {
				for name, want := range map[string]string{
					"payee_name": "Grace Hopper", "payee_email": "grace@example.org", "payee_country": "US",
					"payee_state": "NY", "payee_city": "New York", "payee_address": "1 Main Street",
				} {
					if f.Get(name) != want {
						t.Errorf("%s is %q, want %q", name, f.Get(name), want)
					}
				}
				if mask := f.Get("payee_card"); len(mask) != 16 || !strings.Contains(mask, "******") {
					t.Errorf("payee_card %q", mask)
				}
			}
		})
	}
}

// For a transfer of -1, the payer enters the amount on the page.
func TestTransferWithoutAmount(t *testing.T) {
	w := open(t, operations)
	order := map[string]any{"number": "pen-1", "amount": "-1", "currency": "USD", "description": "A pen"}
	payer := w.shop.visits("pen-1", with("operation", "transfer"), payee, with("order", order))
	form := payer.screen()
	if form.Order.Amount != "" || form.Methods[0].Fields[0].ID != "order_amount" {
		t.Fatalf("order %+v, fields %+v", form.Order, form.Methods[0].Fields)
	}
	c := paymentCard(t, "01/38")
	c.PayeeNumber = payoutCard
	for _, amount := range []string{"", "0", "-1", "1.234", "x"} {
		pay := payer.Fill(form, c)
		pay.Fields["order_amount"] = amount
		code, body := w.call("POST", payer.Path("pay"), pay)
		if code != http.StatusBadRequest || !strings.Contains(string(body), "order_amount: ") {
			t.Errorf("amount %q: %d %s", amount, code, body)
		}
	}
	pay := payer.Fill(form, c)
	pay.Fields["order_amount"] = "12.5"
	payer.send(pay)
	w.work()
	w.shop.told("transfer success settled")
	if f := w.shop.last("transfer").Fields; f.Get("order_amount") != "12.50" {
		t.Errorf("order_amount %q", f.Get("order_amount"))
	}
	w.ledgerIs("1 x 12.50 USD approved")
}

// A credit to a saved card needs no page. The response has its outcome.
func TestCreditWithSavedCard(t *testing.T) {
	w := open(t, operations)
	first := w.shop.visits("pen-1", with("operation", "debit"), with("req_token", true))
	first.pays("01/38")
	token := w.shop.last("debit").Fields.Get("card_token")
	body := w.shop.Sign(w.shop.Order("pay-out-1", with("operation", "credit"), with("card_token", []string{token})))
	code, response := w.post("/api/v1/session", body)
	got := inWords(code, response)
	if got != "200 settled" || response["redirect_url"] != nil || response["payment_id"] == nil {
		t.Errorf("credit: %s %v", got, response)
	}
	w.work()
	f := w.shop.last("credit").Fields
	if f.Get("payee_name") != "Ada Lovelace" || f.Get("payee_card") != "411111******1111" {
		t.Errorf("the shop was told %v", f)
	}
	body = w.shop.Sign(w.shop.Order("pay-out-2", with("operation", "credit"), with("card_token", []string{token}),
		with("payee_first_name", "Grace"), with("payee_last_name", "Hopper")))
	w.post("/api/v1/session", body)
	w.work()
	if name := w.shop.last("credit").Fields.Get("payee_name"); name != "Grace Hopper" {
		t.Errorf("payee_name %q", name)
	}
	if code, response := w.post("/api/v1/session", body); inWords(code, response) != "400 400 Duplicate request." {
		t.Errorf("again: %d %v", code, response)
	}
}

// VAT is a part of the amount, by the rate of the payer's country.
func TestVAT(t *testing.T) {
	w := open(t, func(m *settings.Merchant) { m.Mappings[0].VATRates = map[string]string{"DE": "19", "FR": "20"} })
	payer := w.shop.visits("pen-1", with("vat_calc", true), with("billing_address", map[string]any{"country": "DE"}))
	if vat := payer.screen().Order.VAT; len(vat) != 1 || vat[0].Country != "DE" || vat[0].Amount != "1.60" {
		t.Errorf("VAT %+v", vat)
	}
	payer.pays("01/38")
	if f := w.shop.last("sale").Fields; f.Get("vat_amount") != "1.60" || f.Get("order_amount") != "10.00" {
		t.Errorf("the shop was told %v", f)
	}
	payer = w.shop.visits("pen-2", with("vat_calc", true))
	if vat := payer.screen().Order.VAT; len(vat) != 2 || vat[1].Country != "FR" || vat[1].Amount != "1.67" {
		t.Errorf("VAT %+v", vat)
	}
	pay := payer.attempt("01/38")
	pay.Fields["payer_country"] = "FR"
	payer.send(pay)
	w.work()
	if f := w.shop.last("sale").Fields; f.Get("vat_amount") != "1.67" || f.Get("customer_country") != "FR" {
		t.Errorf("the shop was told %v", f)
	}
}

// From a closed country nobody can pay, also where the payer names it on the page.
func TestClosedCountry(t *testing.T) {
	w := open(t, func(m *settings.Merchant) {
		m.Mappings[0].ClosedCountries, m.Mappings[0].RequiredFields = []string{"FR"}, []string{"payer_country"}
	})
	payer := w.shop.visits("pen-1")
	pay := payer.attempt("01/38")
	pay.Fields["payer_country"] = "FR"
	code, body := w.call("POST", payer.Path("pay"), pay)
	if code != 400 || !strings.Contains(string(body), "payer_country: ") {
		t.Errorf("a closed country: %d %s", code, body)
	}
	pay.Fields["payer_country"] = "DE"
	payer.send(pay)
	w.work()
	if f := w.shop.last("sale").Fields; f.Get("customer_country") != "DE" || f.Get("order_status") != "settled" {
		t.Errorf("the shop was told %v", f)
	}
}

// An amount that the payer enters has to be within the limits of a MID.
func TestLimitsOfEnteredAmount(t *testing.T) {
	w := open(t, mids("", ""), func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Limits = []settings.Limit{{Currency: "USD", Max: "100.00"}}
		m.Mappings[0].MIDs[1].Limits = []settings.Limit{{Currency: "USD", Max: "500.00"}}
	})
	order := map[string]any{"number": "pen-1", "amount": "-1", "currency": "USD", "description": "A pen"}
	payer := w.shop.visits("pen-1", with("operation", "transfer"), payee, with("order", order))
	c := paymentCard(t, "01/38")
	c.PayeeNumber = payoutCard
	pay := payer.Fill(payer.screen(), c)
	pay.Fields["order_amount"] = "500.01"
	code, body := w.call("POST", payer.Path("pay"), pay)
	if code != 400 || !strings.Contains(string(body), "order_amount: ") {
		t.Errorf("500.01: %d %s", code, body)
	}
	pay.Fields["order_amount"] = "100.01"
	payer.send(pay)
	w.work()
	if p := payer.payment(); p.Status != payment.StatusSettled || p.MID != "mid-2" {
		t.Errorf("%s by %s", p.Status, p.MID)
	}
}
