package browser

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/page/screen"
	"checkout/internal/reason"

	"github.com/chromedp/chromedp"
)

// roastery makes a screen one of a merchant who has set all branding, for one order.
func roastery(s screen.Screen) screen.Screen {
	s.Merchant, s.Test, s.BrowserLanguage = "North Roastery", false, false
	s.Branding = &screen.Brand{Accent: "#1f5f4a", LegalName: "North Roastery GmbH",
		TermsURL: "https://shop.example/terms", PrivacyURL: "https://shop.example/privacy"}
	order := screen.Order{Number: "2026-1187", Description: "Coffee and filters", Amount: "48.40", Currency: "EUR",
		Decimals: 2}
	if s.Order != nil && (s.Order.Amount == "" || strings.HasPrefix(s.Order.Amount, "-")) { // the payer types it
		order.Amount = s.Order.Amount
	}
	if s.Order != nil {
		order.VAT = s.Order.VAT
	}
	s.Order = &order
	if s.ExpiresInMS > 0 { // so that no clock is in the way
		s.ExpiresInMS, s.LifetimeMS = 3_600_000, 3_600_000
	}
	return s
}

// form is the form of a session that the service makes.
func (v *visit) screenOf(s session) screen.Screen {
	v.t.Helper()
	got, err := s.Screen()
	if err != nil || got.Kind != screen.KindForm || len(got.Methods) == 0 {
		v.t.Fatalf("no form: %+v, %v", got, err)
	}
	return roastery(got)
}

// drawings are all kinds of screens. The forms are the service's own.
func drawings(t *testing.T, v *visit) []drawing {
	t.Helper()
	card, careful := object{"methods": []string{"card"}}, v.at(carefulKey)
	plain, whole := v.screenOf(v.session(paying, card)), v.screenOf(v.session(card))
	plain.Items = []screen.Item{{Name: "Kenya AA, whole beans", Quantity: "2", Price: "16.50", Total: "33.00"},
		{Name: "Paper filters", Quantity: "1", Price: "9.50", Total: "9.50"}}
	plain.Totals = []screen.Total{{Kind: screen.TotalItems, Amount: "42.50"},
		{Kind: screen.TotalDelivery, Amount: "5.90"}, {Kind: screen.TotalOrder, Amount: "48.40"}}
	declined := plain
	reason := &reason.Reason{Code: reason.InsufficientFunds}
	declined.Message = &screen.Message{Text: screen.TextDeclined, Reason: reason}
	test := plain
	test.Test = true
	saved := object{"card_token": []string{careful.save("0138"), careful.save("0241")}, "payment_schedule_amount": "7.50"}
	savedCards := careful.screenOf(careful.session(paying, monthly, saved))
	scheduled := object{"recurring_consent_required": nil, "payment_schedule_amount": "7.50", "vat_calc": true,
		"billing_address": object{"country": "DE"}}
	sent := v.screenOf(v.session(paying, payee, transfer))
	payout := object{"operation": "credit", "methods": []string{"payout_wd5"}}
	cardPayout := object{"operation": "credit", "methods": []string{"card"}}
	all := []drawing{
		{name: "form", screen: plain},
		{name: "test", screen: test},
		{name: "form-address", screen: whole},
		{name: "faults", screen: whole, act: func(v *visit) {
			v.click("pay")
			v.until("document.querySelectorAll('[aria-invalid=true]').length > 5")
		}},
		{name: "form-unusual", screen: whole, act: func(v *visit) {
			v.choose("payer_country", "DE")
			v.enter("payer_phone")
			v.until(element("payer_phone") + ".placeholder == '+49'") // what is known of the country has come
			v.write("payer_zip", "1011")
			v.write("payer_phone", "0151 2345678")
			v.enter("payer_city")
			v.until("document.querySelector('[aria-invalid=true]')")
		}},
		{name: "filled", screen: plain, act: func(v *visit) { v.card("0138") }},
		{name: "busy", screen: plain, act: func(v *visit) {
			v.pay("0138")
			v.until("document.querySelector('#pay[aria-busy=true], #pay[aria-disabled=true], #pay.busy, #pay .ring')")
		}},
		{name: "declined", screen: declined},
		{name: "form-leave", screen: plain, act: func(v *visit) {
			v.card("0138")
			v.click("close")
			v.focused("leave_ask")
		}},
		{name: "methods", screen: v.screenOf(v.session(paying))},
		{name: "more-methods", screen: v.screenOf(v.session(paying)), act: func(v *visit) {
			v.click("more_ways")
			v.until("document.querySelectorAll('#method input[type=radio]').length > 12")
		}},
		{name: "saved-cards", screen: savedCards},
		{name: "saved-cards-faults", screen: savedCards, act: pressPay},
		{name: "schedule", screen: v.screenOf(v.session(paying, monthly, coin, scheduled)),
			wait: element("vat") + " && " + element("schedule")},
		{name: "transfer", screen: sent},
		{name: "transfer-faults", screen: sent, act: pressPay},
		{name: "payout-card", screen: v.screenOf(v.session(paying, payee, cardPayout))},
		{name: "payout", screen: v.screenOf(v.session(paying, payee, payout))},
	}
	alone := []string{"open_banking", "pull_bank", "voucher", "installments_a", "link_email", "mobile_bj_tg"}
	for _, method := range alone {
		if d, offered := v.methodForm(method); offered {
			all = append(all, d)
		}
	}
	back := v.shop.url("cancel")
	return slices.Concat(all, rare(plain, v.screenOf(v.session(paying))), waits(), otherPages(back), endings(back))
}

// pressPay pays while something is missing.
func pressPay(v *visit) {
	v.click("pay")
	v.until("document.querySelector('.fault')")
}

// methodForm is the form of a method alone, if its session can do without parameters.
func (v *visit) methodForm(method string) (drawing, bool) {
	all := v.screenOf(v.session(paying))
	for _, m := range all.Methods {
		if m.ID == method {
			all.Methods = []screen.Method{m}
			return drawing{name: "form-" + strings.ReplaceAll(method, "_", "-"), screen: all}, true
		}
	}
	return drawing{}, false
}

const (
	sampleAddress = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"
	sampleLink    = "https://pay.example/p/2026-1187"
	samplePix     = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR6304ABCD"
)

// waits are the screens of payers who pay elsewhere, of each behaviour.
func waits() []drawing {
	shown := func(name string, text screen.Text, show []screen.Shown, fields ...screen.Field) drawing {
		s := roastery(screen.Screen{Kind: screen.KindWait, Operation: "purchase", PollMS: 60_000, Show: show, Fields: fields,
			Message: &screen.Message{Text: text}})
		if len(show) > 0 {
			s.Actions = []screen.Action{screen.ActionPaid, screen.ActionAnother, screen.ActionCancel}
			s.ExpiresInMS = 14*60_000 + 30_000
			s.ExpiresAt = time.Now().Add(14 * time.Minute).UTC().Format(time.RFC3339)
		}
		if len(fields) > 0 {
			s.Step = "1"
		}
		return drawing{name: "wait-" + name, screen: s, wait: "document.querySelector('#message')?.innerText"}
	}
	text := func(id, value string) screen.Shown { return screen.Shown{ID: id, Type: screen.ShownText, Value: value} }
	copied := func(id, value string) screen.Shown { return screen.Shown{ID: id, Type: screen.ShownCopy, Value: value} }
	typed := func(id string, kind screen.ShownType, value string) screen.Shown {
		return screen.Shown{ID: id, Type: kind, Value: value}
	}
	amount := func(id, value, currency string) screen.Shown {
		return screen.Shown{ID: id, Type: screen.ShownAmount, Value: value, Currency: currency}
	}
	until := typed("pay_until", screen.ShownDeadline, "2035-04-01T18:00:00Z")
	crypto := []screen.Shown{copied("crypto_address", sampleAddress), text("crypto_coin", "BCH"),
		text("crypto_network", "bch"), amount("crypto_amount", "0.1243", "BCH"),
		typed("qr_code", screen.ShownQR, sampleAddress+"?amount=0.1243"), amount("exchange_rate", "389.38", "EUR")}
	leave := shown("leave", screen.TextPayElsewhere, crypto)
	leave.act = func(v *visit) {
		v.click("paid")
		v.click("close")
		v.focused("leave_ask")
	}
	code := screen.Field{ID: "bankDetails.otp", Kind: "code", Required: true, Min: 6, Max: 6, Format: "digits",
		InputMode: "numeric", Autocomplete: "one-time-code"}
	return []drawing{
		shown("processing", screen.TextProcessing, nil),
		shown("checking", screen.TextCheckingPayment, nil),
		shown("ending", "ending_payment", nil),
		shown("crypto", screen.TextPayElsewhere, crypto),
		leave,
		shown("crypto-partly", screen.TextPartlyPaid, append(crypto[:5:5], amount("amount_received", "0.06", "BCH"),
			amount("amount_missing", "0.0643", "BCH"))),
		shown("qr", "scan_qr", []screen.Shown{typed("qr_code", screen.ShownQR, samplePix),
			amount("amount_due", "48.40", "EUR")}),
		shown("app", "confirm_in_app", []screen.Shown{text("confirm_number", "47"),
			typed("app_link", screen.ShownLink, sampleLink)}),
		shown("link", "open_link", []screen.Shown{typed("app_link", screen.ShownLink, sampleLink)}),
		shown("transfer", "transfer_details", []screen.Shown{copied("account_number", "032180000118359719"),
			copied("account_name", "North Roastery GmbH"), text("bank_name", "Sandbox Bank"),
			copied("payment_reference", "2026-1187-48"), amount("amount_due", "48.40", "EUR"), until}),
		shown("voucher", "voucher_issued", []screen.Shown{copied("voucher_number", "987012345678"),
			typed("voucher_barcode", screen.ShownBarcode, "9870123456784840"), amount("amount_due", "48.40", "EUR"), until}),
		shown("code", "enter_code", nil, code),
		shown("code-wrong", "code_wrong", nil, code),
		shown("payout", "payout_under_way", nil),
		shown("long", screen.TextCheckingOutcome, nil),
		shown("held", screen.TextCheckingFirst, nil),
	}
}

// endings are the last screens of payments.
func endings(back string) []drawing {
	var all []drawing
	texts := []screen.Text{
		screen.TextPaid, screen.TextTooManyDeclines, screen.TextCancelled, screen.TextExpired, screen.TextPaidTooLate,
		screen.TextPaidTooLittle, "window_done", "unknown_session", screen.TextTechnicalProblem,
		screen.TextDeclinedElsewhere, screen.TextCancelledElsewhere,
	}
	for _, text := range texts {
		s := roastery(screen.Screen{Kind: screen.KindMessage, Operation: "purchase", Message: &screen.Message{Text: text},
			Go: &screen.Go{URL: back, Target: "_self"}})
		if text == screen.TextPaid {
			s.Payment = &screen.Payment{At: "2026-11-21T14:07:00Z", Method: "card", Mask: "411111******1111"}
		}
		all = append(all, drawing{name: "end-" + strings.ReplaceAll(string(text), "_", "-"), screen: s,
			wait: "document.querySelector('#message h2') && " + element("continue")})
	}
	return all
}

// otherPages are the screens of payers who come back from another page, or see a page that may not be framed.
func otherPages(back string) []drawing {
	returned := roastery(screen.Screen{Kind: screen.KindGo, Operation: "purchase",
		Go:      &screen.Go{URL: back, Target: "_self"},
		Actions: []screen.Action{screen.ActionAnother, screen.ActionCancel},
		Message: &screen.Message{Text: screen.TextContinueElsewhere}})
	framed := screen.Screen{Kind: screen.KindMessage, Message: &screen.Message{Text: "framed"},
		Go: &screen.Go{URL: back, Target: "_blank"}}
	return []drawing{
		{name: "redirect-back", screen: returned, wait: element("continue")},
		{name: "frame-refused", screen: framed, wait: element("continue")},
	}
}

// rare are forms with more than usual: wallets, many methods and items, long texts and a large amount.
func rare(form, methods screen.Screen) []drawing {
	wallets, isWallet := methods, func(m screen.Method) bool { return m.Wallet != nil }
	methods.Methods = slices.DeleteFunc(slices.Clone(methods.Methods), isWallet)
	wallets.Methods = append(slices.DeleteFunc(slices.Clone(wallets.Methods), func(m screen.Method) bool {
		return !isWallet(m)
	}), methods.Methods[:4]...)
	long := form
	long.Merchant = "The Old North Harbour Coffee Roasting and Trading Company"
	long.Order = &screen.Order{Number: "2026-1187-REF-000000000000123456789", Amount: "1234567890.00", Currency: "EUR",
		Decimals: 2, Description: strings.Repeat("Coffee and filters for the whole office, every month. ", 5)}
	cart := form
	cart.Items, cart.Totals = nil, nil
	for i, name := range []string{"Kenya AA, whole beans", "Paper filters",
		"Hand grinder with steel burrs and a glass jar", "Ethiopia Guji, ground for filter", "Cup, 250 ml", "Gift wrapping"} {
		cart.Items = append(cart.Items, screen.Item{Name: name, Quantity: strconv.Itoa(i%2 + 1), Price: "8.07"})
	}
	shop := methods
	shop.Items, shop.Totals = form.Items, form.Totals
	every := methods
	every.Methods = slices.Clone(methods.Methods)
	every.Methods[0].Fields = nil
	for _, m := range methods.Methods {
		for _, field := range m.Fields {
			if !slices.ContainsFunc(every.Methods[0].Fields, func(f screen.Field) bool { return f.ID == field.ID }) {
				every.Methods[0].Fields = append(every.Methods[0].Fields, field)
			}
		}
	}
	return []drawing{
		{name: "form-every-field", screen: every, act: func(v *visit) {
			v.pick("method", every.Methods[0].ID)
			v.click("pay")
			v.until("document.querySelectorAll('[aria-invalid=true]').length > 10")
		}},
		{name: "form-shop", screen: shop, act: func(v *visit) { v.card("0138") }},
		{name: "form-wallets", screen: wallets},
		{name: "form-method-chosen", screen: methods, act: func(v *visit) {
			v.pick("method", methods.Methods[1].ID)
			v.until(element(methods.Methods[1].Fields[0].ID)) // whose name comes with the rest of the texts
		}},
		{name: "methods-search", screen: methods, act: func(v *visit) {
			v.click("more_ways")
			v.until(element("search")) // which comes with what draws an opened list
			v.typeIn("search", "a")
		}},
		{name: "form-long", screen: long, act: func(v *visit) {
			get[bool](v.tab, "(document.querySelector('.toggle').click(), true)")
			v.until("(document.querySelector('.order .inline')?.click(), document.querySelector('.description:not(.short)'))")
		}},
		{name: "form-cart", screen: cart, act: func(v *visit) {
			get[bool](v.tab, "(document.querySelector('.toggle').click(), true)")
		}},
	}
}

// phone and desktop are the windows of pictures.
func (v *visit) window(phone bool) {
	v.t.Helper()
	if phone {
		v.do(chromedp.EmulateViewport(390, 844))
	} else {
		v.do(chromedp.EmulateViewport(1280, 844))
	}
}
