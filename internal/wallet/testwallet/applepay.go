package testwallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// appleToken is Apple Pay's paymentData.
type appleToken struct {
	Data      []byte      `json:"data"`
	Signature []byte      `json:"signature"`
	Header    appleHeader `json:"header"`
	Version   string      `json:"version"`
}

type appleHeader struct {
	PublicKeyHash      []byte `json:"publicKeyHash"`
	EphemeralPublicKey []byte `json:"ephemeralPublicKey"`
	TransactionID      string `json:"transactionId"`
	ApplicationData    string `json:"applicationData,omitempty"`
}

// appleContent is what is encrypted.
type appleContent struct {
	Number       string      `json:"applicationPrimaryAccountNumber"`
	Expiry       string      `json:"applicationExpirationDate"` // YYMMDD
	Currency     string      `json:"currencyCode"`
	Amount       json.Number `json:"transactionAmount"`
	Device       string      `json:"deviceManufacturerIdentifier"`
	Kind         string      `json:"paymentDataType"`
	MerchantCard string      `json:"merchantTokenIdentifier,omitempty"`
	Payment      struct {
		Cryptogram []byte `json:"onlinePaymentCryptogram"`
		ECI        string `json:"eciIndicator"`
	} `json:"paymentData"`
}

func makeApple(c Content, fault Fault) (string, error) {
	plain, err := applePlain(c, fault)
	if err != nil {
		return "", err
	}
	recipient := merchantCertificate()
	if fault == UnknownKey {
		recipient = processing("processing of nobody")
	}
	ephemeral := newKey("ephemeral " + c.ID)
	token := appleToken{Version: "EC_v1"}
	if token.Data, err = encryptApple(ephemeral, recipient, plain); err != nil {
		return "", err
	}
	token.Header.PublicKeyHash = publicKeyHash(recipient)
	if token.Header.EphemeralPublicKey, err = x509.MarshalPKIXPublicKey(&ephemeral.PublicKey); err != nil {
		return "", err
	}
	transaction := sha256.Sum256([]byte("transaction " + c.ID))
	var application []byte
	if session := c.SessionID; session != "" {
		if fault == OtherSession {
			session += " of another payer"
		}
		sum := sha256.Sum256([]byte(session))
		application = sum[:]
	}
	token.Header.ApplicationData = hex.EncodeToString(application)
	signed := slices.Concat(token.Header.EphemeralPublicKey, token.Data, transaction[:], application)
	at, signer := c.At, sandbox()
	switch fault {
	case Expired:
		at = at.Add(-6 * time.Minute)
	case OtherRoot:
		signer = apple(" of nobody")
	}
	if token.Signature, err = signer.signature(signed, at); err != nil {
		return "", err
	}
	if fault == BadSignature {
		transaction[0]++
	}
	token.Header.TransactionID = hex.EncodeToString(transaction[:])
	text, err := json.Marshal(token)
	return string(text), err
}

func applePlain(c Content, fault Fault) ([]byte, error) {
	content := appleContent{
		Number: c.Number, Expiry: fmt.Sprintf("%02d%02d28", c.ExpiryYear%100, c.ExpiryMonth), Currency: c.Currency,
		Amount: json.Number(c.Amount), Device: "040010030273", Kind: "3DSecure",
	}
	if c.Amount == "" || strings.Trim(c.Amount, "0123456789") != "" {
		return nil, errors.New("testwallet: the amount has to be digits")
	}
	if fault == AmountChanged {
		content.Amount += "1"
	}
	if c.Recurring {
		content.MerchantCard = "MPAN-" + hex.EncodeToString(c.cryptogram()[:8])
	}
	content.Payment.Cryptogram, content.Payment.ECI = c.cryptogram(), c.eci()
	return json.Marshal(content)
}

// encryptApple encrypts as EC_v1 does.
func encryptApple(ephemeral *ecdsa.PrivateKey, recipient *x509.Certificate, plain []byte) ([]byte, error) {
	own, err := ephemeral.ECDH()
	if err != nil {
		return nil, err
	}
	public, err := recipient.PublicKey.(*ecdsa.PublicKey).ECDH()
	if err != nil {
		return nil, err
	}
	shared, err := own.ECDH(public)
	if err != nil {
		return nil, err
	}
	merchant := sha256.Sum256([]byte(MerchantIdentifier))
	key := sha256.Sum256(slices.Concat([]byte{0, 0, 0, 1}, shared, []byte("\x0did-aes256-GCMApple"), merchant[:]))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, 16)
	if err != nil {
		return nil, err
	}
	return gcm.Seal(nil, make([]byte, 16), plain, nil), nil
}
