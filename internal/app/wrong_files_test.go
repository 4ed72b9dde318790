package app_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/internal/app"
)

// wrongFile is a file of merchants as careful people write it.
const wrongFile = `[
  {
    "id": "pens",
    "name": "The Pen Shop",
    "live_key": "live-1",
    "password": "password-1",
    "notification_url": "https://pens.example/callback",
    "rate_limit": 100,
    "callback_json": true,
    "mappings": [
      {
        "name": "default",
        "max_declines": 2,
        "required_fields": ["payer_email"],
        "language": "de",
        "vat_rates": {"DE": "19"},
        "pre_routing": [
          {"currencies": ["EUR"],
           "min_amount": "5", "methods": ["card"]}
        ],
        "compatibility": {"preset": "plugin"},
        "mids": [
          {
            "name": "bank",
            "connector": "adapter",
            "methods": ["card"],
            "currencies": ["EUR"],
            "capture_type": "SMS",
            "weight": 1,
            "limits": [{"currency": "EUR", "max": "100.00"}],
            "credentials": {"url": "https://bank.example", "key": "bank-key", "secret": "bank-secret"}
          }
        ]
      }
    ],
    "schedules": [{"id": "monthly", "interval_length": 1, "interval_unit": "month"}]
  }
]
`

// Each fault of a file names its line, its place, the value and what it may be. No secret is in it.
func TestFaultsOfFiles(t *testing.T) {
	const mapping, mid = "mappings[default].", "mappings[default].mids[bank]."
	const choice = " The value you selected is not a valid choice."
	for _, test := range []struct{ old, new, want string }{
		{`"name": "The Pen`, `"nmae": "The Pen`, `nmae: There is no such setting. Did you mean "name"? Choices: `},
		{`"rate_limit"`, `"Rate_Limit"`, `Rate_Limit: There is no such setting. Did you mean "rate_limit"?`},
		{`"max_declines"`, `"max_decline"`,
			mapping + `max_decline: There is no such setting. Did you mean "max_declines"?`},
		{`"mids": [`, `"mid": [`, mapping + `mid: There is no such setting. Did you mean "mids"?`},
		{`"weight"`, `"wieght"`, mid + `wieght: There is no such setting. Did you mean "weight"?`},
		{`"preset"`, `"persets"`,
			mapping + `compatibility.persets: There is no such setting. Did you mean "preset"?`},
		{`"rate_limit": 100`, `"rate_limit": "100"`,
			`rate_limit: It should be a whole number, without quotation marks. It is "100".`},
		{`"rate_limit": 100`, `"rate_limit": 1.5`,
			`rate_limit: It should be a whole number, without quotation marks. It is 1.5.`},
		{`"rate_limit": 100`, `"rate_limit": -1`, `rate_limit: This value should be 0 or more. It is -1.`},
		{`"callback_json": true`, `"callback_json": "yes"`,
			`callback_json: It should be true or false, without quotation marks. It is "yes".`},
		{`"methods": ["card"],`, `"methods": "card",`,
			mid + `methods: It should be a list in square brackets. It is "card".`},
		{`"max": "100.00"`, `"max": 100.00`,
			mid + `limits[0].max: It should be a text in quotation marks. It is 100.00.`},
		{`"connector": "adapter"`, `"connector": "adaptor"`,
			mid + "connector:" + choice + ` It is "adaptor". Did you mean "adapter"? Choices: adapter, `},
		{`"methods": ["card"],`, `"methods": ["cards"],`,
			mid + "methods[0]:" + choice + ` It is "cards". Did you mean "card"?`},
		{`"currencies": ["EUR"],` + "\n            \"cap", `"currencies": ["EURO"],` + "\n            \"cap",
			mid + "currencies[0]:" + choice + ` It is "EURO". Did you mean "EUR"?`},
		{`"capture_type": "SMS"`, `"capture_type": "sms"`,
			mid + "capture_type:" + choice + ` It is "sms". Did you mean "SMS"? Choices: SMS/DMS, SMS, DMS.`},
		{`"max": "100.00"`, `"max": "1,00"`, mid + "limits[0].max: This value is not valid."},
		{`"url": "https://bank.example"`, `"url": "bank.example"`, mid + "credentials.url: " +
			`This value is not valid. It should be an https address such as https://api.provider.example. ` +
			`It is "bank.example".`},
		{`"key": "bank-key"`, `"api_key": "bank-key"`, mid + "credentials.api_key: " +
			"This value is not valid. " +
			`The connector adapter has no such credential. It is "api_key". Did you mean "key"? Choices: `},
		{`"key": "bank-key"`, `"key": 12345`,
			mid + "credentials.key: It should be a text in quotation marks."},
		{`["payer_email"]`, `["email"]`,
			mapping + "required_fields[0]:" + choice + ` It is "email". Did you mean "payer_email"?`},
		{`"language": "de"`, `"language": "german"`, mapping + "language:" + choice + ` It is "german".`},
		{`"DE": "19"`, `"GER": "19"`, mapping + "vat_rates.GER:" + choice + ` It is "GER".`},
		{`"preset": "plugin"`, `"preset": "plug-in"`,
			mapping + "compatibility.preset:" + choice + ` It is "plug-in". Did you mean "plugin"?`},
		{`"interval_unit": "month"`, `"interval_unit": "week"`,
			"schedules[monthly].interval_unit:" + choice + ` It is "week". Choices: day, month.`},
		{`"notification_url": "https://`, `"notification_url": "`,
			`notification_url: This value is not a valid URL. It is "pens.example/callback".`},
		{`"id": "pens"`, `"id": "The Pens"`, `id: This value is not valid. It should have 1 to 32 characters of ` +
			`a-z, 0-9, _ and -. It is "The Pens".`},
	} {
		_, operator := newOperator(t)
		operator.LocalRun = false
		before, _, found := strings.Cut(wrongFile, test.old)
		text, want := strings.Replace(wrongFile, test.old, test.new, 1),
			fmt.Sprintf(", line %d: %s", strings.Count(before, "\n")+1, test.want)
		_, err := app.LoadMerchants(t.Context(), operator, []byte(text), "")
		if err == nil || !found || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", test.new, err, want)
			continue
		}
		for _, secret := range []string{"password-1", "bank-key", "bank-secret", "12345"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %s is shown", test.new, secret)
			}
		}
	}
}

// All faults of a file come at once, of each kind.
func TestAllFaultsAtOnce(t *testing.T) {
	_, operator := newOperator(t)
	text := strings.NewReplacer(`"name": "The Pen Shop"`, `"nmae": "x"`, `100,`, `"100",`, `["EUR"],`, `["EURO"],`,
		`"weight": 1`, `"weight": 1, "weight": 2`).Replace(wrongFile)
	_, err := app.LoadMerchants(t.Context(), operator, []byte(text), "")
	for _, part := range []string{
		"line 4: nmae", "line 8: rate_limit", "currencies[0]", `line 29: "weight" is on line 29 already`,
	} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v\nhas no %s", err, part)
		}
	}
}

// What can't be read at all names its line.
func TestFilesThatAreNoJSON(t *testing.T) {
	for text, want := range map[string]string{
		wrongFile[:strings.LastIndex(wrongFile, "]")]:                "line 37: the text ends too early",
		strings.Replace(wrongFile, `"live-1",`, `"live-1"`, 1):       "line 6: invalid character",
		strings.Replace(wrongFile, `"live-1",`, `"live-1"`, 1) + " ": "a comma or a colon may be missing before it",
		"[\n  # pens\n]":                                           "line 2: invalid character '#'",
		"[\n  # pens\n] ":                                          "JSON has no comments",
		strings.ReplaceAll(wrongFile, `"`, `'`):                    "texts and names stand in double quotation marks",
		"[{\"id\": \"pens\",\n\n}]":                                "line 3: invalid character '}'",
		"[{\"id\": \"pens\",\n\n}] ":                               "there is a comma too many before it",
		strings.Replace(wrongFile, `"id": "pens",`, ``, 1):         "line 2: merchant 1 of the list has no id",
		strings.Replace(wrongFile, `"id": "pens"`, `"id": 123`, 1): "line 2: merchant 1 of the list has no id",
		`["pens"]`: "line 1: merchant 1 of the list should be an object",
		`"pens"`:   "the file should have a JSON list of merchants",
		`null`:     "the file should have a JSON list of merchants",
	} {
		_, operator := newOperator(t)
		_, err := app.LoadMerchants(t.Context(), operator, []byte(text), "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
