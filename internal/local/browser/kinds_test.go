package browser

import (
	"maps"
	"slices"
	"strings"
)

// payoutCard is the card for payouts, which must not be sent in clear, either.
const payoutCard = "4601541833776519"

// payee is the recipient of a credit or transfer.
var payee = object{
	"payee":                 object{"name": "Grace Hopper", "email": "grace@example.com"},
	"payee_billing_address": object{"country": "US", "state": "NY", "city": "New York", "address": "1 Main Street"},
}

// monthly requests a chain with a schedule of the sample merchant.
var monthly = object{"recurring_init": true, "schedule_id": "0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10",
	"recurring_consent_required": true}

// kindStories are payments other than a purchase by card.
var kindStories = []story{
	{"a transfer whose amount the payer enters", func(v *visit) {
		s := v.session(paying, payee, transfer)
		v.form(s)
		if got := v.fields(); got != "order_amount payer_card payer_expiryDate payer_cvv payee_card" {
			v.t.Errorf("the form has %s", got)
		}
		v.card("0138")
		v.click("pay")
		v.checkFault("order_amount", "Amount: required")
		v.checkFault("payee_card", "Recipient’s card number: required")
		v.focused("order_amount")
		for _, wrong := range []string{"0", "12.345", "-1", "x"} {
			v.write("order_amount", wrong)
			v.click("pay")
			v.checkFault("order_amount", "Amount: not valid")
			v.until(element("order_amount-fault") + ".innerText == 'Enter an amount, for example 12.50.'")
		}
		v.write("order_amount", "12.5")
		v.until("document.querySelector('.amount').innerText.includes('$12.50') && " + element("pay") +
			".innerText == 'Send $12.50\\nto Grace Hopper'")
		v.write("payee_card", payoutCard)
		v.checkNothingSent()
		v.click("pay")
		s.Amount = "12.50"
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
		v.checkCallback(s, "transfer", map[string]string{"order_amount": "12.50", "payee_card": "460154******6519",
			"payee_name": "Grace Hopper"})
	}},
	{"a credit", func(v *visit) {
		s := v.session(paying, payee, object{"operation": "credit"})
		v.form(s)
		if got := v.fields(); got != "payer_card payer_expiryDate" {
			v.t.Errorf("the form has %s", got)
		}
		v.write("payer_card", payoutCard)
		v.write("payer_expiryDate", "0940")
		v.click("pay")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
		v.checkCallback(s, "credit", map[string]string{"status": "success", "payee_card": "460154******6519"})
	}},
	{"consent to a schedule", func(v *visit) {
		s := v.session(paying, monthly)
		v.form(s)
		v.card("0138")
		v.until("document.querySelector('.consent').innerText.startsWith('I agree to be charged $10.00 every month, " +
			"starting on ')")
		v.click("recurring_consent")
		v.until(element("recurring_consent") + ".checked && !document.querySelector('[aria-invalid=true]')")
		v.click("pay")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
		v.checkCallback(s, "sale", map[string]string{"consent_state": "active",
			"schedule_id": "0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10"})
		if got := v.callback(s, "sale"); len(got["consent_id"]) != 36 || got["recurring_token"] == "" {
			v.t.Errorf("callback %v", got)
		}
	}},
	{"VAT follows the country", func(v *visit) {
		s := v.session(object{"vat_calc": true})
		v.form(s)
		v.everything("0138")
		for _, c := range []struct{ country, vat string }{{"US", ""}, {"FR", "including VAT $1.67"}, {"", ""},
			{"DE", "including VAT $1.60"}} {
			v.choose("payer_country", c.country)
			v.until(element("vat") + ".innerText == " + quote(c.vat))
		}
		v.click("pay")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
		v.checkCallback(s, "sale", map[string]string{"vat_amount": "1.60", "order_amount": "10.00"})
	}},
	{"crypto", func(v *visit) {
		s := v.session(paying, coin)
		v.form(s)
		v.pick("method", "crypto")
		v.until("!" + element("payer_card"))
		v.click("pay")
		v.message("Please pay with the details below.")
		v.noForm()
		v.until(element("crypto_address"))
		address := get[string](v.tab, element("crypto_address")+".innerText")
		shown := get[[]string](v.tab, "['crypto_network', 'crypto_amount'].map(id => document.getElementById(id).innerText)")
		if !strings.HasPrefix(address, "sandbox") || !slices.Equal(shown, []string{"Tron (TRC-20)", "20.00"}) {
			v.t.Errorf("shown %q %q\n%s", address, shown, v.dump())
		}
		v.click("crypto_address-copy")
		v.until(element("crypto_address-copy") + ".innerText.startsWith('Copied')")
		provider := v.secondTab()
		provider.open(v.target.BaseURL + "/sandbox/" + v.payments(s)[0].ID)
		provider.click("pay")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
		v.checkCallback(s, "sale", map[string]string{"crypto_address": address, "crypto_network": "tron"})
	}},
	{"crypto in parts", func(v *visit) {
		s := v.session(paying, coin, object{"session_expiry": 1})
		v.form(s)
		v.pick("method", "crypto")
		v.click("pay")
		v.message("Please pay with the details below.")
		v.until("/^Time left to pay: (20:00|19:[0-5][0-9])$/.test(document.querySelector('[role=timer]').innerText)")
		provider := v.secondTab()
		provider.open(v.target.BaseURL + "/sandbox/" + v.payments(s)[0].ID)
		provider.click("pay_half")
		v.message("Part of the amount has arrived.")
		shown := get[[]string](v.tab,
			"['amount_received', 'amount_missing'].map(id => document.getElementById(id).innerText)")
		if !slices.Equal(shown, []string{"10.000000", "10.000000"}) {
			v.t.Errorf("shown %q\n%s", shown, v.dump())
		}
		provider.until(element("pay_rest"))
		provider.click("pay_rest")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
	}},
}

// coin lets the payer choose between a card and a crypto coin.
var coin = object{"methods": []string{"card", "crypto"},
	"parameters": object{"crypto": object{"crypto_type": "USDT", "network_type": "tron"}}}

// transfer has an amount that the payer enters.
var transfer = object{"operation": "transfer", "order": object{"amount": "-1"}}

// checkCallback compares some fields of a callback.
func (v *visit) checkCallback(s session, kind string, want map[string]string) {
	v.t.Helper()
	got := v.callback(s, kind)
	some := maps.Clone(got)
	maps.DeleteFunc(some, func(name, _ string) bool { _, wanted := want[name]; return !wanted })
	if !maps.Equal(some, want) {
		v.t.Errorf("%s: callback %v, want %v", kind, some, want)
	}
}
