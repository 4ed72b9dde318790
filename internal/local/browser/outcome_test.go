package browser

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
	{"a session that is under way says so, and offers nothing", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.pay("0139")
		v.isUnderWay()
		v.open("about:blank")
		v.open(s.URL)
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
	{"3-D Secure, confirmed", func(v *visit) {
		s := v.atStep("0538", "3ds")
		v.click("confirm")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
	}},
	{"redirect, refused", func(v *visit) {
		s := v.atStep("1238", "redirect")
		v.click("refuse")
		v.message("Your payment was declined.")
		v.message("The payer refused.")
		v.pay("0138")
		v.arrives("success")
		v.checkPayments(s, "settled", "decline")
	}},
	{"a payer who leaves the provider's page comes back to it", func(v *visit) {
		s := v.atStep("1238", "redirect")
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

// atStep pays with a card that has to be confirmed, and waits for the page of the bank or provider.
func (v *visit) atStep(expiry, status string) session {
	v.t.Helper()
	s := v.session(paying)
	v.form(s)
	v.pay(expiry)
	v.until("location.pathname.startsWith('/sandbox/') && document.readyState == 'complete'")
	v.checkPayments(s, status)
	return s
}
