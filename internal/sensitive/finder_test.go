package sensitive

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
)

const number = "4012888888881881"

// spelled are ways to write a number or another secret, beside what is different for both.
func spelled(secret string) map[string]string {
	each := func(format string) (text string) {
		for _, c := range []byte(secret) {
			text += fmt.Sprintf(format, c)
		}
		return text
	}
	return map[string]string{
		"plain":           secret,
		"hex":             hex.EncodeToString([]byte(secret)),
		"hex, upper case": strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"hex, parted":     strings.TrimSuffix(each("%02x:"), ":"),
		"hex of programs": each("0x%02X, "),
		"base64":          base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 of URLs":  base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"base64, twice":   base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(secret)))),
		"in base64":       base64.StdEncoding.EncodeToString([]byte(`{"a":"` + secret + `"}`)),
		"percent":         each("%%%02X"),
		"hex in percent":  url.QueryEscape(hex.EncodeToString([]byte(secret)) + "="),
		"base64 in an address": "https://bank.example/a?b=" +
			url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(secret))),
		"entities":     each("&#%d;"),
		"hex entities": each("&#x%x;"),
		"JSON":         each(`\u%04x`),
		"bytes":        each(`\x%02x`),
	}
}

// parted are ways to write digits.
func digitsParted(digits string) map[string]string {
	all := map[string]string{"full width": "", "Arabic": "", "bold": ""}
	for _, c := range []byte(digits) {
		all["full width"] += string(rune(c) - '0' + '０')
		all["Arabic"] += string(rune(c) - '0' + '٠')
		all["bold"] += string(rune(c) - '0' + '𝟎')
	}
	for name, between := range map[string]string{
		"spaces": " ", "hyphens": "-", "dots": ".", "comma": ", ", "wide": "\u00a0", "unseen": "\u200b", "slashes": "/",
		"stars": "**", "lines": "\r\n", "long": " - ",
	} {
		all[name] = strings.Join(strings.Split(digits, ""), between)
	}
	return all
}

// TestEverySpelling looks for a card's number that is known, for one whose mask is known and for any, for a security
// code, a password and a part of a wallet's token.
func TestEverySpelling(t *testing.T) {
	const code, password, token = "9173", "Zq7-sEcret", "MEUCIQDw8mQZ0e7yyKQ1b2bYJ6+/u7xIhBTvE7V3hX2w"
	known := NewFinder([]string{number, code, password, token, ""}, nil)
	masked := NewFinder(nil, []string{"401288******1881", ""})
	check := func(spelling string, f func(string) bool, text string) {
		t.Helper()
		for _, whole := range []string{text, "Refused: " + text, text + " was refused.", "(" + text + ")"} {
			if !f(whole) {
				t.Errorf("%s is not found: %q", spelling, whole)
			}
		}
	}
	for name, text := range spelled(number) {
		check(name, known.Has, text)
		check(name, known.HasLong, text)
		check(name, masked.Has, text)
		check(name, HasCard, text)
	}
	for name, text := range digitsParted(number) {
		check(name, known.Has, text)
		check(name, masked.Has, text)
		check(name, HasCard, text)
	}
	check("among letters", known.Has, "4a0b1c2d8e8f8g8h8i8j8k8l1m8n8o1p")
	check("as a number in hex", known.Has, fmt.Sprintf("%x", 4012888888881881))
	check("as a number in hex", masked.Has, fmt.Sprintf("%X", 4012888888881881))
	check("markup", known.Has, "<b>4012</b><b>8888</b><b>8888</b><b>1881</b>")
	for _, secret := range []string{code, password, token} {
		for name, text := range spelled(secret) {
			if len(secret) == len(code) && name == "JSON" {
				text = html.UnescapeString(text)
			}
			check(name, known.Has, text)
		}
	}
	for name, text := range digitsParted(code) {
		check("the code, "+name, known.Has, text)
	}
}

// TestOthersAreNotFound has what providers send that is no secret.
func TestOthersAreNotFound(t *testing.T) {
	known := NewFinder([]string{number, "917", "9173", "5500"}, []string{"401288******1881"})
	for _, text := range []string{
		"", "ok", "pi_3MtwBwLkdIwHu7ix28a3tqPa", "0190a6b2-7c1e-8d33-b5a4-2f0c9d1e6a70",
		"8515131751004933", "82919789861357149", "1729382256910270464", "2013112011001004330000121536", // ids
		"483297487231504", "016153570198202", "MCC1234560312", // of card networks
		"000012345678", "123456", "00", "Z5", // RRN, approval code, codes
		"DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "GB82 WEST 1234 5698 7654 32",
		"2850590940090418135201", "032180000118359719", "646291417776317061", // CBU, CLABE
		"tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "0x52908400098527886E0F7030069857D2E4169EE7",
		"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal" +
			"6008BRASILIA62070503***63041D3D",
		"34191790010104351004791020150008291070026000", "34191.79001 01043.510047 91020.150008 2 91070026000",
		"846700000017435900240209024050002435842210108119", "4006381333931", // barcodes
		"+49 1512 3456789", "+254 712 345678", "+62 812 3456 78901",
		"2030-01-02T10:11:12Z", "2030-01-02 10:11:12", "0.000500000000000000", "55001.00", "10.00",
		"d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"https://bank.example/pay/1?x=8f14e45fceea167a5a36dedd4bea2543&t=1767225600", "a9173b", "v1,91730",
	} {
		if known.Has(text) {
			t.Errorf("a secret is found in %q", text)
		}
		if HasCard(text) {
			t.Errorf("a card is found in %q", text)
		}
	}
}

func TestMask(t *testing.T) {
	f := NewFinder([]string{number, "917", "1881-pin-4"}, nil)
	const masked = "******"
	for text, want := range map[string]string{
		"":                                     "",
		"4111111111111111":                     masked,
		"Card 4111 1111 1111 1111 refused.":    "Card " + masked + " refused.",
		"378282246310005, 4111-1111-1111-1111": masked + ", " + masked,
		"reference 4111111111111112":           "reference 4111111111111112",
		"411111111111":                         "411111111111", // 12 digits
		"10.00 of 2030-01-02 at 10:11:12":      "10.00 of 2030-01-02 at 10:11:12",
		"Karte ４０１２ ８８８８ ８８８８ １８８１, CVV 917 917.":       "Karte " + masked + ", CVV " + masked + " " + masked + ".",
		"Card NDAxMjg4ODg4ODg4MTg4MQ== refused.":        "Card " + masked + " refused.",
		"Card 4a0b1c2d8e8f8g8h8i8j8k8l1m8n8o1p refused": "Card " + masked + "p refused",
		"PIN 1881-pin-4 is wrong, as 1881-PIN-4":        "PIN " + masked + " is wrong, as " + masked,
		"4012 and then 8888 and then 8888 and 1881":     masked,
	} {
		if got := f.Mask(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// FuzzFinder checks that no text breaks the search, and that no number stays in what was masked.
func FuzzFinder(f *testing.F) {
	for _, text := range spelled(number) {
		f.Add(text)
	}
	for _, text := range append(besideAWord, notCodes...) {
		f.Add(strings.ReplaceAll(text, "%s", "917"))
	}
	known := NewFinder([]string{number}, []string{"401288******1881"})
	f.Fuzz(func(t *testing.T, text string) {
		masked := known.Mask(text)
		if known.Has(masked) || HasCard(masked) || HasCode(masked) || known.Mask(masked) != masked {
			t.Errorf("%q becomes %q", text, masked)
		}
	})
}

func BenchmarkHas(b *testing.B) {
	known := NewFinder([]string{number, "917"}, []string{"401288******1881"})
	for _, size := range []int{1, 100} {
		text := strings.Repeat("https://bank.example/pay/1?x=8f14e45fceea167a5a36dedd4bea2543&t=1767225600&", size)
		b.Run(fmt.Sprint(len(text)), func(b *testing.B) {
			for b.Loop() {
				known.Has(text)
			}
		})
		b.Run(fmt.Sprint("code in ", len(text)), func(b *testing.B) {
			for b.Loop() {
				HasCode(text)
			}
		})
		b.Run(fmt.Sprint("mask ", len(text)), func(b *testing.B) {
			for b.Loop() {
				known.Mask(text)
			}
		})
	}
}
