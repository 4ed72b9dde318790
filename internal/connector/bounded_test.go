package connector

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/screen"
)

func TestPrintable(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"Declined: Straße 東京 😀", "Declined: Straße 東京 😀"},
		{"a\x00b\r\nc\td\x7f", "a b  c d "},
		{"a\xff\xfeb\u200b\u202e", "a??b??"},
		{"12345678901234567890123456789", "1234567890123456789012345"},
		{strings.Repeat("ü", 99), strings.Repeat("ü", 25)},
		{strings.Repeat("\x01", 65536), strings.Repeat(" ", 25)},
	} {
		if got := fault.Printable(test.text, 25); got != test.want {
			t.Errorf("printable(%.40q) is %q, want %q", test.text, got, test.want)
		}
	}
}

func TestResultIsBounded(t *testing.T) {
	long := strings.Repeat("ü", maxResultText)
	whole := Result{Reason: long, ProviderData: ProviderData{ProviderID: long, RRN: "r-1"}}
	if got := whole.Bounded(); !reflect.DeepEqual(got, whole) {
		t.Errorf("a result within the limits became %+v", got)
	}
	r := Result{
		Reason:       long + "\x00",
		ProviderData: ProviderData{ProviderID: long + "1", ExtraID: "a\nb", IssuerBank: "\xff"},
	}
	got := r.Bounded()
	if utf8.RuneCountInString(got.Reason) != maxResultText || got.ProviderData != (ProviderData{}) {
		t.Errorf("a result beyond the limits became %+v", got)
	}
}

func TestActionIsBounded(t *testing.T) {
	longAddress := screen.Shown{ID: "crypto_address", Value: strings.Repeat("a", MaxLink)}
	options := FormField{ID: "bankDetails.account", Options: make([]FieldOption, 2000)}
	for i := range options.Options {
		options.Options[i].Value = strings.Repeat("a", 200)
	}
	shown := func(kind screen.ShownType, value string) RequiredAction {
		return RequiredAction{Kind: ActionPending, Show: []screen.Shown{{ID: "crypto_address", Type: kind, Value: value}}}
	}
	for _, good := range []RequiredAction{
		shown(screen.ShownQR, "BCD\n002\n1"), shown(screen.ShownText, "ä\u00a0ö"), shown(screen.ShownCopy, "Ana\u00a0Paz"),
		{Kind: ActionRedirect, URL: "http://127.0.0.1:1/pay"}, {Kind: Action3DS, URL: "https://bank.example/3ds"},
		{URL: "https://bank.example/" + strings.Repeat("a", 2000)},
	} {
		if _, err := good.Showable("card", method.Purchase, true); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	isolated := shown(screen.ShownText, "pay \u2066abc\u2069\n")
	got, err := isolated.Showable("card", method.Purchase, true)
	if err != nil || got.Show[0].Value != "pay ?abc? " {
		t.Errorf("a text became %+v, %v", got, err)
	}
	for name, action := range map[string]RequiredAction{
		"script":          {Kind: ActionRedirect, URL: "javascript:alert(1)"},
		"data":            {Kind: Action3DS, URL: "data:text/html,<script>alert(1)</script>"},
		"app":             {Kind: ActionRedirect, URL: "intent://scan/#Intent;scheme=zxing;end"},
		"our own page":    {Kind: ActionRedirect, URL: "/page/v1/other"},
		"no host":         {Kind: ActionRedirect, URL: "https:///x"},
		"no address":      {Kind: Action3DS},
		"user in it":      {Kind: ActionRedirect, URL: "https://bank.example@evil.example/"},
		"backslash":       {Kind: ActionRedirect, URL: `https://bank.example/a\b`},
		"line":            {Kind: Action3DS, URL: "https://bank.example/a\u2028b"},
		"unseen":          {Kind: ActionRedirect, URL: "https://bank.example/a\u200bb"},
		"turned around":   {Kind: ActionRedirect, URL: "https://bank.example/a\u202eb"},
		"space":           {Kind: ActionRedirect, URL: "https://bank.example/a b"},
		"markup":          {Kind: ActionRedirect, URL: "https://bank.example/<b>"},
		"port 0":          {Kind: Action3DS, URL: "https://bank.example:0/"},
		"port 65536":      {Kind: ActionPending, URL: "https://bank.example:65536/"},
		"no name":         {Kind: ActionRedirect, URL: "https://./"},
		"right to left":   shown(screen.ShownCopy, "tb1q\u202eabc"),
		"control":         shown(screen.ShownCopy, "tb1q\x00"),
		"many options":    {Kind: ActionPending, Fields: []FormField{options}},
		"many characters": {Kind: ActionPending, Show: slices.Repeat(shown("qr", strings.Repeat("<", 8000)).Show, 10)},
		"long link":       {URL: strings.Repeat("a", MaxLink+1)},
		"long value":      {Show: []screen.Shown{longAddress}},
		"many entries":    {Show: make([]screen.Shown, maxShown+1)},
	} {
		if got, err := action.Showable("card", method.Purchase, true); err == nil {
			t.Errorf("%s: became %+v", name, got)
		}
	}
}
