package testwallet

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
)

// Recipient is whom Google Pay's tokens are made for: what the vendor's own test environment calls every merchant.
const Recipient = "merchant:12345678901234567890"

// MerchantIdentifier is whom Apple Pay's tokens are encrypted to.
const MerchantIdentifier = "merchant.sandbox"

// newKey returns the key with a name, always the same.
func newKey(name string) *ecdsa.PrivateKey {
	seed := sha256.Sum256([]byte("checkout sandbox wallet: " + name))
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), seed[:])
	if err != nil {
		panic(err) // a test makes every key
	}
	return key
}

// sign signs a SHA-256, the same one always with the same signature.
func sign(key *ecdsa.PrivateKey, content []byte) ([]byte, error) {
	sum := sha256.Sum256(content)
	return key.Sign(nil, sum[:], crypto.SHA256)
}

func keyPEM(key *ecdsa.PrivateKey) string {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// ProcessingKey returns the private key of ProcessingCertificate, PEM.
func ProcessingKey() string { return keyPEM(newKey("processing")) }

// GoogleRoot returns the key that signs the key that signs Google Pay's tokens.
func GoogleRoot() *ecdsa.PublicKey { return &newKey("googlepay root").PublicKey }

// RecipientKey returns the private key that Google Pay's tokens are encrypted to, PEM.
func RecipientKey() string { return keyPEM(newKey("recipient")) }
