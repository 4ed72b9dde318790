package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/method"
)

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

// whileWaitingFor is what the payer of a method sees, "" if there is nothing to wait for, and the button that pays.
func whileWaitingFor(m method.Method, country string) (sees, button string) {
	of := whileWaiting[m.BehaviourFor(country)]
	switch {
	case m.Group == "cash" && m.Behaviour == method.DataShown:
		return "wait: voucher_issued", of[1]
	case len(m.SecondFields(method.Purchase)) > 0:
		return "wait: enter_code", ""
	}
	return of[0], of[1]
}

// Every offered method without a card is paid, or paid out: by what its payer does, and one of each kind by the
// documented values.
func TestEveryMethodIsPaid(t *testing.T) {
	w := open(t, all)
	paid, ended := 0, map[string]bool{}
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered || m.Card || method.IsWallet(m.ID) {
			continue // wallets have stories of their own
		}
		for _, country := range CountriesOf(m) {
			paid++
			payer := w.shop.chooses(t, m, country, "ada")
			payer.pays(t)
			want, button := whileWaitingFor(m, country)
			switch got := words(payer.screen()); {
			case want == "": // there is nothing to wait for
			case want == "go" && strings.HasPrefix(got, "go "+w.server.URL+"/sandbox/"):
				payer.comesBack(payer.presses("confirm"))
			case got != want:
				t.Errorf("%s in %s: the payer sees %q, want %q", m.ID, country, got, want)
			case want == "wait: enter_code":
				if said := payer.fillsIn("123456", 0); said != "200 wait: processing" {
					t.Errorf("%s: the payer sees %q after the code", m.ID, said)
				}
			default:
				payer.sends(payer.paymentID(), button)
			}
			payer.is("settled")
			payer.sees("go https://shop.example/paid")
			if ended[want] {
				continue
			}
			ended[want] = true
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
		unknown = "form: declined_elsewhere" // the payer was shown what to pay with
		ended   = "message: paid_too_late (paid_too_late: 10.00 USD)"
	)
	type end struct{ value, button, status, sees string }
	acts := []end{
		{"ada", "refuse", refused, again + " (The payer refused.)"},
		{"ada", "expire", slow, again + " (The payer did not finish in time.)"},
		{"expires", "", slow, again + " (The payer did not finish in time.)"},
		{"ada", "pay_late", late, ended},
		{"late", "", late, ended},
		{"expires", "pay_late", late, ended},
		{"declined", "", "decline (Declined by processing.)", again + " (Declined by processing.)"},
		{"fails-later", "", "decline (Declined by processing.)", again + " (Declined by processing.)"},
		{"returned+1", "", "reversal", "go https://shop.example/paid"},
	}
	sends := append([]end{
		{"ada", "refuse", refused, unknown + " (The payer refused.)"},
		{"ada", "expire", slow, unknown + " (The payer did not finish in time.)"},
		{"expires", "", slow, unknown + " (The payer did not finish in time.)"},
		{"too-little", "", little, "form: paid_too_little (paid_too_little: 5.00 of 10.00 USD)"},
		{"Too-Little", "pay_rest", "settled", "go https://shop.example/paid"},
		{"ada", "pay_half", little, "form: paid_too_little (paid_too_little: 5.00 of 10.00 USD)"},
		{"ada", "pay_double", "settled", "go https://shop.example/paid"},
	}, acts[3:]...)
	for id, ends := range map[string][]end{
		"cash_mx": sends, "mobile_money": acts,
	} {
		m, _ := method.Find(id)
		for _, end := range ends {
			t.Run(id+" "+end.value+" "+end.button, func(t *testing.T) {
				w := open(t, all)
				payer := w.shop.chooses(t, m, CountriesOf(m)[0], end.value)
				payer.pays(t)
				if end.button == "" || end.value == "expires" {
					w.pass(2 * time.Minute)
				}
				if end.button != "" {
					payer.sends(payer.paymentID(), end.button)
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
