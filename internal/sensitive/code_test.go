package sensitive

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"checkout/internal/method"
)

// besideAWord are texts of providers with a security code that nobody knows, for %s.
var besideAWord = []string{
	"cvv%s", "CVV2%s", "cvv %s", "CVV: %s", "Declined, cvv=%s.", "cvc-%s", "CVC2 (%s)", "cvv\t%s", "cvv_%s", "cvv.%s",
	"c.v.v. %s", "C V C: %s", "CVV2/%s", "CVN|%s", "cvd~%s", "CAV2 %s", "csc #%s", "CID: %s", "cid=%s", "card_cvv=%s",
	"CVV code %s", "the CVV is %s", "CVV value was %s",
	"CVV mismatch (%s)", "cvv number of the card: %s", "cvvCode=%s",
	"security code %s", "Security-Code: %s", "securityCode=%s", "cardSecurityCode:%s", "security number %s",
	"card code: %s", "Card Verification Value %s", "card verification number: %s", "verification value %s",
	"CARD_VERIFICATION_CODE=%s", "cardValidationCode %s",
	`{"cvv":"%s"}`, `{"cvv": %s, "a": 1}`, `{"cvc":{"value":"%s"}}`,
	`{"cvv":["%s"]}`, `{"name":"cvv","value":"%s"}`,
	"{\"card\": {\n  \"cvv\": \"%s\"\n}}", `{\"cvv\":\"%s\"}`,
	"<cvv>%s</cvv>", "<Card><CVV2 type=\"string\">%s</CVV2></Card>",
	`<field name="cvv" value="%s"/>`, "number=1&cvv=%s&exp=0138",
	"cvv%%3D%s", "cvv%%22%%3A%%22%s%%22", "cvv=&quot;%s&quot;",
	"Sicherheitscode: %s", "Prüfnummer %s", "código de seguridad: %s",
	"Codigo de verificacion %s", "code de sécurité : %s",
	"cryptogramme visuel %s", "sikkerhetskoden %s", "Код безопасности: %s", "код безпеки %s", "Қауіпсіздік коды %s",
	"Təhlükəsizlik kodu: %s", "رمز الأمان: %s", "安全码：%s", "安全碼%s", "ＣＶＶ：%s",
	"%s is not the CVV", "wrong: %s (CVV)", `"%s" as cvc`, "the %s cvv was refused", "%s for the security code",
}

// TestCodeBesideAWord masks security codes that nobody has named as secrets, in all ways to write them.
func TestCodeBesideAWord(t *testing.T) {
	for _, f := range []Finder{{}, NewFinder([]string{number, "5500"}, nil)} {
		for _, form := range besideAWord {
			for _, code := range []string{"917", "9173", "000", "2026", "９１７３", "٩١٧"} {
				text := fmt.Sprintf(form, code)
				if masked := f.Mask(text); strings.Contains(masked, code) || !strings.Contains(masked, method.Masked) {
					t.Errorf("%q becomes %q", text, masked)
				} else if again := f.Mask(masked); again != masked {
					t.Errorf("%q becomes %q and then %q", text, masked, again)
				}
			}
		}
	}
	for name, code := range digitsParted("9173") {
		if masked := (Finder{}).Mask("CVV: " + code); strings.Contains(masked, code) {
			t.Errorf("%s: %q stays", name, masked)
		}
	}
	for _, text := range []string{"cvv9173", "cvv=917", `{"cvv":"917"}`} {
		for _, encoded := range []string{
			hex.EncodeToString([]byte(text)), "0x" + hex.EncodeToString([]byte(text)), url.QueryEscape(text),
			base64.StdEncoding.EncodeToString([]byte(text)),
		} {
			masked := (Finder{}).Mask("Refused: " + encoded)
			if strings.Contains(masked, "917") || masked == "Refused: "+encoded {
				t.Errorf("%q becomes %q", encoded, masked)
			}
		}
	}
}

// TestRestStaysBesideCode masks the code alone.
func TestRestStaysBesideCode(t *testing.T) {
	for text, want := range map[string]string{
		"Error 173: cvv 917 not matched, 10.00 EUR": "Error 173: cvv ****** not matched, 10.00 EUR",
		"cvv917 and CVC 9173, try 2026":             "cvv****** and CVC ******, try 2026",
		`{"cvv":"917","amount":"1000","code":"51"}`: `{"cvv":"******","amount":"1000","code":"51"}`,
		"917 is a wrong cvv, code 100":              "****** is a wrong cvv, code ******",
	} {
		if got := (Finder{}).Mask(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// notCodes are texts with numbers that are no security code, beside words that may be one.
var notCodes = []string{
	"cvv not matched", "error 173", "Error 173: cvv not matched",
	"error 173 (CVV)", "code 173 cvv failed", "CVV2 result M",
	"cvv failed, error 173", "CVV check 2026", "CVV fee of 100 EUR", "EUR 100 CVV", "amount 1000, cvv M", "cvv 10.00",
	"cvv 1000.00", "CVV: 2026-11-23", "cvv 12", "cvv 91734",
	"cvv2 M 100", "in 2026 CVV is needed", `{"code":173,"cvv":"N"}`,
	"cvvResultCode=100", "accident 1234", "cidr 1234", "lucid 1234", "CVE 2024", "3-digit CVV", "status=402&cvv=M",
	"http 402 cvv", "security codes differ after 300 s", "card number 1111", "Card ending 1111", "card 1111 declined",
	"amount 100.917 cvv", "2026", "917", "code 917", "PIN 9173", "cvv ****** 100",
}

func TestNotCodes(t *testing.T) {
	for _, text := range notCodes {
		if masked := (Finder{}).Mask(text); masked != text {
			t.Errorf("%q becomes %q", text, masked)
		}
		if HasCode(text) {
			t.Errorf("a code is found in %q", text)
		}
	}
}

// TestHasCode has ids and links.
func TestHasCode(t *testing.T) {
	for text, want := range map[string]bool{
		"cvv9173": true, "cvv-917": true, "id;cvv=917": true, "https://bank.example/a?x=1&cvv2=917": true,
		"card_cvc_917": true, "cardCvv917": true, "CARDCVV917": true, "https://bank.example/?securityCode=917": true,
		base64.RawURLEncoding.EncodeToString([]byte(`{"cvv":"917"}`)): true,
		"0x" + hex.EncodeToString([]byte("cvv917")):                   true,
		"cid_1234": false, "https://bank.example/?cid=1234": false, "x8cvc173": false, "qcvv917": false, "cvv917z": false,
		"pi_3MtwBwLkdIwHu7ix28a3tqPa": false, "173": false, "917cvv": false, "verification-code=1234": false,
	} {
		if HasCode(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
	if slices.ContainsFunc([]string{"", "ok", "0190a6b2-7c1e-8d33-b5a4-2f0c9d1e6a70"}, HasCode) {
		t.Error("a code is found in an id")
	}
}
