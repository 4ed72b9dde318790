// Package card is card data as the service knows it: encrypted by the payer's browser to the key of a day, opened in one
// function only, and saved to be charged again by a token.
package card

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/store"
)

// Vault makes and opens the keys that cards are sealed to, and keeps saved
// cards. A function can do with it what it has permission for: to make keys is
// not to open them.
type Vault interface {
	// NewDayKey makes the key pair of a day (yyyy-mm-dd).
	NewDayKey(ctx context.Context, day string) (DayKey, error)
	// OpenDayKey unwraps the private half of what NewDayKey made.
	OpenDayKey(ctx context.Context, key DayKey) (PrivateKey, error)
	// Keep encrypts a card's number and expiry, and nothing else of it, bound
	// to a text (the associated data) that OpenKept has to be given again.
	Keep(ctx context.Context, card Card, bound string) (Encrypted, error)
	// OpenKept opens what Keep made, also after the keys were rotated.
	OpenKept(ctx context.Context, kept Encrypted, bound string) (Card, error)
}

// DayKey is the key pair that cards are sealed to on one day.
type DayKey struct {
	ID      string `json:"id"`      // begins with the day and a dot
	Day     string `json:"day"`     // yyyy-mm-dd, UTC
	Point   string `json:"point"`   // the public half: an uncompressed P-256 point (65 bytes), base64url without padding
	Wrapped string `json:"wrapped"` // the private half, which the vault alone can unwrap, base64url without padding
}

// PrivateKey is the private half of a DayKey, unwrapped.
type PrivateKey interface {
	// Open opens a card sealed with info as both info and aad. Every failure is ErrSealed.
	Open(sealed Sealed, info string) (Card, error)
}

// Sealed is card data that only the connector function can open. Opened, it
// is the JSON of a Card.
type Sealed struct {
	KeyID      string `json:"key_id"`     // of a DayKey
	Enc        string `json:"enc"`        // encapsulated key, base64url without padding
	Ciphertext string `json:"ciphertext"` // base64url without padding
}

// Card is opened card data. It is never stored or logged.
type Card struct {
	Number       string `json:"number"`                 // digits only
	ExpiryMonth  int    `json:"expiry_month"`           // 1..12
	ExpiryYear   int    `json:"expiry_year"`            // four digits
	SecurityCode string `json:"security_code"`          // digits
	PayeeNumber  string `json:"payee_number,omitempty"` // of a transfer: the card that it goes to

	Values map[string]string `json:"values,omitempty"` // of the method's sealed parameters, by the ids of their fields
}

// Encrypted is a card's number and expiry as they are stored, encrypted under a
// data key of their own. All three are base64url without padding.
type Encrypted struct {
	Key        string `json:"key"`        // the data key, wrapped by a key that never leaves the vault
	Nonce      string `json:"nonce"`      // 12 bytes
	Ciphertext string `json:"ciphertext"` // AES-256-GCM
}

// ErrSealed is what a Vault and a PrivateKey answer for bytes that no key of ours opens:
// final, unlike a vault that could not be reached.
var ErrSealed = errors.New("the sealed card can't be opened")

// Sound reports whether it can be the encryption of a card: nothing lacks, and nothing is too long to be stored.
func (s *Sealed) Sound() bool {
	return s != nil && s.Ciphertext != "" && len(s.Ciphertext) <= sealedLimit && len(s.Enc) <= sealedLimit && len(s.KeyID) <= sealedLimit
}

// sealedLimit bounds each text of a sealed card; a real one has about 200 characters.
const sealedLimit = 2048

// record is the key as a store keeps it, until the day after its own has ended.
func (k *DayKey) record() (store.Record, error) {
	begin, err := time.Parse(time.DateOnly, k.Day)
	if err != nil {
		return store.Record{}, fmt.Errorf("key of the day: %w", err)
	}
	r := store.Encode(store.DayKeyKey(k.Day), 0, k)
	r.ExpiresAt = begin.AddDate(0, 0, 2)
	return r, nil
}
