package story

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/form"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/screen"

	"github.com/google/uuid"
)

// goodValue returns a good value for a row: one of the check, a choice, or one of the type.
func goodValue(t *testing.T, m method.Method, name string, p method.Param) any {
	t.Helper()
	if text := byOtherRows[m.Label+" "+name]; text != "" {
		return checkedValue(t, method.Check(text))
	}
	switch {
	case p.Check != "":
		return checkedValue(t, p.Check)
	case len(p.Values) > 0:
		return p.Values[0]
	}
	switch p.Type {
	case method.TypeNumber, "N4", "N25":
		return "12"
	case method.TypeObject:
		return sentRows(t, m, p.Rows)
	case method.TypeList:
		return []any{sentRows(t, m, p.Rows)}
	}
	return "BTC"
}

// byOtherRows are the checks of values whose form another row decides, with that row's first choice.
var byOtherRows = map[string]string{
	"M16 address": "btc", "M21 identification": "sort_code",
	"WD5 cashAccount": "cpf", "WD6 identity": "cc_co", "WD7 identity": "dni_pe",
}

func checkedValue(t *testing.T, check method.Check) string {
	t.Helper()
	text, err := os.ReadFile("../method/testdata/checks.golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var checks map[method.Check]struct{ Good []string }
	if err := json.Unmarshal(text, &checks); err != nil || len(checks[check].Good) == 0 {
		t.Fatalf("check %q has no good value: %v", check, err)
	}
	return checks[check].Good[0]
}

// sentRows returns good values for all rows that a merchant must send.
func sentRows(t *testing.T, m method.Method, rows []method.Param) map[string]any {
	sent := map[string]any{}
	for _, p := range rows {
		if p.MustBeSent() {
			sent[p.Name] = goodValue(t, m, p.Name, p)
		}
	}
	if m.Label == "M23" { // a fine of no value
		sent["fine"] = map[string]any{"type_fine": "NONE"}
	}
	return sent
}

// rowOf returns the row of a page field, such as bankDetails.cbu.
func rowOf(t *testing.T, m method.Method, id string) method.Param {
	t.Helper()
	var rows []method.Param
	for _, set := range m.Sets {
		rows = append(rows, set.Rows...)
	}
	for {
		name, rest, inside := strings.Cut(id, ".")
		found := false
		for _, p := range rows {
			if found = p.Name == name; found && !inside {
				return p
			} else if found {
				id, rows = rest, p.Rows
				break
			}
		}
		if !found {
			t.Fatalf("%s has no row %s", m.ID, id)
		}
	}
}

// chosen is a payer who has chosen one method.
type chosen struct {
	*visit
	m method.Method
}

// chooses opens a visit with one method of the table, and good values for its parameters. value is the part of
// customer.email before @.
func (s *shop) chooses(t *testing.T, m method.Method, country, value string) chosen {
	t.Helper()
	var rows []method.Param
	for _, set := range m.Sets {
		rows = append(rows, set.Rows...)
	}
	operation := method.Purchase
	if !m.For(operation) {
		operation = method.Credit
	}
	changes := []func(map[string]any){
		with("operation", operation), with("methods", []string{m.ID}),
		with("customer", map[string]any{"email": value + "@shop.example"}),
		with("billing_address", map[string]any{"country": country}),
		with("parameters", map[string]any{m.ID: sentRows(t, m, rows)}),
	}
	if operation == method.Credit {
		changes = append(changes, with("payee", map[string]any{"name": "Jane Doe"}))
	}
	v := s.visits(strings.ReplaceAll(fmt.Sprintf("%s-%s-%s", m.ID, country, value), "_", "-"), changes...)
	return chosen{v, m}
}

// pays sends the method's form with good values.
func (c chosen) pays(t *testing.T) {
	t.Helper()
	page := c.screen()
	if page.Kind != screen.KindForm || len(page.Methods) != 1 || page.Methods[0].ID != c.m.ID {
		t.Fatalf("%s: the payer sees %q with %d methods", c.m.ID, words(page), len(page.Methods))
	}
	pay := form.Request{Attempt: uuid.NewString(), Method: c.m.ID, Fields: map[string]string{}}
	sealed := map[string]string{}
	for _, field := range page.Methods[0].Fields {
		if !field.Required {
			continue
		}
		value := fmt.Sprint(goodValue(t, c.m, field.ID, rowOf(t, c.m, field.ID)))
		if field.Sealed {
			sealed[field.ID] = value
			continue
		}
		pay.Fields[field.ID] = value
	}
	if len(sealed) > 0 {
		pay.Sealed = c.fill(page, card.Card{Values: sealed}).Sealed
	}
	c.send(pay)
	c.w.work()
}

// fillsIn fills in the second form. The account is the option of that number, if there is a choice.
func (c chosen) fillsIn(code string, account int) string {
	c.w.t.Helper()
	page, fields := c.screen(), map[string]string{}
	for _, f := range page.Fields {
		fields[f.ID] = code
		if f.Kind == method.FieldSelect {
			fields[f.ID] = f.Options[account].Value
		}
	}
	said := c.submits(page.Step, fields)
	c.w.work()
	return said
}

// all allows every offered method and operation.
func all(m *merchant.Merchant) {
	mid := &m.Mappings[0].MIDs[0]
	mid.Methods = nil
	for _, one := range method.Methods {
		if _, offered := method.Find(one.ID); offered {
			mid.Methods = append(mid.Methods, one.ID)
		}
	}
	mid.Operations = method.Operations
}

// countriesOf returns a billing country of a method, and one where it behaves differently.
func countriesOf(m method.Method) []string {
	countries := []string{"CO"}
	if len(m.Countries) > 0 {
		countries = m.Countries[:1]
	}
	for country := range m.BehaviourIn {
		countries = append(countries, country)
	}
	return countries
}

// whileWaiting is what a payer sees of a behaviour, and the button that pays.
var whileWaiting = map[method.Behaviour][2]string{
	method.Redirect:       {"go", "confirm"},
	method.ConfirmInApp:   {"wait: confirm_in_app", "confirm"},
	method.QRCode:         {"wait: scan_qr", "pay"},
	method.DataShown:      {"wait: transfer_details", "pay"},
	method.AddressShown:   {"wait: pay_elsewhere", "pay"},
	method.LinkSent:       {"wait: open_link", "confirm"},
	method.ConfirmOnPhone: {"wait: confirm_in_app", "confirm"},
}

// Every offered method without a card is paid, or paid out: by what its payer does, and by the documented values.
func TestEveryMethodIsPaid(t *testing.T) {
	w := open(t, all)
	paid := 0
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered || m.Card {
			continue
		}
		for _, country := range countriesOf(m) {
			paid++
			payer := w.shop.chooses(t, m, country, "ada")
			payer.pays(t)
			want, second := whileWaiting[m.BehaviourFor(country)], len(m.SecondFields(method.Purchase)) > 0
			if m.Group == "cash" && m.Behaviour == method.DataShown {
				want[0] = "wait: voucher_issued"
			}
			switch got := words(payer.screen()); {
			case want[0] == "" && second:
				if said := payer.fillsIn("123456", 0); got != "wait: enter_code" || said != "200 wait: processing" {
					t.Errorf("%s: the payer sees %q, then %q", m.ID, got, said)
				}
			case want[0] == "": // there is nothing to wait for
			case want[0] == "go" && strings.HasPrefix(got, "go "+w.server.URL+"/sandbox/"):
				payer.comesBack(payer.presses("confirm"))
			case got != want[0]:
				t.Errorf("%s in %s: the payer sees %q, want %q", m.ID, country, got, want[0])
			default:
				payer.sends(payer.paymentID(), want[1])
			}
			payer.is("settled")
			payer.sees("go https://shop.example/paid")
			for value, end := range map[string]string{
				"settled": "settled", "declined": "decline (Declined by processing.)", "returned": "reversal",
			} {
				payer := w.shop.chooses(t, m, country, value)
				payer.pays(t)
				if got := payer.status(); got != end {
					t.Errorf("%s in %s of %s: %s, want %s", m.ID, country, value, got, end)
				}
			}
		}
	}
	if paid < 50 {
		t.Errorf("only %d were paid", paid)
	}
}

// Each behaviour ends in each way: by a button of the sandbox's page, or by a documented value and time.
func TestEveryBehaviourEndsInEveryWay(t *testing.T) {
	const (
		refused = "decline (The payer refused.)"
		slow    = "decline (The payer did not finish in time.)"
		late    = "decline (Paid too late: 10.00 USD arrived after the time to pay was over.)"
		little  = "decline (Less was paid than was due: 5.00 USD of 10.00 USD arrived.)"
		again   = "form: declined"
		ended   = "message: paid_too_late (paid_too_late: 10.00 USD)"
	)
	type end struct{ value, button, status, sees string }
	acts := []end{
		{"ada", "refuse", refused, again + " (The payer refused.)"},
		{"ada", "expire", slow, again + " (The payer did not finish in time.)"},
		{"ada", "pay_late", late, ended},
		{"expires", "", slow, again + " (The payer did not finish in time.)"},
		{"late", "", late, ended},
		{"declined", "", "decline (Declined by processing.)", again + " (Declined by processing.)"},
		{"fails-later", "", "decline (Declined by processing.)", again + " (Declined by processing.)"},
		{"returned+1", "", "reversal", "go https://shop.example/paid"},
	}
	sends := append([]end{
		{"too-little", "", little, "form: paid_too_little (paid_too_little: 5.00 of 10.00 USD)"},
		{"Too-Little", "pay_rest", "settled", "go https://shop.example/paid"},
		{"ada", "pay_half", little, "form: paid_too_little (paid_too_little: 5.00 of 10.00 USD)"},
		{"ada", "pay_double", "settled", "go https://shop.example/paid"},
	}, acts...)
	for id, ends := range map[string][]end{
		"instant_qr": sends, "offline_service": sends, "cash_mx": sends, "instant_transfer": sends,
		"document_bank": acts, "mobile_money": acts, "mobile_bj_tg": acts, "link_sms": acts, "pull_bank": acts,
	} {
		m, _ := method.Find(id)
		for _, end := range ends {
			t.Run(id+" "+end.value+" "+end.button, func(t *testing.T) {
				w := open(t, all)
				payer := w.shop.chooses(t, m, countriesOf(m)[0], end.value)
				payer.pays(t)
				if end.button != "" {
					payer.sends(payer.paymentID(), end.button)
				}
				if end.button == "" {
					w.pass(2 * time.Minute)
				}
				if end.button == "pay_half" {
					payer.sees("wait: partly_paid")
					payer.sends(payer.paymentID(), "expire")
				}
				payer.is(end.status)
				payer.sees(end.sees)
			})
		}
	}
}

// The code 123456 is right. The form is shown again after a wrong one, and the third wrong one ends the payment.
func TestCodeOfASecondForm(t *testing.T) {
	wrong, _ := method.Find("pull_wallet")
	w := open(t, all)
	payer := w.shop.chooses(t, wrong, "CO", "ada")
	payer.pays(t)
	const again = "wait: code_wrong"
	for _, want := range []string{again, again, "form: declined (The code was wrong too often.)"} {
		payer.fillsIn("000000", 0)
		payer.sees(want)
	}
	payer.is("decline (The code was wrong too often.)")
	payer.pays(t)
	payer.fillsIn("000000", 0)
	payer.fillsIn("123456", 0)
	payer.is("settled")

	choice, _ := method.Find("pull_bank") // its code is optional
	for account, want := range []string{
		"settled", "settled", "decline (Insufficient funds, try again later.)",
	} {
		w := open(t, all)
		payer := w.shop.chooses(t, choice, "CO", "ada")
		payer.pays(t)
		payer.fillsIn("", account)
		payer.is(want)
	}
}

// What a payer is shown leads to the sandbox's page, and ends when the time to pay does.
func TestWhatIsShownOfEachBehaviour(t *testing.T) {
	for id, want := range map[string]string{
		"instant_qr":     "qr_code qr, app_link link, amount_due amount",
		"mobile_money":   "confirm_number text, amount_due amount, app_link link",
		"link_email":     "app_link link, amount_due amount",
		"crypto_address": "crypto_address copy, crypto_coin text, crypto_amount amount, app_link link",
		"bank_debit": "account_name copy, account_number copy, bank_name text, payment_reference copy, " +
			"amount_due amount, pay_until deadline, app_link link",
		"cash_pe":     "voucher_number copy, voucher_barcode barcode, amount_due amount, pay_until deadline, app_link link",
		"pull_wallet": "app_link link",
	} {
		w := open(t, all)
		m, _ := method.Find(id)
		payer := w.shop.chooses(t, m, countriesOf(m)[0], "ada")
		payer.pays(t)
		page, shown := payer.screen(), []string{}
		for _, one := range page.Show {
			shown = append(shown, one.ID+" "+string(one.Type))
			if one.Type == screen.ShownLink || one.Type == screen.ShownQR {
				payer.hasButton(strings.TrimPrefix(one.Value, w.server.URL), "expire")
			}
		}
		if got := strings.Join(shown, ", "); got != want {
			t.Errorf("%s shows %s, want %s", id, got, want)
		}
		if until := rows(page)["pay_until"]; until != "" && until != page.ExpiresAt {
			t.Errorf("%s is to be paid until %s, and the page counts to %s", id, until, page.ExpiresAt)
		}
	}
}

// A payout that was settled fails later, by a button.
func TestSettledPayoutFails(t *testing.T) {
	w := open(t, all)
	m, _ := method.Find("payout_wd3")
	payer := w.shop.chooses(t, m, "CO", "ada")
	payer.pays(t)
	payer.is("settled")
	payer.sends(payer.paymentID(), "reverse")
	payer.is("reversal")
	w.shop.told("credit success settled", "reversal success reversal")
}
