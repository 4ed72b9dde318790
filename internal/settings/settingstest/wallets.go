// Package settingstest makes settings for tests.
package settingstest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// Pair is a certificate with its private key, as PEM texts.
type Pair struct{ Certificate, Key string }

// Identity makes the certificate with which a merchant identifies itself to Apple Pay, good until an end.
func Identity(t testing.TB, merchantIdentifier string, end time.Time) Pair {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return pair(t, key, &x509.Certificate{Subject: subject(merchantIdentifier), NotAfter: end})
}

// Processing makes a certificate of a merchant identifier that tokens are encrypted to, good until an end.
func Processing(t testing.TB, merchantIdentifier string, end time.Time) Pair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(merchantIdentifier))
	text := append([]byte{12, 64}, hex.EncodeToString(sum[:])...) // a UTF8String
	return pair(t, key, &x509.Certificate{Subject: subject(merchantIdentifier), NotAfter: end,
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 2, 840, 113635, 100, 6, 32}, Value: text}}})
}

// Key makes a private key on P-256, as PEM text.
func Key(t testing.TB) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return keyText(t, key)
}

func subject(merchantIdentifier string) pkix.Name {
	return pkix.Name{CommonName: "Merchant", ExtraNames: []pkix.AttributeTypeAndValue{
		{Type: asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 1}, Value: merchantIdentifier},
	}}
}

func pair(t testing.TB, key crypto.Signer, template *x509.Certificate) Pair {
	t.Helper()
	template.SerialNumber, template.NotBefore = big.NewInt(1), template.NotAfter.AddDate(-2, 0, 0)
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return Pair{string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), keyText(t, key)}
}

func keyText(t testing.TB, key crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}
