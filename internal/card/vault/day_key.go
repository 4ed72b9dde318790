package vault

import (
	"context"
	"crypto/ecdh"
	"crypto/sha256"
	"errors"
	"fmt"

	"checkout/internal/card"
)

// NewDayKey makes the key pair of a day. Its private half is returned wrapped only, for the use of that day.
func (v *Vault) NewDayKey(ctx context.Context, day string) (card.DayKey, error) {
	der, wrapped, err := v.keys.newKeyPair(ctx, use{"day", day})
	if err != nil {
		return card.DayKey{}, err
	}
	point, err := pointOf(der)
	if err != nil {
		return card.DayKey{}, fmt.Errorf("key of the day: %w", err)
	}
	if len(wrapped) == 0 || len(wrapped) > maxWrapped {
		return card.DayKey{}, errors.New("the private key of the day is not wrapped")
	}
	return card.DayKey{
		ID: keyID(day, point), Day: day, Point: base64url.EncodeToString(point), Wrapped: base64url.EncodeToString(wrapped),
	}, nil
}

// OpenDayKey unwraps the private half of a key. It fails with card.ErrDecrypt if the key was not made by this vault for
// its day, and with another error if the keyring could not be reached.
func (v *Vault) OpenDayKey(ctx context.Context, key card.DayKey) (card.PrivateKey, error) {
	wrapped, err := decode(key.Wrapped, maxWrapped)
	if err != nil || len(wrapped) == 0 {
		return nil, decryptError("bad wrapped key")
	}
	der, err := v.keys.unwrap(ctx, wrapped, use{"day", key.Day})
	if err != nil {
		return nil, err
	}
	defer clear(der)
	private, err := privateOf(der)
	if err != nil {
		return nil, decryptError(err.Error())
	}
	if keyID(key.Day, private.PublicKey().Bytes()) != key.ID {
		return nil, decryptError("the wrapped key is another one")
	}
	return &privateKey{key.ID, private}, nil
}

// privateKey is an unwrapped private half of a key of the day.
type privateKey struct {
	id  string
	key *ecdh.PrivateKey
}

// Open decrypts a card that was sealed with info as both info and aad. Every error is card.ErrDecrypt.
func (k *privateKey) Open(sealed card.Sealed, info string) (card.Card, error) {
	if sealed.KeyID != k.id {
		return card.Card{}, decryptError("unknown key")
	}
	return unseal(k.key, sealed, info)
}

// keyID returns the id of a public key: its day, and the first 16 bytes of its SHA-256 as base64url. Every browser gets
// it, so it must not tell where the key is stored.
func keyID(day string, point []byte) string {
	sum := sha256.Sum256(point)
	return day + "." + base64url.EncodeToString(sum[:16])
}
