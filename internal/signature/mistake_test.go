package signature

import (
	"strings"
	"testing"
)

// Every mistake that shops make is named by what differs, and no text about it has the password or a hash.
func TestMistakes(t *testing.T) {
	const merchantKey, number = "test-key", "order-1234"
	k := Key{Password: "Secret-Pass"}
	parts := []string{number, "10", "USD", "Pens & more"}
	text := "ORDER-123410USDPENS & MORESECRET-PASS"
	sign := func(text string) string { return Key{}.Digest([]byte(text)) }
	for name, test := range map[string]struct{ hash, differs, text string }{
		"as it is":         {sign("order-123410USDPens & moreSecret-Pass"), MistakeText, "The text is not in upper case."},
		"lower case":       {sign(strings.ToLower(text)), MistakeText, "The text is in lower case."},
		"md5 alone":        {md5Hex([]byte(text)), MistakeHash, "It is md5_hex(text), without SHA-1."},
		"without md5":      {strings.ToUpper(sha1Hex([]byte(text))), MistakeHash, "It is sha1_hex(text), without MD5."},
		"sha256":           {Key{SHA256: true}.Digest([]byte(text)), MistakeHash, "It is sha1_hex(sha256_hex(text))."},
		"upper md5":        {sha1Hex([]byte(strings.ToUpper(md5Hex([]byte(text))))), MistakeHash, "MD5 in upper case."},
		"short":            {"5eb63bbbe01eeed093cb22bb8f5acdc3", MistakeHash, "It should have 40 hexadecimal digits"},
		"formatted amount": {sign("ORDER-123410.00USDPENS & MORESECRET-PASS"), MistakeText, `It has "10.00" for "10".`},
		"minor units":      {sign("ORDER-12341000USDPENS & MORESECRET-PASS"), MistakeText, `It has "1000" for "10".`},
		"encoded":          {sign("ORDER-123410USDPENS &AMP; MORESECRET-PASS"), MistakeText, `It has "Pens &amp; more" for`},
		"missing field":    {sign("ORDER-1234USDPENS & MORESECRET-PASS"), MistakeText, `"10" is not in the text.`},
		"other order": {sign("ORDER-123410PENS & MOREUSDSECRET-PASS"), MistakeText,
			`The fields are in another order: "order-1234", "10", "Pens & more", "USD".`},
		"separators":       {sign("ORDER-1234|10|USD|PENS & MORE|SECRET-PASS"), MistakeText, `are joined with "|".`},
		"without password": {sign("ORDER-123410USDPENS & MORE"), MistakePassword, "The password is not in the text."},
		"password first":   {sign("SECRET-PASSORDER-123410USDPENS & MORE"), MistakePassword, "before the fields."},
		"key for password": {sign("ORDER-123410USDPENS & MORETEST-KEY"), MistakeKey, "in the place of the password."},
		"key, too":         {sign("TEST-KEY" + text), MistakeKey, "The merchant_key is in the text, too."},
		"other password":   {sign("ORDER-123410USDPENS & MOREANOTHER"), "", ""},
	} {
		got := k.Mistake(test.hash, merchantKey, parts)
		if got.Differs != test.differs || !strings.Contains(got.Text, test.text) {
			t.Errorf("%s: %+v", name, got)
		}
		if strings.Contains(strings.ToUpper(got.Text), "SECRET") || strings.Contains(got.Text, k.Sign(parts...)) {
			t.Errorf("%s: the text has a secret: %s", name, got.Text)
		}
	}
	if got := k.Mistake(sign(text), merchantKey, []string{number, "10.00", "USD", "Pens & more"}); got.Text !=
		`It has "10" for "10.00".` {
		t.Errorf("10.00 was sent and 10 signed: %+v", got)
	}
}
