package wallet

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"strconv"
	"strings"

	"checkout/internal/money"
)

// merchantIdentifier is the extension of a processing certificate that has the SHA-256 of the merchant identifier.
var merchantIdentifier = asn1.ObjectIdentifier{1, 2, 840, 113635, 100, 6, 32}

// ProcessingKey decrypts tokens of Apple Pay.
type ProcessingKey struct {
	publicKeyHash [sha256.Size]byte // of the certificate's SubjectPublicKeyInfo
	merchantHash  []byte            // SHA-256 of the merchant identifier
	private       *ecdsa.PrivateKey // P-256
}

// ParseProcessingKey reads a payment processing certificate and its private key, both PEM.
func ParseProcessingKey(certificate, key string) (ProcessingKey, error) {
	errCertificate := errors.New("wallet: not a payment processing certificate")
	block, _ := pem.Decode([]byte(certificate))
	if block == nil {
		return ProcessingKey{}, errCertificate
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return ProcessingKey{}, errCertificate
	}
	parsed, err := parsePrivateKey(key)
	if err != nil {
		return ProcessingKey{}, err
	}
	private, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return ProcessingKey{}, errPrivateKey
	}
	if !private.PublicKey.Equal(c.PublicKey) {
		return ProcessingKey{}, errors.New("wallet: the key is not that of the certificate")
	}
	k := ProcessingKey{publicKeyHash: sha256.Sum256(c.RawSubjectPublicKeyInfo), private: private}
	for _, e := range c.Extensions {
		if !e.Id.Equal(merchantIdentifier) {
			continue
		}
		var text string
		if rest, err := asn1.Unmarshal(e.Value, &text); err != nil || len(rest) != 0 {
			return ProcessingKey{}, errCertificate
		}
		if k.merchantHash, err = hex.DecodeString(text); err != nil {
			return ProcessingKey{}, errCertificate
		}
	}
	if len(k.merchantHash) != sha256.Size {
		return ProcessingKey{}, errCertificate
	}
	return k, nil
}

var errPrivateKey = errors.New("wallet: not a private key in PEM (EC PRIVATE KEY or PRIVATE KEY)")

// parsePrivateKey reads a PEM block, also one that follows others or lines of text.
func parsePrivateKey(text string) (crypto.PrivateKey, error) {
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "EC PRIVATE KEY":
			if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
				return key, nil
			}
		case "RSA PRIVATE KEY":
			if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
				return key, nil
			}
		case "PRIVATE KEY":
			if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
				return key, nil
			}
		}
	}
	return nil, errPrivateKey
}

// decrypt returns the token's plain text. Every key is compared, whichever fits.
func (t appleToken) decrypt(keys []ProcessingKey) ([]byte, error) {
	var key *ProcessingKey
	for i := range keys {
		if subtle.ConstantTimeCompare(keys[i].publicKeyHash[:], t.publicKeyHash) == 1 {
			key = &keys[i]
		}
	}
	if key == nil {
		return nil, ErrUnknownKey
	}
	secret, err := agree(key.private, t.key, key.merchantHash)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, ErrDecrypt
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, 16)
	if err != nil {
		return nil, ErrDecrypt
	}
	plain, err := gcm.Open(nil, make([]byte, gcm.NonceSize()), t.data, nil) // a key encrypts one token
	if err != nil {
		return nil, ErrDecrypt
	}
	return plain, nil
}

// agree derives the key of EC_v1: the one-step key derivation of NIST SP 800-56A over the shared secret of ECDH.
func agree(private *ecdsa.PrivateKey, ephemeral, merchantHash []byte) ([]byte, error) {
	parsed, err := x509.ParsePKIXPublicKey(ephemeral)
	if err != nil {
		return nil, ErrMalformed
	}
	point, ok := parsed.(*ecdsa.PublicKey)
	if !ok {
		return nil, ErrMalformed
	}
	public, err := point.ECDH()
	if err != nil {
		return nil, ErrMalformed
	}
	own, err := private.ECDH()
	if err != nil {
		return nil, ErrDecrypt
	}
	shared, err := own.ECDH(public)
	if err != nil {
		return nil, ErrMalformed // another curve
	}
	kdf := sha256.New()
	kdf.Write([]byte{0, 0, 0, 1})
	kdf.Write(shared)
	kdf.Write([]byte("\x0did-aes256-GCM" + "Apple"))
	kdf.Write(merchantHash)
	return kdf.Sum(nil), nil
}

// openApple reads the plain text and compares it with the payment.
func openApple(plain []byte, verified Verified, check Check) (Opened, error) {
	o, err := parseObject(plain)
	if err != nil {
		return Opened{}, err
	}
	opened := Opened{Verified: verified, PANType: DPAN}
	if opened.Number, err = o.text("applicationPrimaryAccountNumber", 19); err != nil || !isPAN(opened.Number) {
		return Opened{}, ErrMalformed
	}
	expiry, err := o.text("applicationExpirationDate", 6) // YYMMDD
	if err != nil || len(expiry) != 6 || !isDigits(expiry) {
		return Opened{}, ErrMalformed
	}
	opened.ExpiryYear, _ = strconv.Atoi("20" + expiry[:2])
	opened.ExpiryMonth, _ = strconv.Atoi(expiry[2:4])
	if opened.ExpiryMonth < 1 || opened.ExpiryMonth > 12 {
		return Opened{}, ErrMalformed
	}
	for _, field := range []struct {
		key  string
		into *string
	}{
		{"cardholderName", &opened.Holder}, {"deviceManufacturerIdentifier", &opened.Device},
		{"merchantTokenIdentifier", &opened.MerchantTokenID},
	} {
		if *field.into, err = o.optional(field.key, 256); err != nil {
			return Opened{}, err
		}
	}
	if err := compareAmount(o, check.Amount); err != nil {
		return Opened{}, err
	}
	if err := opened.readCryptogram(o); err != nil {
		return Opened{}, err
	}
	return opened, nil
}

// readCryptogram reads the payment data of a token. EMV data with an online PIN, which some networks use in China, is
// no cryptogram that a charge could carry.
func (opened *Opened) readCryptogram(o object) error {
	kind, err := o.text("paymentDataType", 32)
	if err != nil {
		return err
	}
	if kind != ThreeDSecure {
		return ErrAuthMethod
	}
	data, err := o.object("paymentData")
	if err != nil {
		return err
	}
	opened.AuthMethod = ThreeDSecure
	return opened.setCryptogram(data, "onlinePaymentCryptogram")
}

// setCryptogram reads the cryptogram and eciIndicator, which both wallets have.
func (opened *Opened) setCryptogram(data object, key string) error {
	var err error
	if opened.Cryptogram, err = data.text(key, 128); err != nil {
		return err
	}
	if _, err := base64.StdEncoding.DecodeString(opened.Cryptogram); err != nil {
		return ErrMalformed
	}
	eci, err := data.optional("eciIndicator", 2)
	if err != nil || !isDigits(eci) {
		return ErrMalformed
	}
	if len(eci) == 1 {
		eci = "0" + eci
	}
	opened.ECI = eci
	return nil
}

// compareAmount compares what the payer confirmed with the payment. Nobody has documented whether the integer of a
// currency without decimals counts its units or hundredths of them: either is accepted.
func compareAmount(o object, amount money.Amount) error {
	currency, err := o.text("currencyCode", 3)
	if err != nil {
		return err
	}
	confirmed, err := o.number("transactionAmount")
	if err != nil {
		return err
	}
	numeric := amount.Currency().Numeric
	if numeric == "" || strings.TrimLeft(currency, "0") != strings.TrimLeft(numeric, "0") {
		return ErrCurrency
	}
	text := strconv.FormatInt(confirmed, 10)
	if text == amount.Minor() || amount.Currency().Exponent == 0 && text == amount.Minor()+"00" {
		return nil
	}
	return ErrAmount
}

// isPAN reports whether a text can be a card's number.
func isPAN(text string) bool { return len(text) >= 12 && len(text) <= 19 && isDigits(text) }

func isDigits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}
