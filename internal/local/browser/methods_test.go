package browser

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/method"
	"checkout/internal/page/screen"
)

var everyMethod = flag.Bool("methods", false, "pay by every method")

// methodVisit is a payer who has one method, on a page that asks for all that it can ask for.
type methodVisit struct {
	*visit
	m     method.Method
	s     session
	sale  string // the type of its callbacks
	typed int    // fields that the payer filled in
}

// opensMethod opens the page of a session in which only what the page never asks for was sent. email chooses what the
// sandbox does.
func (v *visit) opensMethod(m method.Method, country, email string) *methodVisit {
	v.t.Helper()
	return v.opensMethodFor(m, country, email, "")
}

// opensMethodFor is opensMethod with money of a currency, "" for the usual one.
func (v *visit) opensMethodFor(m method.Method, country, email, currency string) *methodVisit {
	v.t.Helper()
	address := object{"country": country, "city": "City", "address": "1 Street", "zip": "00001", "phone": "+15550100"}
	request := object{
		"methods": []string{m.ID}, "billing_address": address,
		"customer": object{"name": "Ada Example", "email": email + "@shop.example"},
	}
	if currency != "" {
		request["order"] = object{"currency": currency}
	}
	if sent := client.Parameters(m); len(sent) > 0 {
		request["parameters"] = object{m.ID: sent}
	}
	mv := &methodVisit{visit: v, m: m, sale: "sale"}
	if !m.For(method.Purchase) {
		request["operation"], mv.sale = "credit", "credit"
		maps.Copy(request, payee)
	}
	mv.s = v.session(request)
	v.form(mv.s)
	return mv
}

// fills fills in every field of the form, and checks that the page has them all.
func (v *methodVisit) fills() {
	v.t.Helper()
	shown, err := v.s.Screen()
	if err != nil || len(shown.Methods) != 1 || shown.Methods[0].ID != v.m.ID {
		v.t.Fatalf("the page has the methods %+v, %v", shown.Methods, err)
	}
	if v.m.Card {
		v.card("0138")
		return
	}
	for _, f := range shown.Methods[0].Fields {
		v.until(element(f.ID))
		v.fillsIn(f)
		v.typed++
	}
}

func (v *methodVisit) fillsIn(f screen.Field) {
	v.t.Helper()
	if value := client.Value(v.m.ID, f); f.Kind == method.FieldSelect {
		v.choose(f.ID, value)
	} else {
		v.write(f.ID, value)
	}
}

// pays fills in the form and sends it.
func (v *methodVisit) pays(country string) {
	v.t.Helper()
	v.fills()
	v.click("pay")
	v.comesElsewhere(country)
}

// comesElsewhere waits until the page shows what the payer has to do, if that is anything.
func (v *methodVisit) comesElsewhere(country string) {
	v.t.Helper()
	switch {
	case v.elsewhere(country) == "go":
		v.until("location.pathname.startsWith('/sandbox/') && " + element("confirm"))
	case v.elsewhere(country) == "code":
		v.until(element("answer"))
	case v.elsewhere(country) != "":
		v.until(element("app_link") + "?.href.includes('/sandbox/') || " + element("qr_code-open"))
	}
}

// elsewhere is what the payer does after the form: "go" to another page, enter a "code", "confirm" or "pay" elsewhere,
// or "" nothing.
func (v *methodVisit) elsewhere(country string) string {
	switch v.m.BehaviourFor(country) {
	case method.Redirect:
		return "go"
	case method.ConfirmInApp, method.ConfirmOnPhone, method.LinkSent:
		return "confirm"
	case method.QRCode, method.DataShown, method.AddressShown:
		return "pay"
	}
	if len(v.m.SecondFields(method.Purchase)) > 0 {
		return "code"
	}
	return ""
}

// acts presses a button as the payer's bank, app or wallet does: on the page to which the payer was sent, or on the one
// to which the link of what is shown leads.
func (v *methodVisit) acts(country, button string) {
	v.t.Helper()
	if v.elsewhere(country) == "go" {
		v.click(button)
		return
	}
	bank := v.secondTab()
	bank.open(get[string](v.tab, element("app_link")+".href"))
	bank.until(element(button))
	get[bool](bank.tab, "(window.acting = true)")
	bank.click(button)
	bank.until("!window.acting && document.readyState == 'complete'")
}

// finishes does what has to be done elsewhere for the payment to succeed.
func (v *methodVisit) finishes(country string) {
	v.t.Helper()
	switch step := v.elsewhere(country); step {
	case "":
	case "code":
		v.enters("123456")
	case "go":
		v.acts(country, "confirm")
	default:
		v.acts(country, step)
	}
}

// enters fills in the second form.
func (v *methodVisit) enters(code string) {
	v.t.Helper()
	v.until(element("bankDetails.otp"))
	if get[bool](v.tab, "!!"+element("bankDetails.account")) {
		v.choose("bankDetails.account", get[string](v.tab,
			"[..."+element("bankDetails.account")+".options].find(o => o.value).value"))
	}
	v.write("bankDetails.otp", code)
	v.click("answer")
}

// isPaid checks the ending of a payment: where the payer is, what the shop was told, and the status.
func (v *methodVisit) isPaid(statuses ...string) {
	v.t.Helper()
	v.checkReturn(v.arrives("success"), v.s)
	v.checkPayments(v.s, statuses...)
	v.isTold("success settled")
}

// isTold waits for a callback of the sale, whose status, order_status and reason end with a text.
func (v *methodVisit) isTold(want string) {
	v.t.Helper()
	told := ""
	eventually(v.t, func() bool {
		return slices.ContainsFunc(v.callbacks(v.s), func(c textMembers) bool {
			told = strings.TrimSpace(c["status"] + " " + c["order_status"] + " " + c["reason"])
			return c["type"] == v.sale && strings.HasSuffix(told, want)
		})
	}, func() string { return "no callback " + want + ", but " + told })
}

// ofEachBehaviour are methods of every behaviour, with every kind of field.
var ofEachBehaviour = []string{
	"document_bank", "upi_collect", "instant_qr", "bank_curp", "voucher", "pull_bank", "crypto_address", "link_email",
	"mobile_bj_tg", "payout_wd7",
}

// offeredMethods are the methods that a test pays by, each with its countries: those of ofEachBehaviour, with -methods
// all but wallets, which no form is filled in for and which have tests of their own.
func offeredMethods() (ids []string) {
	if !*everyMethod {
		return ofEachBehaviour
	}
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); offered && !method.IsWallet(m.ID) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

func methodCountries(m method.Method) []string {
	countries := []string{"CO"}
	if len(m.Countries) > 0 {
		countries = m.Countries[:1]
	}
	return append(countries, slices.Collect(maps.Keys(m.BehaviourIn))...)
}

// TestMethods pays, or is paid, by methods on the page that asks for all that it can ask for: each succeeds and is
// declined.
func TestMethods(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	for _, id := range offeredMethods() {
		m, offered := method.Find(id)
		if !offered {
			t.Fatalf("%s is not offered", id)
		}
		for _, country := range methodCountries(m) {
			t.Run(fmt.Sprintf("%s in %s", id, country), func(t *testing.T) {
				t.Parallel()
				v := newVisit(t, at, s)
				paid := v.opensMethod(m, country, "ada")
				paid.pays(country)
				paid.finishes(country)
				paid.isPaid("settled")
			})
		}
	}
}
