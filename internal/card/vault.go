// Package card holds the types of card data: sealed by the payer's browser to the key of a day, opened by one function
// only, and saved so that the card can be charged again by a token.
package card

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/store"
)

// KeyMaker makes the keys that cards are sealed to, and can't open them.
type KeyMaker interface {
	// NewDayKey makes the key pair of a day (yyyy-mm-dd).
	NewDayKey(ctx context.Context, day string) (DayKey, error)
}

// Vault opens the keys that cards are sealed to, and that of fingerprints, and encrypts and decrypts saved cards.
type Vault interface {
	FingerprintKeys
	// OpenDayKey unwraps the private half of a key that NewDayKey made.
	OpenDayKey(ctx context.Context, key DayKey) (PrivateKey, error)
	// Encrypt encrypts a card's number and expiry, and nothing else of it. Decrypt needs the same associated data.
	Encrypt(ctx context.Context, card Card, associated string) (Encrypted, error)
	// Decrypt returns the card that Encrypt was given, even if the keys were rotated since.
	Decrypt(ctx context.Context, encrypted Encrypted, associated string) (Card, error)
}

// DayKey is the key pair that cards are sealed to on one day.
type DayKey struct {
	ID  string `json:"id"`  // begins with the day and a dot
	Day string `json:"day"` // yyyy-mm-dd, UTC
	// Point is the public half: an uncompressed P-256 point of 65 bytes, as base64url without padding.
	Point string `json:"point"`
	// Wrapped is the private half, which only the vault can unwrap, as base64url without padding.
	Wrapped string `json:"wrapped"`
}

// PublicKey is the public half of a DayKey.
type PublicKey struct {
	ID    string `json:"id"`
	Point string `json:"point"`
}

func (k *DayKey) public() PublicKey { return PublicKey{k.ID, k.Point} }

// PrivateKey is the private half of a DayKey, unwrapped.
type PrivateKey interface {
	// Open decrypts a card that was sealed with info as both info and aad. Every error is ErrDecrypt.
	Open(sealed Sealed, info string) (Card, error)
}

// Sealed is the JSON of a Card, encrypted so that only the connector function can open it.
type Sealed struct {
	KeyID      string `json:"key_id"`     // of a DayKey
	Enc        string `json:"enc"`        // encapsulated key, base64url without padding
	Ciphertext string `json:"ciphertext"` // base64url without padding
}

// Card is decrypted card data. It is never stored or logged.
type Card struct {
	Number       string `json:"number"`                 // digits only
	ExpiryMonth  int    `json:"expiry_month"`           // 1..12
	ExpiryYear   int    `json:"expiry_year"`            // four digits
	SecurityCode string `json:"security_code"`          // digits
	PayeeNumber  string `json:"payee_number,omitempty"` // the card that receives a transfer

	// Values are those of the method's sealed parameters, by the ids of their fields.
	Values map[string]string `json:"values,omitempty"`

	// Token is a wallet's payment token: JSON text of at most MaxToken bytes. A Card with a Token has nothing else.
	Token string `json:"token,omitempty"`

	// Decrypted from a wallet's token, never read from what a browser sealed.
	PANType    PANType `json:"-"`
	Cryptogram string  `json:"-"` // base64; good for one charge, and treated as a security code is
	ECI        string  `json:"-"` // electronic commerce indicator: two digits, "" if the wallet gives none
}

// MaxToken is the size of the largest token of a wallet, in bytes.
const MaxToken = 8192

// PANType says which number a wallet gave for a card. The zero value is a number that the payer typed.
type PANType string

// The types of numbers.
const (
	PANOfDevice PANType = "dpan" // stands for the card on one device, and comes with a cryptogram
	PANOfCard   PANType = "fpan" // the card's own number, which nobody has authenticated the payer for
)

// Encrypted is a card's number and expiry, encrypted under a data key. All three texts are base64url without padding.
type Encrypted struct {
	Key        string `json:"key"`        // the data key, wrapped by a key that never leaves the vault
	Nonce      string `json:"nonce"`      // 12 bytes
	Ciphertext string `json:"ciphertext"` // AES-256-GCM
}

// ErrDecrypt means that no key of the vault decrypts the bytes. It is final, unlike the errors of a vault that could
// not be reached.
var ErrDecrypt = errors.New("the sealed card can't be opened")

// WellFormed reports whether this can be a sealed card: it has all its texts, and none is too long to be stored.
func (s *Sealed) WellFormed() bool {
	return s != nil && s.Ciphertext != "" && s.Enc != "" && s.KeyID != "" &&
		len(s.Ciphertext) <= sealedLimit && len(s.Enc) <= sealedLimit && len(s.KeyID) <= sealedLimit
}

// MaxSealed is the size of the largest ciphertext of a sealed card, in bytes: a token of MaxToken bytes as a JSON text,
// in which a quotation mark takes two bytes. A card without a token has about 110.
const MaxSealed = MaxToken * 3 / 2

// sealedLimit bounds each text of a sealed card: the base64url of MaxSealed bytes.
const sealedLimit = MaxSealed * 4 / 3

// records returns the documents of the key and of its public half. They expire at the end of the day after its own.
func (k *DayKey) records() ([]store.Record, error) {
	begin, err := time.Parse(time.DateOnly, k.Day)
	if err != nil {
		return nil, fmt.Errorf("key of the day: %w", err)
	}
	records := []store.Record{
		store.Encode(store.DayKeyKey(k.Day), 0, k), store.Encode(store.PublicKeyKey(k.Day), 0, k.public()),
	}
	for i := range records {
		records[i].ExpiresAt = begin.AddDate(0, 0, 2)
	}
	return records, nil
}
