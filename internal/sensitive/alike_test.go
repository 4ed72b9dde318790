package sensitive

import (
	"strings"
	"testing"

	"checkout/internal/method/value"
)

// withCheckDigit returns a text of digits and hyphens whose first 16 digits pass the check of card numbers: of its last
// digit before a mark, which it replaces.
func withCheckDigit(t *testing.T, text string) string {
	t.Helper()
	for _, digit := range "0123456789" {
		made := strings.Replace(text, "?", string(digit), 1)
		begin := strings.LastIndex(text[:strings.Index(text, "?")], "|") + 1
		if value.Luhn(digitsOf(made[begin : strings.Index(text, "?")+1])) {
			return strings.ReplaceAll(made, "|", "")
		}
	}
	t.Fatalf("%s has no check digit", text)
	return ""
}

// Random ids that look like the number of a card, or like its security code, are ids: in a text, as a whole, and
// whatever the payment's own code is. A card's number beside them is found, and so is the payment's own within one.
func TestIDsThatLookAlike(t *testing.T) {
	knows := NewFinder([]string{"9173", "917"}, nil)
	for _, id := range []string{
		withCheckDigit(t, "41111111-1111-411?-8abc-abcdefabcdef"),  // the first 16 digits, of Visa
		withCheckDigit(t, "51051051-0510-410?-9abc-abcdefabcdef"),  // Mastercard
		withCheckDigit(t, "abcdefab-cdef-4abc-|8111-11111111111?"), // the last 16, of UnionPay
		strings.ToUpper(withCheckDigit(t, "41111111-1111-811?-babc-abcdefabcdef")),
		"1b2c3d4e-9173-4abc-8def-001122334455", "00000000-9173-8917-9173-000000000917", // groups like a code
		"01234567-0123-8123-8123-012345678901", "20301231-2359-4959-8000-000000000000", // digits alone, a time
		"915058018190", "1700000000000", "12345678901234567890", "1e5", // an RRN, a time, a longer number, a number
		strings.Repeat("4", 64), strings.Repeat("1", 32), // hex digits that are decimal
	} {
		text := "Payment " + id + " is unknown."
		if HasCard(id) || HasCard(text) || HasCode(id) || knows.Has(id) {
			t.Errorf("%s is taken for a secret: card %v, code %v, own %v", id, HasCard(id), HasCode(id), knows.Has(id))
		}
		if got := knows.Mask(text); got != text {
			t.Errorf("%q is masked: %q", text, got)
		}
	}
	if HasCard("1700000000004") { // milliseconds since 1970 that pass the check of card numbers
		t.Error("a time is taken for the number of a card")
	}
	id := withCheckDigit(t, "41111111-1111-411?-8abc-abcdefabcdef")
	for _, secret := range []string{"4012888888881881", "4012-8888-8888-1881", "cvv 917", "9173"} {
		for _, text := range []string{id + " " + secret, secret + ", " + id, id + ": " + secret + ", " + id} {
			if got := knows.Mask(text); strings.Contains(got, secret) || !strings.Contains(got, id) {
				t.Errorf("%q is masked as %q", text, got)
			}
		}
	}
	own := NewFinder([]string{"4012888888881881"}, nil)
	if text := "40128888-8888-1881-8abc-abcdefabcdef"; !own.Has(text) || own.Mask(text) == text {
		t.Errorf("the payment's own number is not found in %s", text)
	}
}
