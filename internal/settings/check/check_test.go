package check

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/request/requesttest"
	"checkout/internal/settings"
)

// validMerchant has every setting, each with a valid value.
const validMerchant = `{
 "id": "shop", "name": "The Pen Shop", "live_key": "live", "test_key": "test", "password": "secret",
 "callback_secret": "whsec_ZGVtby1jYWxsYmFjay1zZWNyZXQtMDEyMzQ1Njc4OQ==",
 "notification_url": "https://shop.example/callback", "rate_limit": 100,
 "mappings": [
  {"name": "main", "max_declines": 1, "customer_name": "required", "required_fields": ["payer_email"],
   "language": "de", "pay_limit": 3, "return_schemes": ["penshop", "com.example.pens"],
   "vat_rates": {"DE": "19", "FR": "5.5"},
   "pre_routing": [
    {"operations": ["purchase"], "currencies": ["EUR"], "countries": ["DE"],
     "min_amount": "1", "max_amount": "1.00", "methods": ["crypto", "card"]},
    {"methods": ["card"]}],
   "mids": [
    {"name": "a", "channel_id": "0123456789abcdef", "connector": "bank", "methods": ["card", "crypto"],
     "currencies": ["EUR", "BTC"], "operations": ["purchase", "credit"],
     "limits": [{"currency": "EUR", "min": "1", "max": "1000"}, {"currency": "JPY", "max": "5"}],
     "capture_type": "DMS", "weight": 3},
    {"name": "b", "connector": "bank", "methods": ["card"]}]},
  {"name": "empty", "mids": []}],
 "schedules": [
  {"id": "m", "interval_length": 1, "interval_unit": "month", "day_of_month": 31, "payments_count": 12, "delays": 1},
  {"id": "d", "interval_length": 7, "interval_unit": "day"}],
 "forms": [{"id": "0f8fad5b-d9cb-469f-a165-70867728950e", "name": "short", "required_fields": ["payer_phone"],
  "optional_fields": ["payer_country", "payer_state", "payer_city"],
  "order": ["payer_phone", "payer_card", "payer_country", "payer_state"],
  "labels": {"payer_phone": {"en": "Phone for the courier", "de": "Telefon für den Boten"}},
  "branding": {"legal_name": "The Pen Club"}}]
}`

func merchantFaults(t *testing.T, text string) []string {
	t.Helper()
	var m settings.Merchant
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	m.Connectors = settings.Declarations{"bank": {}, settings.SandboxConnector: {}}
	err := Check(m, nil, time.Now(), false)
	if err == nil {
		return nil
	}
	var e *fault.Error
	if !errors.As(err, &e) || e.Code != fault.CodeInvalid {
		t.Fatalf("%v", err)
	}
	return requesttest.TextsOf(e.Faults)
}

// TestCheckMerchant replaces one value of a valid merchant, for every setting that can be wrong, and checks the faults.
func TestCheckMerchant(t *testing.T) {
	if got := merchantFaults(t, validMerchant); len(got) != 0 {
		t.Fatalf("%q", got)
	}
	const more = "This value should be 0 or more."
	const mapping, mid, mid1 = "mappings[0].", "mappings[0].mids[0].", "mappings[0].mids[1]."
	const rule = "mappings[0].pre_routing[0]."
	const badName = requesttest.NotValid + " It should have 1 to 40 printable characters, and no card number."
	const rate = requesttest.NotValid + " It should be a percentage such as 19 or 5.5."
	const euros = requesttest.NotValid + " It should be a number such as 10.00: EUR has 2 decimals."
	const scheme = requesttest.NotValid +
		" It should be the scheme of an app in lower case, without ://, and none of a system."
	const oneCurrency = requesttest.NotValid + " A bound of the amount needs exactly one currency."
	const label = requesttest.NotValid + " It should have at most 64 characters, all of them printable."
	for _, test := range []struct {
		old, new string
		want     []string
	}{
		{`"id": "shop"`, `"id": " "`, []string{"id: " + requesttest.Blank}},
		{`"live"`, `""`, []string{"live_key: " + requesttest.Blank}},
		{`"live"`, `"test"`, []string{"test_key: " + textTwice}},
		{`"test_key": "test", `, ``, []string{"test_key: " + requesttest.Blank}},
		{`"test_key": "test"`, `"test_key": ` + requesttest.Quoted(256, "x"),
			[]string{"test_key: " + requesttest.NotValid + " It should have at most 255 characters."}},
		{`"secret"`, `""`, []string{"password: " + requesttest.Blank}},
		{`whsec_`, `wh_`, []string{"callback_secret: " + requesttest.NotValid + " It should be whsec_ and base64."}},
		{`https://shop.example/callback`, `shop.example`, []string{"notification_url: " + requesttest.BadURL}},
		{`"rate_limit": 100`, `"rate_limit": -1, "test_notification_url": "ftp://x"`,
			[]string{"test_notification_url: " + requesttest.BadURL, "rate_limit: " + more}},
		{`"empty"`, `"main"`, []string{"mappings[1].name: " + textTwice}},
		{`"empty"`, `""`, []string{"mappings[1].name: " + requesttest.Blank}},
		{`"max_declines": 1`, `"max_declines": -1`, []string{mapping + "max_declines: " + more}},
		{`"customer_name": "required"`, `"customer_name": "maybe"`,
			[]string{mapping + "customer_name: " + requesttest.Choice}},
		{`["payer_email"]`, `["payer_email", "payer_shoe", "payer_cvv", "payer_email"]`, []string{
			mapping + "required_fields[1]: " + requesttest.Choice,
			mapping + "required_fields[2]: " + requesttest.Choice,
			mapping + "required_fields[3]: " + textTwice,
		}},
		{`"language": "de"`, `"language": "tlh"`, []string{mapping + "language: " + requesttest.Choice}},
		{`["penshop", "com.example.pens"]`, `["market", "Pens", "pens://", "https", "pens", "pens"]`, []string{
			mapping + "return_schemes[0]: " + scheme, mapping + "return_schemes[1]: " + scheme,
			mapping + "return_schemes[2]: " + scheme, mapping + "return_schemes[3]: " + scheme,
			mapping + "return_schemes[5]: " + textTwice,
		}},
		{`["penshop", "com.example.pens"]`, `[]`, nil},
		{`https://shop.example/callback`, `https://user:word@shop.example:8443/callback`, nil},
		{`https://shop.example/callback`, `https://shop.example:0/callback`,
			[]string{"notification_url: " + requesttest.BadURL}},
		{`"pay_limit": 3`, `"pay_limit": -3`, []string{mapping + "pay_limit: " + more}},
		{`"pay_limit": 3`, `"pay_limit": 1000001`, []string{mapping + "pay_limit: This value should be 1000000 or less."}},
		{`"FR": "5.5"`, `"FR": "-1", "XX": "1", "GB": "", "IT": "101"`, []string{
			mapping + "vat_rates.FR: " + rate, mapping + "vat_rates.GB: " + requesttest.Blank,
			mapping + "vat_rates.IT: " + rate, mapping + "vat_rates.XX: " + requesttest.Choice,
		}},

		{`"a", "channel_id": "0123456789abcdef"`, `"", "channel_id": "0123456789abcdefg"`,
			[]string{mid + "name: " + requesttest.Blank,
				mid + "channel_id: " + requesttest.NotValid + " It should have at most 16 characters."}},
		{`"name": "b"`, `"name": "a"`, []string{mid1 + "name: " + textTwice}},
		{`"connector": "bank", "methods": ["card"]`, `"connector": "", "methods": []`,
			[]string{mid1 + "connector: " + requesttest.Blank, mid1 + "methods: " + requesttest.Blank}},
		{`"connector": "bank", "methods": ["card"]`, `"connector": "bnak", "methods": ["card"]`,
			[]string{mid1 + "connector: " + requesttest.Choice}},
		{`"connector": "bank", "methods": ["card"]`, `"connector": "sandbox", "methods": ["card"]`,
			[]string{mid1 + "connector: " + textSandbox}},
		{`"methods": ["card", "crypto"]`, `"methods": ["card", "cash", ""]`,
			[]string{mid + "methods[1]: " + requesttest.Choice, mid + "methods[2]: " + requesttest.Blank}},
		{`["EUR", "BTC"]`, `["eur", "EUR", "EUR"]`,
			[]string{mid + "currencies[0]: " + requesttest.Choice, mid + "currencies[2]: " + textTwice}},
		{`"weight": 3`, `"offline_expiry": -1`, []string{mid + "offline_expiry: " + more}},
		{`"weight": 3`, `"offline_expiry": 721`, []string{mid + "offline_expiry: This value should be 720 or less."}},
		{`"weight": 3`, `"offline_expiry": 720`, nil},
		{`"weight": 3`, `"networks": ["visa", "amex"]`, nil},
		{`"weight": 3`, `"networks": ["visa", "Visa", "visa"]`, []string{
			mid + "networks[1]: " + requesttest.Choice, mid + "networks[2]: " + textTwice,
		}},
		{`"weight": 3`, `"names": {"card": "Pen card"}`, nil},
		{`"weight": 3`, `"names": {"card": "` + strings.Repeat("x", 41) + `"}`, []string{mid + "names.card: " + badName}},
		{`"weight": 3`, `"names": {"card": "Pen 4111 1111 1111 1111"}`, []string{mid + "names.card: " + badName}},
		{`"weight": 3`, `"names": {"card": "Pen\ncard", "voucher": " "}`, []string{mid + "names.card: " + badName,
			mid + "names.voucher: " + requesttest.Blank, mid + "names.voucher: " + requesttest.Choice}},
		{`"weight": 3`, `"offers": [{"method": "card", "countries": ["DE"]}, {"method": "crypto", "currencies": ["USD"]}]`,
			nil},
		{`"weight": 3`, `"offers": [{"method": "card", "countries": ["XX"], "currencies": ["x"]}, {"method": "voucher"},
			{"method": "card"}, {"countries": ["DE"]}]`, []string{
			mid + "offers[0].countries[0]: " + requesttest.Choice, mid + "offers[0].currencies[0]: " + requesttest.Choice,
			mid + "offers[1].method: " + requesttest.Choice, mid + "offers[2].method: " + textTwice,
			mid + "offers[3].method: " + requesttest.Blank,
		}},
		{`"methods": ["card", "crypto"]`, `"methods": ["card", "cash_mx"],
			"offers": [{"method": "cash_mx", "countries": ["MX", "DE"]}]`,
			[]string{mid + "offers[0].countries[1]: " + requesttest.Choice}},
		{`["purchase", "credit"]`, `["refund"]`, []string{mid + "operations[0]: " + requesttest.Choice}},
		{`"min": "1", "max": "1000"`, `"min": "1000.01", "max": "1000"`,
			[]string{mid + "limits[0].min: " + requesttest.NotValid + " It is more than max."}},
		{`"min": "1", "max": "1000"`, `"min": "1,0", "max": "-5"`,
			[]string{mid + "limits[0].min: " + euros, mid + "limits[0].max: " + requesttest.NotAbove}},
		{`{"currency": "JPY", "max": "5"}`, `{"currency": "EUR", "max": "5.001"}`,
			[]string{mid + "limits[1].currency: " + textTwice, mid + "limits[1].max: " + euros}},
		{`{"currency": "JPY"`, `{"currency": "yen"`, []string{mid + "limits[1].currency: " + requesttest.Choice}},
		{`"DMS"`, `"dms"`, []string{mid + "capture_type: " + requesttest.Choice}},
		{`"weight": 3`, `"weight": -3`, []string{mid + "weight: " + more}},

		{`"operations": ["purchase"], "currencies": ["EUR"], "countries": ["DE"]`,
			`"operations": ["x"], "currencies": ["x"], "countries": ["x"]`, []string{
				rule + "operations[0]: " + requesttest.Choice,
				rule + "currencies[0]: " + requesttest.Choice,
				rule + "countries[0]: " + requesttest.Choice,
			}},
		{`"currencies": ["EUR"], "countries"`, `"currencies": ["EUR", "PLN"], "countries"`,
			[]string{rule + "currencies: " + oneCurrency}},
		{`"currencies": ["EUR"], `, ``, []string{rule + "currencies: " + oneCurrency}},
		{`"min_amount": "1", "max_amount": "1.00"`, `"min_amount": "2", "max_amount": "1.00"`,
			[]string{rule + "min_amount: " + requesttest.NotValid + " It is more than max_amount."}},
		{`"methods": ["crypto", "card"]`, `"methods": []`, []string{rule + "methods: " + requesttest.Blank}},
		{`{"methods": ["card"]}`, `{"methods": ["x"]}`,
			[]string{"mappings[0].pre_routing[1].methods[0]: " + requesttest.Choice}},

		{`"interval_length": 1,`, ``, []string{"schedules[0].interval_length: This value should be 1 or more."}},
		{`"interval_length": 1,`, `"interval_length": 367,`,
			[]string{"schedules[0].interval_length: This value should be 366 or less."}},
		{`"interval_unit": "month"`, `"interval_unit": "week"`,
			[]string{"schedules[0].interval_unit: " + requesttest.Choice}},
		{`"interval_unit": "month"`, `"interval_unit": "day"`,
			[]string{"schedules[0].day_of_month: " + requesttest.NotValid + " It needs the interval_unit month."}},
		{`, "interval_unit": "day"`, ``, []string{"schedules[1].interval_unit: " + requesttest.Blank}},
		{`"day_of_month": 31`, `"day_of_month": 32`, []string{"schedules[0].day_of_month: This value should be 31 or less."}},
		{`"payments_count": 12, "delays": 1`, `"payments_count": -1, "delays": -1`,
			[]string{"schedules[0].payments_count: " + more, "schedules[0].delays: " + more}},
		{`{"id": "d"`, `{"id": "m"`, []string{"schedules[1].id: " + textTwice}},
		{`{"id": "d"`, `{"id": ""`, []string{"schedules[1].id: " + requesttest.Blank}},

		{`"forms": [`, `"forms": [{"id": "0F8FAD5B-d9cb-469f-a165-70867728950e"}, `, []string{"forms[1].id: " + textTwice}},
		{`"0f8fad5b-`, `"0f8fad5b`, []string{"forms[0].id: " + requesttest.NotValid + " It should be a UUID."}},
		{`["payer_phone"]`, `["payee_card"]`, []string{"forms[0].required_fields[0]: " + requesttest.Choice}},
		{`"payer_state", "payer_city"]`, `"payer_card", "payer_phone", "payer_country"]`, []string{
			"forms[0].optional_fields[1]: " + requesttest.Choice, "forms[0].optional_fields[3]: " + textTwice,
			"forms[0].optional_fields[2]: " + textTwice}},
		{`["payer_phone", "payer_card", "payer_country"`, `["payer_phone", "payer_phone", "payer_cvv"`, []string{
			"forms[0].order[1]: " + textTwice, "forms[0].order[2]: " + requesttest.Choice,
			"forms[0].order: " + requesttest.NotValid + " The country has to stand before its state."}},
		{`"order": ["payer_phone"`, `"order": ["document_number"`, nil},
		{`"order": ["payer_phone"`, `"order": ["pin"`, []string{"forms[0].order[0]: " + requesttest.Choice}},
		{`"labels": {"payer_phone"`, `"labels": {"document_number"`, nil},
		{`"labels": {"payer_phone"`, `"labels": {"payer_card"`,
			[]string{"forms[0].labels.payer_card: " + requesttest.Choice}},
		{`"en": "Phone for the courier"`, `"en": " "`, []string{"forms[0].labels.payer_phone.en: " + requesttest.Blank}},
		{`"en": "Phone for the courier"`, `"it": "Telefono"`,
			[]string{"forms[0].labels.payer_phone.it: " + requesttest.Choice}},
		{`Phone for the courier`, strings.Repeat("é", 65), []string{"forms[0].labels.payer_phone.en: " + label}},
		{`Phone for the courier`, `Phone\u202e`, []string{"forms[0].labels.payer_phone.en: " + label}},
		{`"legal_name": "The Pen Club"`, `"accent": "red"`, []string{
			"forms[0].branding.accent: " + requesttest.NotValid + " It should be a colour such as #0a7d4f."}},
	} {
		text := strings.Replace(validMerchant, test.old, test.new, 1)
		if text == validMerchant {
			t.Errorf("%s is not in the merchant", test.old)
		}
		if got := merchantFaults(t, text); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", test.new, got, test.want)
		}
	}
	if got := merchantFaults(t, `{"mappings":[{"mids":[{"weight":-1}]}]}`); len(got) != 10 {
		t.Errorf("not every problem at once: %q", got)
	}
}
