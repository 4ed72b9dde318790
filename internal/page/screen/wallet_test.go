package screen

import (
	"testing"

	"checkout/internal/method"
	"checkout/internal/settings"
)

func TestAskInWallet(t *testing.T) {
	asks := settings.GooglePay{AskEmail: true, AskPhone: true, AskBillingAddress: true}
	for name, test := range map[string]struct {
		settings           settings.GooglePay
		fields             []string
		told               int
		email, phone, bill bool
	}{
		"nothing is needed":          {asks, nil, 0, false, false, false},
		"nothing is asked for":       {settings.GooglePay{}, []string{"payer_email", "payer_zip"}, 0, false, false, false},
		"the email":                  {asks, []string{"payer_email"}, 1, true, false, false},
		"the telephone number":       {asks, []string{"payer_phone"}, 1, false, true, false},
		"the place":                  {asks, []string{"payer_country", "payer_state"}, 2, false, false, true},
		"what no wallet tells, also": {asks, []string{"payer_zip", "payer_document_number"}, 1, false, false, true},
		"one of two": {settings.GooglePay{AskEmail: true}, []string{"payer_email", "payer_city"}, 1,
			true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			sheet := &GooglePaySheet{}
			m := Method{ID: method.GooglePay, Wallet: &Wallet{GooglePay: sheet}}
			for _, id := range test.fields {
				m.Fields = append(m.Fields, Field{ID: id})
			}
			AskInWallet(&m, settings.Wallets{GooglePay: &test.settings})
			told := 0
			for _, f := range m.Fields {
				if f.Told {
					told++
				}
			}
			if told != test.told || sheet.Email != test.email || sheet.Phone != test.phone || sheet.BillingAddress != test.bill {
				t.Errorf("%d fields told, sheet %+v", told, sheet)
			}
		})
	}
	// The test wallet tells nothing, and neither does Apple Pay.
	for _, w := range []*Wallet{nil, {ApplePay: &ApplePaySheet{}}, {Test: true, GooglePay: &GooglePaySheet{}}} {
		m := Method{Wallet: w, Fields: []Field{{ID: "payer_email"}}}
		AskInWallet(&m, settings.Wallets{GooglePay: &asks})
		if m.Fields[0].Told {
			t.Errorf("%+v tells the email", w)
		}
	}
}
