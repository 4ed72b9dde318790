package vault

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/card"
)

const (
	testToken      = "7d5a0c3f9b1e48d6a2c4e6f80b1d3f5a7c9e0b2d4f6a8c1e3f5b7d9a0c2e4f60"
	testAssociated = "saved/merchant-ü/" + testToken
)

var (
	// wholeCard has everything that a card can have.
	wholeCard = card.Card{
		Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: "123",
		PayeeNumber: "5555555555554444",
	}
	// savedPart is the part of it that is encrypted.
	savedPart = card.Card{Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038}
)

// savedJSON is the JSON of savedPart, as it is encrypted.
const savedJSON = `{"number":"4111111111111111","expiry_month":1,"expiry_year":2038}`

// eachVault runs a test with both kinds of vault.
func eachVault(t *testing.T, test func(t *testing.T, vault *Vault)) {
	t.Helper()
	t.Run("local", func(t *testing.T) { test(t, newLocal(t)) })
	t.Run("KMS", func(t *testing.T) {
		_, vault := newFakeKMS(t)
		test(t, vault)
	})
}

func noon() time.Time { return time.Date(2030, 3, 4, 12, 0, 0, 0, time.UTC) }

func newLocal(t *testing.T) *Vault {
	t.Helper()
	vault, err := NewLocal(rand.Reader, noon)
	if err != nil {
		t.Fatal(err)
	}
	return vault
}

func encrypt(t *testing.T, vault *Vault, card card.Card, associated string) card.Encrypted {
	t.Helper()
	encrypted, err := vault.Encrypt(t.Context(), card, associated)
	if err != nil {
		t.Fatal(err)
	}
	return encrypted
}

func checkDecrypts(t *testing.T, vault *Vault, encrypted card.Encrypted, associated string) {
	t.Helper()
	if card, err := vault.Decrypt(t.Context(), encrypted, associated); err != nil || !reflect.DeepEqual(card, savedPart) {
		t.Errorf("opened %v, %v", card, err)
	}
}

func TestDecryptReturnsNumberAndExpiryOnly(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		checkDecrypts(t, vault, encrypt(t, vault, wholeCard, testAssociated), testAssociated)
	})
}

func TestTheSameCardTwiceHasDifferentCiphertexts(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		one, two := encrypt(t, vault, wholeCard, testAssociated), encrypt(t, vault, wholeCard, testAssociated)
		if one.Nonce == two.Nonce || one.Ciphertext == two.Ciphertext {
			t.Errorf("%+v and %+v", one, two)
		}
		if nonce, err := base64url.DecodeString(one.Nonce); err != nil || len(nonce) != 12 {
			t.Errorf("the nonce has %d bytes, %v", len(nonce), err)
		}
	})
}

func TestExactlyNumberAndExpiryAreEncrypted(t *testing.T) {
	vault := newLocal(t)
	stored, err := decodeEncrypted(encrypt(t, vault, wholeCard, testAssociated))
	if err != nil {
		t.Fatal(err)
	}
	key, err := vault.keys.unwrap(t.Context(), stored.wrapped, savedCards)
	if err != nil || len(key) != 32 {
		t.Fatalf("a data key of %d bytes, %v", len(key), err)
	}
	aead, err := newAEAD(key)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := aead.Open(nil, nil, stored.ciphertext, []byte(testAssociated))
	if err != nil || string(plain) != savedJSON {
		t.Errorf("encrypted %s, %v", plain, err)
	}
}

func TestNothingOfTheCardIsLegible(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		encoded, err := json.Marshal(encrypt(t, vault, wholeCard, testAssociated))
		if err != nil {
			t.Fatal(err)
		}
		checkNoSecret(t, "the encrypted card", string(encoded))
		var stored card.Encrypted
		if err := json.Unmarshal(encoded, &stored); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{stored.Key, stored.Nonce, stored.Ciphertext} {
			raw, err := base64url.DecodeString(field)
			if err != nil {
				t.Fatal(err)
			}
			checkNoSecret(t, "a decoded field", string(raw))
		}
		checkDecrypts(t, vault, stored, testAssociated)
	})
}

// checkNoSecret checks that a text has no part of wholeCard and not its token.
func checkNoSecret(t *testing.T, what, shown string) {
	t.Helper()
	for _, secret := range []string{"411111", "111111", "555555", ":2038", `"123"`, testToken[:16], `"number"`} {
		if strings.Contains(shown, secret) {
			t.Errorf("%s shows %s: %s", what, secret, shown)
		}
	}
}

func TestDecryptRefusesEveryChangedByte(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		good := encrypt(t, vault, wholeCard, testAssociated)
		for name, field := range fields {
			whole := *field(&good)
			for at := range base64url.DecodedLen(len(whole)) {
				changed := good
				*field(&changed) = flip(t, whole, at)
				c, err := vault.Decrypt(t.Context(), changed, testAssociated)
				if c.Number != "" || !errors.Is(err, card.ErrDecrypt) {
					t.Fatalf("%s, byte %d: opened %v, %v", name, at, c, err)
				}
			}
		}
		checkDecrypts(t, vault, good, testAssociated)
	})
}

var fields = map[string]func(*card.Encrypted) *string{
	"key":        func(k *card.Encrypted) *string { return &k.Key },
	"nonce":      func(k *card.Encrypted) *string { return &k.Nonce },
	"ciphertext": func(k *card.Encrypted) *string { return &k.Ciphertext },
}

func TestDecryptRefusesFieldsOfAnotherForm(t *testing.T) {
	forms := map[string]func(whole string) string{
		"empty":          func(string) string { return "" },
		"no base64url":   func(string) string { return "4111 1111" },
		"with padding":   func(whole string) string { return whole + "=" },
		"other alphabet": func(whole string) string { return "+" + whole[1:] },
		"shorter":        func(whole string) string { return whole[4:] },
		"longer":         func(whole string) string { return whole + "AAAA" },
		"huge":           func(string) string { return strings.Repeat("A", 1<<20) },
	}
	eachVault(t, func(t *testing.T, vault *Vault) {
		good := encrypt(t, vault, wholeCard, testAssociated)
		for name, field := range fields {
			for form, change := range forms {
				t.Run(name+" "+form, func(t *testing.T) {
					changed := good
					*field(&changed) = change(*field(&good))
					card, err := vault.Decrypt(t.Context(), changed, testAssociated)
					checkErrDecrypt(t, card, err)
				})
			}
		}
	})
}

func TestEncryptedCardsAreNotInterchangeable(t *testing.T) {
	const otherAssociated = "saved/other/" + testToken
	eachVault(t, func(t *testing.T, vault *Vault) {
		good, again := encrypt(t, vault, wholeCard, testAssociated), encrypt(t, vault, wholeCard, testAssociated)
		other := encrypt(t, vault, testCard, otherAssociated)
		vault.current = dataKey{} // an hour later
		later := encrypt(t, vault, wholeCard, testAssociated)
		from := func(key, nonce, ciphertext string) card.Encrypted {
			return card.Encrypted{Key: key, Nonce: nonce, Ciphertext: ciphertext}
		}
		tests := map[string]struct {
			encrypted  card.Encrypted
			associated string
		}{
			"other merchant":                   {good, otherAssociated},
			"no associated data":               {good, ""},
			"longer associated data":           {good, testAssociated + "0"},
			"shorter associated data":          {good, testAssociated[:len(testAssociated)-1]},
			"nonce of the same card again":     {from(good.Key, again.Nonce, good.Ciphertext), testAssociated},
			"ciphertext of the same again":     {from(good.Key, good.Nonce, again.Ciphertext), testAssociated},
			"another card under this card":     {other, testAssociated},
			"nonce and ciphertext change role": {from(good.Key, good.Ciphertext, good.Nonce), testAssociated},
			"a ciphertext that begins early":   {from(good.Key, good.Nonce[:8], shifted(t, good)), testAssociated},
			"nonce of another card":            {from(good.Key, other.Nonce, good.Ciphertext), testAssociated},
			"key of another hour":              {from(later.Key, good.Nonce, good.Ciphertext), testAssociated},
			"nothing at all":                   {card.Encrypted{}, testAssociated},
		}
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				card, err := vault.Decrypt(t.Context(), test.encrypted, test.associated)
				checkErrDecrypt(t, card, err)
			})
		}
	})
}

// shifted returns a ciphertext that begins six bytes early, in its nonce.
func shifted(t *testing.T, encrypted card.Encrypted) string {
	t.Helper()
	nonce, err := base64url.DecodeString(encrypted.Nonce[8:])
	if err != nil {
		t.Fatal(err)
	}
	ciphertext, err := base64url.DecodeString(encrypted.Ciphertext)
	if err != nil {
		t.Fatal(err)
	}
	return base64url.EncodeToString(append(nonce, ciphertext...))
}

// forge encrypts any text under a data key of any size as Encrypt would.
func forge(t *testing.T, vault *Vault, key []byte, plain string) card.Encrypted {
	t.Helper()
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		t.Fatal(err)
	}
	sealed := aead.Seal(nil, nil, []byte(plain), []byte(testAssociated))
	return card.Encrypted{
		Key:        base64url.EncodeToString(vault.keys.(*localKeys).wrapping.Seal(nil, nil, key, savedCards.bytes())),
		Nonce:      base64url.EncodeToString(sealed[:nonceSize]),
		Ciphertext: base64url.EncodeToString(sealed[nonceSize:]),
	}
}

func TestDecryptRefusesContentThatIsNoCard(t *testing.T) {
	vault, key := newLocal(t), make([]byte, keySize)
	checkDecrypts(t, vault, forge(t, vault, key, savedJSON), testAssociated)
	tests := map[string]string{
		"nothing":         "",
		"null":            "null",
		"wrong type":      `{"number":4111111111111111}`,
		"a security code": `{"number":"4111111111111111","security_code":"123"}`,
		"two cards":       `{"number":"4111111111111111"}{}`,
	}
	for name, plain := range tests {
		t.Run(name, func(t *testing.T) {
			card, err := vault.Decrypt(t.Context(), forge(t, vault, key, plain), testAssociated)
			checkErrDecrypt(t, card, err)
		})
	}
	t.Run("a data key of 16 bytes", func(t *testing.T) {
		forged := forge(t, vault, key[:16], savedJSON)
		card, err := vault.Decrypt(t.Context(), forged, testAssociated)
		checkErrDecrypt(t, card, err)
	})
}

func TestACardTooLargeIsNotEncrypted(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		large := card.Card{Number: strings.Repeat("411111", maxCiphertext/6)}
		encrypted, err := vault.Encrypt(t.Context(), large, testAssociated)
		if err == nil || encrypted != (card.Encrypted{}) {
			t.Fatalf("encrypted %v", err)
		}
		checkNoSecret(t, "the error", err.Error())
	})
}

func TestAnotherVaultDecryptsNothing(t *testing.T) {
	card, err := newLocal(t).Decrypt(t.Context(), encrypt(t, newLocal(t), wholeCard, testAssociated), testAssociated)
	checkErrDecrypt(t, card, err)
}

// A wrapped private half is not accepted as a data key, nor a data key as a private half.
func TestWrappedKeysHaveOneUse(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		day, err := vault.NewDayKey(t.Context(), testDay)
		if err != nil {
			t.Fatal(err)
		}
		good := encrypt(t, vault, wholeCard, testAssociated)
		changed := good
		changed.Key = day.Wrapped
		c, err := vault.Decrypt(t.Context(), changed, testAssociated)
		checkErrDecrypt(t, c, err)
		day.Wrapped = good.Key
		if _, err := vault.OpenDayKey(t.Context(), day); !errors.Is(err, card.ErrDecrypt) {
			t.Errorf("opened, %v", err)
		}
	})
}

func TestLocalWithoutRandomness(t *testing.T) {
	vault, err := NewLocal(io.LimitReader(rand.Reader, 2*keySize+9), noon)
	if err != nil {
		t.Fatal(err)
	}
	good := encrypt(t, vault, wholeCard, testAssociated)
	vault.current = dataKey{}
	encrypted, err := vault.Encrypt(t.Context(), wholeCard, testAssociated)
	if !errors.Is(err, io.ErrUnexpectedEOF) || encrypted != (card.Encrypted{}) {
		t.Errorf("encrypted %v, %v", encrypted, err)
	}
	if key, err := vault.NewDayKey(t.Context(), testDay); !errors.Is(err, io.EOF) || key != (card.DayKey{}) {
		t.Errorf("made a key, %v", err)
	}
	checkDecrypts(t, vault, good, testAssociated)
}

// recordingReader is a source of randomness that records the slices that it filled.
type recordingReader struct{ filled [][]byte }

func (r *recordingReader) Read(p []byte) (int, error) {
	r.filled = append(r.filled, p)
	return rand.Read(p)
}

func TestKeysAreCleared(t *testing.T) {
	memory := &recordingReader{}
	vault, err := NewLocal(memory, noon)
	if err != nil {
		t.Fatal(err)
	}
	checkDecrypts(t, vault, encrypt(t, vault, wholeCard, testAssociated), testAssociated)
	if _, err := vault.NewDayKey(t.Context(), testDay); err != nil {
		t.Fatal(err)
	}
	if len(memory.filled) != 3 {
		t.Fatalf("read %d times", len(memory.filled))
	}
	for i, key := range memory.filled {
		if !bytes.Equal(key, make([]byte, 32)) {
			t.Errorf("key %d of %d bytes is not cleared", i, len(key))
		}
	}
}

func TestEncryptAndDecryptInParallel(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		ctx := t.Context()
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				associated := testAssociated + string(rune('a'+i))
				encrypted, err := vault.Encrypt(ctx, wholeCard, associated)
				if err != nil {
					t.Error(err)
				}
				if card, err := vault.Decrypt(ctx, encrypted, associated); err != nil || !reflect.DeepEqual(card, savedPart) {
					t.Errorf("opened %v, %v", card, err)
				}
			})
		}
		group.Wait()
	})
}
