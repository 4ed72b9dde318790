package wallet

import (
	"testing"

	"checkout/internal/wallet/testwallet"
)

func BenchmarkApple(b *testing.B) {
	token, keys, check := newToken(b, testwallet.ApplePay, content(), ""), []ProcessingKey{processingKey(b)}, appleCheck(b)
	apple := sandboxApple()
	for b.Loop() {
		if _, err := apple.Open(token, keys, check); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGoogle(b *testing.B) {
	token, keys := newToken(b, testwallet.GooglePay, content(), ""), []PrivateKey{recipientKey(b)}
	google, check := sandboxGoogle(), googleCheck()
	for b.Loop() {
		if _, err := google.Open(token, keys, check); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMake(b *testing.B) {
	for b.Loop() {
		newToken(b, testwallet.ApplePay, content(), "")
	}
}
