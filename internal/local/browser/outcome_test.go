package browser

import "strings"

var outcomeStories = []story{
	{"declined, then paid with another card", func(v *visit) {
		s := v.session()
		v.form(s)
		v.everything("0238")
		v.click("pay")
		v.message("Your payment was declined.")
		v.message("Declined by processing.")
		v.until(element("payer_cvv") + ".value == '' && " + element("payer_card") + ".value == '4111 1111 1111 1111'")
		v.until(element("payer_name") + ".value == 'Ada Example' && " + element("payer_state") + ".value == 'CA'")
		v.pay("0138")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled", "decline")
	}},
	{"a card that is no test card", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		v.write("payer_card", "5555555555554444")
		v.click("pay")
		v.message("Not a test card.")
		v.checkPayments(s, "decline")
	}},
	{"three declines", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		for try := range 3 {
			v.pay("0238")
			if try < 2 {
				v.message("Declined by processing.")
				v.until(element("payer_cvv") + ".value == ''")
			}
		}
		v.message("Declined by processing.")
		v.noForm()
		v.click("continue")
		v.checkReturn(v.arrives("cancel"), s)
		v.checkPayments(s, "decline", "decline", "decline")
	}},
	{"three declines without cancel_url", func(v *visit) {
		s := v.session(paying, object{"cancel_url": nil})
		v.form(s)
		for try := range 3 {
			v.pay("0238")
			if try < 2 {
				v.message("Declined by processing.")
				v.until(element("payer_cvv") + ".value == ''")
			}
		}
		v.message("You can start again from the shop.")
		v.message("Declined by processing.")
		v.noForm()
		v.checkPayments(s, "decline", "decline", "decline")
	}},
	{"closed", func(v *visit) {
		s := v.session()
		v.form(s)
		v.click("close")
		if query := v.arrives("cancel").Encode(); query != "shop=1" {
			v.t.Errorf("returned with %s", query)
		}
		v.open(s.URL)
		v.arrives("cancel")
		v.checkNothingSent()
	}},
	{"closed after a decline", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.pay("0238")
		v.message("Declined by processing.")
		v.click("close")
		v.checkReturn(v.arrives("cancel"), s)
		v.checkPayments(s, "decline")
	}},
	{"closed without cancel_url", func(v *visit) {
		s := v.session(object{"cancel_url": nil})
		v.form(s)
		v.click("close")
		v.message("Payment cancelled")
		v.noForm()
		v.open(s.URL)
		v.message("Payment cancelled")
		v.noForm()
	}},
	{"a finished session goes to success_url again", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.pay("0138")
		v.arrives("success")
		v.open(s.URL)
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
	}},
	{"a session that is under way says so, and offers nothing", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.pay("0139")
		for range 3 {
			v.isUnderWay()
			v.open("about:blank")
			v.open(s.URL)
		}
		v.isUnderWay()
		v.checkPayments(s, "prepare")
	}},
	{"a session that nobody knows", func(v *visit) {
		v.open(v.target.BaseURL + "/?session=none")
		v.message("does not exist or is no longer available")
		v.noForm()
		v.open(v.target.BaseURL + "/")
		v.message("does not exist or is no longer available")
		v.noForm()
	}},
	{"3-D Secure, confirmed, settled", step("0538", "confirm", "settled")},
	{"3-D Secure, refused", step("0538", "refuse", "decline")},
	{"3-D Secure, confirmed, declined", step("0638", "confirm", "decline")},
	{"redirect, confirmed, settled", step("1238", "confirm", "settled")},
	{"redirect, refused", step("1238", "refuse", "decline")},
	{"redirect, confirmed, declined", step("1239", "confirm", "decline")},
	{"a payer who leaves the provider's page comes back to it", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.pay("1238")
		v.until("location.pathname.startsWith('/sandbox/')")
		v.open(s.URL)
		v.message("Your payment is waiting for your confirmation.")
		v.click("continue")
		v.until("location.pathname.startsWith('/sandbox/')")
		v.click("confirm")
		v.arrives("success")
		v.checkPayments(s, "settled")
	}},
}

// isUnderWay checks that the page says that the outcome is awaited, and offers nothing to pay by.
func (v *visit) isUnderWay() {
	v.t.Helper()
	v.until(element("message") + "?.innerText.match(/being processed|longer than usual/)")
	v.noForm()
}

// step is the story of a payer who has to confirm the payment at a bank's or provider's page.
func step(expiry, action, status string) func(*visit) {
	return func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.pay(expiry)
		v.until("location.pathname.startsWith('/sandbox/') && document.readyState == 'complete'")
		under := map[bool]string{true: "3ds", false: "redirect"}[strings.HasPrefix(expiry, "05") ||
			strings.HasPrefix(expiry, "06")]
		v.checkPayments(s, under)
		v.click(action)
		if status == "settled" {
			v.checkReturn(v.arrives("success"), s)
			v.checkPayments(s, "settled")
			return
		}
		v.message("Your payment was declined.")
		v.message(map[string]string{"confirm": "Declined by processing.", "refuse": "The payer refused."}[action])
		v.checkPayments(s, "decline")
		v.pay("0138")
		v.arrives("success")
		v.checkPayments(s, "settled", "decline")
	}
}
