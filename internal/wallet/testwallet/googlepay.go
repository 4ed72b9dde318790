package testwallet

import (
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// How long what Google Pay signs is good.
const (
	intermediateLife = 5 * 24 * time.Hour
	messageLife      = 6 * 24 * time.Hour
)

type googleToken struct {
	Signature    []byte       `json:"signature"`
	Intermediate intermediate `json:"intermediateSigningKey"`
	Version      string       `json:"protocolVersion"`
	Message      string       `json:"signedMessage"`
}

type intermediate struct {
	Key        string   `json:"signedKey"`
	Signatures [][]byte `json:"signatures"`
}

type signedKey struct {
	Value      []byte `json:"keyValue"`
	Expiration string `json:"keyExpiration"`
}

type signedMessage struct {
	Encrypted []byte `json:"encryptedMessage"`
	Ephemeral []byte `json:"ephemeralPublicKey"`
	Tag       []byte `json:"tag"`
}

// googleContent is what is encrypted.
type googleContent struct {
	Expiration        string        `json:"messageExpiration"`
	ID                string        `json:"messageId"`
	GatewayMerchantID string        `json:"gatewayMerchantId,omitempty"`
	Kind              string        `json:"paymentMethod"`
	Details           googleDetails `json:"paymentMethodDetails"`
}

type googleDetails struct {
	Year       int    `json:"expirationYear"`
	Month      int    `json:"expirationMonth"`
	Number     string `json:"pan"`
	AuthMethod string `json:"authMethod"`
	ECI        string `json:"eciIndicator,omitempty"`
	Cryptogram []byte `json:"cryptogram,omitempty"`
}

func makeGoogle(c Content, fault Fault) (string, error) {
	plain, err := googlePlain(c, fault)
	if err != nil {
		return "", err
	}
	recipientKey, recipient, rootKey := newKey("recipient"), cmp.Or(c.Recipient, Recipient), newKey("googlepay root")
	switch fault {
	case UnknownKey:
		recipientKey = newKey("recipient that is nobody")
	case OtherRecipient:
		recipient += "0"
	case OtherRoot:
		rootKey = newKey("googlepay root of nobody")
	}
	token := googleToken{Version: "ECv2"}
	if token.Message, err = encryptGoogle(newKey("ephemeral "+c.ID), &recipientKey.PublicKey, plain); err != nil {
		return "", err
	}
	signer := newKey("googlepay intermediate")
	public, err := x509.MarshalPKIXPublicKey(&signer.PublicKey)
	if err != nil {
		return "", err
	}
	key := signedKey{public, milliseconds(c.At.Add(intermediateLife))}
	if token.Intermediate.Key, err = escaped(key); err != nil {
		return "", err
	}
	signature, err := sign(rootKey, joined("Google", token.Version, token.Intermediate.Key))
	if err != nil {
		return "", err
	}
	token.Intermediate.Signatures = [][]byte{signature}
	if token.Signature, err = sign(signer, joined("Google", recipient, token.Version, token.Message)); err != nil {
		return "", err
	}
	if fault == BadSignature {
		token.Message += " "
	}
	return escaped(token)
}

func googlePlain(c Content, fault Fault) ([]byte, error) {
	content := googleContent{
		Expiration: milliseconds(c.At.Add(messageLife)), ID: "sandbox-" + c.ID, Kind: "CARD",
		GatewayMerchantID: c.GatewayMerchantID,
		Details:           googleDetails{Year: c.ExpiryYear, Month: c.ExpiryMonth, Number: c.Number, AuthMethod: "PAN_ONLY"},
	}
	if !c.PANOnly {
		content.Details.AuthMethod = "CRYPTOGRAM_3DS"
		content.Details.Cryptogram, content.Details.ECI = c.cryptogram(), c.eci()
	}
	if fault == Expired {
		content.Expiration = milliseconds(c.At)
	}
	return json.Marshal(content)
}

// encryptGoogle encrypts as ECv2 does.
func encryptGoogle(ephemeral *ecdsa.PrivateKey, recipient *ecdsa.PublicKey, plain []byte) (string, error) {
	own, err := ephemeral.ECDH()
	if err != nil {
		return "", err
	}
	public, err := recipient.ECDH()
	if err != nil {
		return "", err
	}
	shared, err := own.ECDH(public)
	if err != nil {
		return "", err
	}
	m := signedMessage{Ephemeral: own.PublicKey().Bytes(), Encrypted: make([]byte, len(plain))}
	keys, err := hkdf.Key(sha256.New, slices.Concat(m.Ephemeral, shared), make([]byte, 32), "Google", 64)
	if err != nil {
		return "", err
	}
	block, err := aes.NewCipher(keys[:32])
	if err != nil {
		return "", err
	}
	cipher.NewCTR(block, make([]byte, aes.BlockSize)).XORKeyStream(m.Encrypted, plain)
	mac := hmac.New(sha256.New, keys[32:])
	mac.Write(m.Encrypted)
	m.Tag = mac.Sum(nil)
	return escaped(m)
}

// escaped returns JSON in which = is escaped, as the wallet has it: a reader has to decode each text once.
func escaped(value any) (string, error) {
	text, err := json.Marshal(value)
	return strings.ReplaceAll(string(text), "=", `\u003d`), err
}

// joined returns fields, each with its length before it: what is signed.
func joined(fields ...string) []byte {
	var all []byte
	for _, field := range fields {
		all = binary.LittleEndian.AppendUint32(all, uint32(len(field)))
		all = append(all, field...)
	}
	return all
}

func milliseconds(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
