package handle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/operator/listing"
)

// What a person types is understood as it is meant, and the words say how.
func TestParse(t *testing.T) {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 28, 0, 30, 0, 0, oslo) // still the 27th in UTC
	for typed, want := range map[string]string{
		"A-1": "A-1", " A-1 ": "A-1", "The trip 2026": "The trip 2026", "1/2": "1/2", "may": "may | approval code",
		// Days.
		"A-1 2026-11-23":        "A-1 @2026-11-23",
		"4242 23.11.2026":       "4242 @2026-11-23 | card that ends with 4242, or amount of 4242, or approval code",
		"4242, 23. 11. 2026":    "4242 @2026-11-23 | card that ends with 4242, or amount of 4242, or approval code",
		"4242 11/23/2026":       "4242 @2026-11-23 | card that ends with 4242, or amount of 4242, or approval code",
		"4242 23/11/2026":       "4242 @2026-11-23 | card that ends with 4242, or amount of 4242, or approval code",
		"4242 5/5/2026":         "4242 @2026-05-05 | card that ends with 4242, or amount of 4242, or approval code",
		"4242 5/6/2026":         "4242 5/6/2026 ? 5/6/2026 can be 5 June or 6 May. Write 2026-06-05 or 2026-05-06.",
		"10.00 EUR on 28 Nov":   "10.00 EUR @2026-11-28 | amount of 10.00 EUR",
		"10.00 EUR 29 nov":      "10.00 EUR @2025-11-29 | amount of 10.00 EUR",
		"10.00 Nov 3rd, 2024":   "10.00 @2024-11-03 | amount of 10.00",
		"10.00 3rd November":    "10.00 @2026-11-03 | amount of 10.00",
		"28.11. ada@pens.exam":  "ada@pens.exam @2026-11-28",
		"ada@pens.exam 29 Feb":  "ada@pens.exam @2024-02-29",
		"Today 12.50":           "12.50 @2026-11-28 | amount of 12.50",
		"12.50 yesterday":       "12.50 @2026-11-27 | amount of 12.50",
		"yesterday":             "@2026-11-27 | day 2026-11-27",
		"2026-11-23":            "@2026-11-23 | day 2026-11-23",
		"4242 2026-02-30":       "4242 2026-02-30",
		"4242 30.02.":           "4242 30.02.",
		"pens 13/13/2026":       "pens 13/13/2026",
		`"The trip 2026-11-23"`: "The trip 2026-11-23",
		"“4242”":                "4242",
		// Amounts.
		"$10.00":       "$10.00 | amount of 10.00 in USD, CAD, AUD, NZD, MXN, SGD, HKD, ARS, CLP or COP",
		"US$ 10":       "US$ 10 | amount of 10 USD",
		"10,00 EUR":    "10,00 EUR | amount of 10.00 EUR",
		"eur10":        "eur10 | amount of 10 EUR, or approval code",
		"10 €":         "10 € | amount of 10 EUR",
		"1,234.50":     "1,234.50 | amount of 1234.50",
		"1.234,50 €":   "1.234,50 € | amount of 1234.50 EUR",
		"1 234 567,5":  "1 234 567,5 | amount of 1234567.5",
		"1'234.50 CHF": "1'234.50 CHF | amount of 1234.50 CHF",
		"1,234":        "1,234 | amount of 1.234 or 1234",
		"1.234.567":    "1.234.567 | amount of 1234567",
		"EUR 10 USD":   "EUR 10 USD", "1,23,4": "1,23,4", "10.": "10.",
		"12.50 EUR x": "12.50 EUR x",
		// Cards.
		"424242******4242":    "424242******4242 | card that begins with 424242 and ends with 4242",
		"4242 42** **** 4242": "4242 42** **** 4242 | card that begins with 424242 and ends with 4242",
		"··4242":              "··4242 | card that ends with 4242",
		"Visa •••• 4242":      "Visa •••• 4242 | card that ends with 4242",
		"**** 4242 28 Nov":    "**** 4242 @2026-11-28 | card that ends with 4242",
	} {
		h := Parse(typed, now)
		got := h.Text
		if h.Day != (Day{}) {
			got = strings.TrimSpace(got + " @" + h.Day.From.Format(time.DateOnly))
			if h.Day.From.Location() != oslo || h.Day.Until != h.Day.From.AddDate(0, 0, 1) {
				t.Errorf("%q is of the day %+v", typed, h.Day)
			}
		}
		if h.InRows() {
			got += " | " + strings.TrimSuffix(h.RowWords(), ", on "+h.Day.From.Format(time.DateOnly))
		}
		if h.Ask != "" {
			got += " ? " + h.Ask
		}
		if got != want || h.Order != "" {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
	}
}

// An address of the checkout page or of the operators' page leads to what it shows, and so does an id within one.
func TestParseAddress(t *testing.T) {
	const payment = "01939f2a-7c00-8abc-9def-0123456789ab"
	session := strings.Repeat("0123456789abcdef", 4)
	for typed, want := range map[string]string{
		"https://pay.example/?session=" + session:                    session,
		"https://pay.example/?session=" + session + "&lang=de#x":     session,
		"http://127.0.0.1:4000/#/payments/" + payment + "?mode=test": payment,
		"localhost:3000/?session=" + session[:32]:                    session[:32],
		"https://shop.example/orders/5":                              "https://shop.example/orders/5",
		"order " + payment:                                           "order " + payment,
	} {
		if h := Parse(typed, time.Unix(0, 0)); h.Text != want || h.Whole != want {
			t.Errorf("%q: %q of %q", typed, h.Text, h.Whole)
		}
	}
}

// Names, phone numbers and addresses are found however they are written; what is in quotes is taken as it is.
func TestListed(t *testing.T) {
	for typed, listed := range map[string]string{
		"ada  LOVELACE": listing.NameHandle("Ada Lovelace"), "Lovelace, Ada": listing.NameHandle("Ada Lovelace"),
		"+49 (176) 123-45 67": listing.PhoneHandle("491761234567"), "0049 176 1234567": listing.PhoneHandle("+491761234567"),
		"0176/1234567": listing.PhoneHandle("1761234567"), "2001:DB8:0::1": listing.IPHandle("2001:db8::1"),
		"::ffff:192.0.2.1": listing.IPHandle("192.0.2.1"), `"Ada Lovelace"`: listing.Handle("ada lovelace"),
	} {
		if all := fmt.Sprint(Parse(typed, time.Unix(0, 0)).Listed()); listed == "" || !strings.Contains(all, listed) {
			t.Errorf("%q is looked up by %s", typed, all)
		}
	}
	if all := Parse(`"Lovelace Ada"`, time.Unix(0, 0)).Listed(); len(all) != 1 {
		t.Errorf("what is in quotes is looked up by %v", all)
	}
}

// A row fits by its card, amount or approval code, each alone.
func TestFits(t *testing.T) {
	row := listing.Row{Card: "424242******1111", Amount: "1234.50", Currency: "EUR", ApprovalCode: "oK12"}
	for typed, fits := range map[string]bool{
		"1111": true, "424242 ****** 1111": true, "4242** 1111": true, "424243******1111": false, "4242": false,
		"1.234,50": true, "€1234.5": true, "$1234.50": false, "1234.51": false, "ok12": true, "ok13": false,
		"1970-01-01": true, "pens": false,
	} {
		if h := Parse(typed, time.Unix(0, 0).UTC()); h.Fits(row) != fits {
			t.Errorf("%q: %t", typed, !fits)
		}
	}
}
