package browser

// named is a session whose shop sent a name.
func (v *visit) named(name string) session {
	v.t.Helper()
	return v.session(paying, object{"customer": object{"name": name}})
}

// checkNameOfOneWord leaves the name on the card as the shop sent it. It stops Pay once.
func checkNameOfOneWord(v *visit) {
	v = v.at(carefulKey)
	s := v.named("王伟")
	v.form(s)
	v.until(element("payer_name") + ".value == '王伟'")
	v.card("0138")
	v.click("pay")
	v.focused("payer_name")
	v.checkFault("payer_name", "Name on card: check it")
	v.until(element("payer_name-fault") + ".innerText.includes('leave it as it is')")
	v.checkAccess("a name of one word")
	v.checkNothingSent()
	v.click("pay")
	v.checkReturn(v.arrives("success"), s)
	if sent := v.lastSent(); sent.Fields["payer_name"] != "王伟" {
		v.t.Errorf("sent %+v", sent)
	}
}

// checkNameWithDigit has a name of which too little is left, and corrects it. A reload keeps what was typed.
func checkNameWithDigit(v *visit) {
	v = v.at(carefulKey)
	s := v.named("user123")
	v.form(s)
	v.until(element("payer_name") + ".value == 'user'")
	v.click("close")
	v.arrives("cancel") // at once, since nothing was typed

	s = v.named("user123")
	v.form(s)
	v.card("0138")
	v.click("pay")
	v.checkFault("payer_name", "Name on card: not valid")
	v.checkNothingSent()
	v.write("payer_name", "Ann Lee")
	v.enter("payer_cvv")
	v.form(s)
	v.enter("payer_card")
	v.until(element("payer_name") + ".value == 'Ann Lee'")
	v.pay("0138")
	v.checkReturn(v.arrives("success"), s)
	if sent := v.lastSent(); sent.Fields["payer_name"] != "Ann Lee" {
		v.t.Errorf("sent %+v", sent)
	}
}
