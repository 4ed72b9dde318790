// Package certificate reads the certificates and private keys of wallets, which are PEM texts.
package certificate

import (
	"crypto"
	"crypto/ecdh"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"strings"
	"time"

	"checkout/internal/method"
)

// Parse reads the one certificate of a PEM text.
func Parse(text string) (*x509.Certificate, error) {
	block, rest := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" || len(strings.TrimSpace(string(rest))) > 0 {
		return nil, fmt.Errorf("no certificate in PEM form")
	}
	return x509.ParseCertificate(block.Bytes)
}

// ParseKey reads the one private key of a PEM text, in any of the three forms that tools write. fault says what is
// wrong; it never quotes the key.
func ParseKey(text string) (key crypto.Signer, fault string) {
	if text == "" {
		return nil, method.TextBlank
	}
	block, rest := pem.Decode([]byte(text))
	if block != nil && block.Type == "EC PARAMETERS" {
		block, rest = pem.Decode(rest)
	}
	if block == nil || len(strings.TrimSpace(string(rest))) > 0 {
		return nil, method.NotValid("It should be a private key in PEM form.")
	}
	if strings.Contains(block.Type, "ENCRYPTED") || block.Headers["DEK-Info"] != "" {
		return nil, method.NotValid("It should be a private key without a passphrase.")
	}
	if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		if signer, ok := key.(crypto.Signer); ok {
			return signer, ""
		}
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, ""
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, ""
	}
	return nil, method.NotValid("It should be a private key in PEM form.")
}

// Object identifiers of certificates of Apple Pay.
var (
	oidSubjectUserID  = asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 1} // the merchant identifier
	oidMerchantIDHash = asn1.ObjectIdentifier{1, 2, 840, 113635, 100, 6, 32}   // of a processing certificate
)

// SubjectID returns the merchant identifier that a certificate was issued for, "" if it does not say.
func SubjectID(certificate *x509.Certificate) string {
	for _, name := range certificate.Subject.Names {
		if text, ok := name.Value.(string); ok && name.Type.Equal(oidSubjectUserID) {
			return text
		}
	}
	return ""
}

// View is what is shown of a certificate.
type View struct {
	Subject            string    `json:"subject"`
	Issuer             string    `json:"issuer"`
	Serial             string    `json:"serial"` // hexadecimal
	MerchantIdentifier string    `json:"merchant_identifier,omitempty"`
	Until              time.Time `json:"until"`
}

// ViewOf returns what is shown of a PEM text, nil for one that can't be read.
func ViewOf(text string) *View {
	c, err := Parse(text)
	if err != nil {
		return nil
	}
	return &View{c.Subject.CommonName, c.Issuer.CommonName, c.SerialNumber.Text(16), SubjectID(c), c.NotAfter}
}

// MerchantIDHash returns the hash of the merchant identifier in a processing certificate: hex text, behind the two
// bytes of a DER header.
func MerchantIDHash(certificate *x509.Certificate) (string, bool) {
	for _, extension := range certificate.Extensions {
		if extension.Id.Equal(oidMerchantIDHash) && len(extension.Value) == 2+hex.EncodedLen(sha256.Size) {
			return string(extension.Value[2:]), true
		}
	}
	return "", false
}

// IDOfKey returns the id of a public key, by which its private half is stored: the SHA-256 of its DER, in hexadecimal.
func IDOfKey(public crypto.PublicKey) string {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return "" // its check reports a key of no such kind
	}
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

// ID is IDOfKey for the key of a certificate, a PEM text. It is "" for one that can't be read.
func ID(text string) string {
	parsed, err := Parse(text)
	if err != nil {
		return ""
	}
	return IDOfKey(parsed.PublicKey)
}

// IDOfPoint is IDOfKey for an uncompressed P-256 point, base64.
func IDOfPoint(text string) string {
	point, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	key, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return ""
	}
	return IDOfKey(key)
}
