package checkout

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"checkout/internal/request"
	"checkout/internal/screen"
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
		if got := request.Printable(test.text, 25); got != test.want {
			t.Errorf("printable(%.40q) is %q, want %q", test.text, got, test.want)
		}
	}
}

func TestResultIsBounded(t *testing.T) {
	long := strings.Repeat("ü", maxResultText)
	whole := Result{
		Reason:         long,
		ProviderData:   ProviderData{ProviderID: long, RRN: "r-1"},
		RequiredAction: &RequiredAction{URL: "https://bank.example/" + strings.Repeat("a", 2000)},
	}
	if got, err := whole.bounded(); err != nil || !reflect.DeepEqual(got, whole) {
		t.Errorf("a result within the limits became %+v, %v", got, err)
	}
	r := Result{
		Reason:       long + "\x00",
		ProviderData: ProviderData{ProviderID: long + "1", ExtraID: "a\nb", IssuerBank: "\xff"},
	}
	got, err := r.bounded()
	if err != nil || utf8.RuneCountInString(got.Reason) != maxResultText || got.ProviderData != (ProviderData{}) {
		t.Errorf("a result beyond the limits became %+v, %v", got, err)
	}
	longAddress := screen.Shown{ID: "crypto_address", Value: strings.Repeat("a", maxLink)}
	for name, action := range map[string]RequiredAction{
		"long link":    {URL: strings.Repeat("a", maxLink+1)},
		"long value":   {Show: []screen.Shown{longAddress}},
		"many entries": {Show: make([]screen.Shown, maxShown+1)},
	} {
		if got, err := (Result{RequiredAction: &action}).bounded(); err == nil {
			t.Errorf("%s: became %+v", name, got)
		}
	}
}
