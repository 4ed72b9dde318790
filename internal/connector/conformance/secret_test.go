package conformance

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"testing"

	"checkout/internal/method"
)

// TestSecretsAreFound finds secrets in every form in which they could leave.
func TestSecretsAreFound(t *testing.T) {
	found := func(secret, text string) bool {
		w := &watch{secrets: map[string]*regexp.Regexp{}}
		w.add("it", secret)
		return w.secrets["it"].MatchString(text)
	}
	const key = "sk/live+1 234"
	for _, text := range []string{
		"the key " + key, "?key=" + url.QueryEscape(key), "/" + url.PathEscape(key), "x" + key + "x",
		base64.StdEncoding.EncodeToString([]byte(key)), base64.StdEncoding.EncodeToString([]byte("user:" + key + ":x")),
		base64.URLEncoding.EncodeToString([]byte("ab" + key)), base64.RawURLEncoding.EncodeToString([]byte("{" + key + "}")),
	} {
		if !found(key, text) {
			t.Errorf("%q is not found in %q", key, text)
		}
	}
	for text, want := range map[string]bool{"code 9173.": true, "id 8f9173ab": false, "91730": false, "9173": true} {
		if found("9173", text) != want {
			t.Errorf("that 9173 is in %q is not %v", text, want)
		}
	}
}

// TestTokensAreSecret finds parts of a wallet's token and the cryptogram, and not the names of a token's fields.
func TestTokensAreSecret(t *testing.T) {
	for kind := range WalletTokens {
		w := &watch{secrets: map[string]*regexp.Regexp{}}
		w.hide(WithWallet(kind, false, ""))
		w.hide(WithWallet(kind, true, "4111111111111111"))
		leaks := func(text string) bool {
			for _, secret := range w.secrets {
				if secret.MatchString(text) {
					return true
				}
			}
			return false
		}
		signature := "c2lnbmF0dXJlLW9mLXc" + kindDigits[kind]
		for _, text := range []string{WalletTokens[kind], signature, cryptogram, "4111111111111111"} {
			if !leaks("400: " + text) {
				t.Errorf("%s: %s is not found", kind, text)
			}
		}
		for _, text := range []string{"the token has no intermediateSigningKey", "ephemeralPublicKey is missing"} {
			if leaks(text) {
				t.Errorf("%s: %s is no secret", kind, text)
			}
		}
	}
}

// kindDigits are the ends of the signatures in WalletTokens.
var kindDigits = map[string]string{method.ApplePay: "x", method.GooglePay: "y"}
