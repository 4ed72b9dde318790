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
	testToken = "7d5a0c3f9b1e48d6a2c4e6f80b1d3f5a7c9e0b2d4f6a8c1e3f5b7d9a0c2e4f60"
	testBound = "saved/merchant-ü/" + testToken
)

var (
	// wholeCard has everything that a card can have.
	wholeCard = card.Card{Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: "123", PayeeNumber: "5555555555554444"}
	// keptOf is what is to be left of it.
	keptOf = card.Card{Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038}
)

// eachVault runs a test with both kinds of vault.
func eachVault(t *testing.T, test func(t *testing.T, vault card.Vault)) {
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

func kept(t *testing.T, vault card.Vault, card card.Card, bound string) card.Encrypted {
	t.Helper()
	kept, err := vault.Keep(t.Context(), card, bound)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func opens(t *testing.T, vault card.Vault, kept card.Encrypted, bound string) {
	t.Helper()
	if card, err := vault.OpenKept(t.Context(), kept, bound); err != nil || !reflect.DeepEqual(card, keptOf) {
		t.Errorf("opened %v, %v", card, err)
	}
}

func TestKeptCardOpensWithoutItsCodes(t *testing.T) {
	eachVault(t, func(t *testing.T, vault card.Vault) {
		opens(t, vault, kept(t, vault, wholeCard, testBound), testBound)
	})
}

func TestTheSameCardIsKeptDifferently(t *testing.T) {
	eachVault(t, func(t *testing.T, vault card.Vault) {
		one, two := kept(t, vault, wholeCard, testBound), kept(t, vault, wholeCard, testBound)
		if one.Nonce == two.Nonce || one.Ciphertext == two.Ciphertext {
			t.Errorf("%+v and %+v", one, two)
		}
		if nonce, err := text.DecodeString(one.Nonce); err != nil || len(nonce) != 12 {
			t.Errorf("the nonce has %d bytes, %v", len(nonce), err)
		}
	})
}

func TestExactlyNumberAndExpiryAreEncrypted(t *testing.T) {
	vault := newLocal(t)
	stored, err := decodeKept(kept(t, vault, wholeCard, testBound))
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
	plain, err := aead.Open(nil, nil, stored.sealed, []byte(testBound))
	if got, want := string(plain), `{"number":"4111111111111111","expiry_month":1,"expiry_year":2038}`; got != want || err != nil {
		t.Errorf("encrypted %s, %v", got, err)
	}
}

func TestNothingOfTheCardIsLegible(t *testing.T) {
	eachVault(t, func(t *testing.T, vault card.Vault) {
		encoded, err := json.Marshal(kept(t, vault, wholeCard, testBound))
		if err != nil {
			t.Fatal(err)
		}
		silent(t, "the kept card", string(encoded))
		var stored card.Encrypted
		if err := json.Unmarshal(encoded, &stored); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{stored.Key, stored.Nonce, stored.Ciphertext} {
			raw, err := text.DecodeString(field)
			if err != nil {
				t.Fatal(err)
			}
			silent(t, "a decoded field", string(raw))
		}
		opens(t, vault, stored, testBound)
	})
}

// silent checks that a text says nothing of wholeCard or its token.
func silent(t *testing.T, what, said string) {
	t.Helper()
	for _, secret := range []string{"411111", "111111", "555555", ":2038", `"123"`, testToken[:16], `"number"`} {
		if strings.Contains(said, secret) {
			t.Errorf("%s shows %s: %s", what, secret, said)
		}
	}
}

func TestEveryByteOfAKeptCardCounts(t *testing.T) {
	eachVault(t, func(t *testing.T, vault card.Vault) {
		good := kept(t, vault, wholeCard, testBound)
		for name, field := range fields {
			whole := *field(&good)
			for at := range text.DecodedLen(len(whole)) {
				changed := good
				*field(&changed) = flip(t, whole, at)
				c, err := vault.OpenKept(t.Context(), changed, testBound)
				if c.Number != "" || !errors.Is(err, card.ErrSealed) {
					t.Fatalf("%s, byte %d: opened %v, %v", name, at, c, err)
				}
			}
		}
		opens(t, vault, good, testBound)
	})
}

var fields = map[string]func(*card.Encrypted) *string{
	"key":        func(k *card.Encrypted) *string { return &k.Key },
	"nonce":      func(k *card.Encrypted) *string { return &k.Nonce },
	"ciphertext": func(k *card.Encrypted) *string { return &k.Ciphertext },
}

func TestKeptFieldsOfAnotherForm(t *testing.T) {
	forms := map[string]func(whole string) string{
		"empty":          func(string) string { return "" },
		"no base64url":   func(string) string { return "4111 1111" },
		"with padding":   func(whole string) string { return whole + "=" },
		"other alphabet": func(whole string) string { return "+" + whole[1:] },
		"shorter":        func(whole string) string { return whole[4:] },
		"longer":         func(whole string) string { return whole + "AAAA" },
		"huge":           func(string) string { return strings.Repeat("A", 1<<20) },
	}
	eachVault(t, func(t *testing.T, vault card.Vault) {
		good := kept(t, vault, wholeCard, testBound)
		for name, field := range fields {
			for form, change := range forms {
				t.Run(name+" "+form, func(t *testing.T) {
					changed := good
					*field(&changed) = change(*field(&good))
					card, err := vault.OpenKept(t.Context(), changed, testBound)
					refused(t, card, err)
				})
			}
		}
	})
}

func TestKeptCardsAreNotInterchangeable(t *testing.T) {
	const otherBound = "saved/other/" + testToken
	eachVault(t, func(t *testing.T, vault card.Vault) {
		good, again := kept(t, vault, wholeCard, testBound), kept(t, vault, wholeCard, testBound)
		other := kept(t, vault, testCard, otherBound)
		vault.(*Vault).current = dataKey{} // an hour later
		later := kept(t, vault, wholeCard, testBound)
		tests := map[string]struct {
			kept  card.Encrypted
			bound string
		}{
			"other merchant":                   {good, otherBound},
			"no bound text":                    {good, ""},
			"a longer bound text":              {good, testBound + "0"},
			"a shorter bound text":             {good, testBound[:len(testBound)-1]},
			"nonce of the same card again":     {card.Encrypted{Key: good.Key, Nonce: again.Nonce, Ciphertext: good.Ciphertext}, testBound},
			"ciphertext of the same again":     {card.Encrypted{Key: good.Key, Nonce: good.Nonce, Ciphertext: again.Ciphertext}, testBound},
			"another card under this card":     {other, testBound},
			"nonce and ciphertext change role": {card.Encrypted{Key: good.Key, Nonce: good.Ciphertext, Ciphertext: good.Nonce}, testBound},
			"a ciphertext that begins early":   {card.Encrypted{Key: good.Key, Nonce: good.Nonce[:8], Ciphertext: shifted(t, good)}, testBound},
			"nonce of another card":            {card.Encrypted{Key: good.Key, Nonce: other.Nonce, Ciphertext: good.Ciphertext}, testBound},
			"key of another hour":              {card.Encrypted{Key: later.Key, Nonce: good.Nonce, Ciphertext: good.Ciphertext}, testBound},
			"nothing at all":                   {card.Encrypted{}, testBound},
		}
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				card, err := vault.OpenKept(t.Context(), test.kept, test.bound)
				refused(t, card, err)
			})
		}
	})
}

// shifted is a ciphertext that begins six bytes early, in its nonce.
func shifted(t *testing.T, kept card.Encrypted) string {
	t.Helper()
	nonce, err := text.DecodeString(kept.Nonce[8:])
	if err != nil {
		t.Fatal(err)
	}
	ciphertext, err := text.DecodeString(kept.Ciphertext)
	if err != nil {
		t.Fatal(err)
	}
	return text.EncodeToString(append(nonce, ciphertext...))
}

// forge keeps any text under a data key of any size, as if Keep had made it.
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
	sealed := aead.Seal(nil, nil, []byte(plain), []byte(testBound))
	return card.Encrypted{
		Key:        text.EncodeToString(vault.keys.(*localKeys).wrapping.Seal(nil, nil, key, savedCards.bytes())),
		Nonce:      text.EncodeToString(sealed[:nonceSize]),
		Ciphertext: text.EncodeToString(sealed[nonceSize:]),
	}
}

func TestKeptContentThatIsNoCard(t *testing.T) {
	vault, key := newLocal(t), make([]byte, keySize)
	opens(t, vault, forge(t, vault, key, `{"number":"4111111111111111","expiry_month":1,"expiry_year":2038}`), testBound)
	tests := map[string]string{
		"nothing":         "",
		"null":            "null",
		"wrong type":      `{"number":4111111111111111}`,
		"a security code": `{"number":"4111111111111111","security_code":"123"}`,
		"two cards":       `{"number":"4111111111111111"}{}`,
	}
	for name, plain := range tests {
		t.Run(name, func(t *testing.T) {
			card, err := vault.OpenKept(t.Context(), forge(t, vault, key, plain), testBound)
			refused(t, card, err)
		})
	}
	t.Run("a data key of 16 bytes", func(t *testing.T) {
		card, err := vault.OpenKept(t.Context(), forge(t, vault, key[:16], `{"number":"4111111111111111"}`), testBound)
		refused(t, card, err)
	})
}

func TestACardTooLargeIsNotKept(t *testing.T) {
	eachVault(t, func(t *testing.T, vault card.Vault) {
		kept, err := vault.Keep(t.Context(), card.Card{Number: strings.Repeat("411111", maxCiphertext/6)}, testBound)
		if err == nil || kept != (card.Encrypted{}) {
			t.Fatalf("kept %v", err)
		}
		silent(t, "the error", err.Error())
	})
}

func TestACardOfAnotherVaultStaysClosed(t *testing.T) {
	card, err := newLocal(t).OpenKept(t.Context(), kept(t, newLocal(t), wholeCard, testBound), testBound)
	refused(t, card, err)
}

// A wrapped key is good for its use alone: no private half passes for a data key, nor the other way round.
func TestWrappedKeysKeepTheirUse(t *testing.T) {
	eachVault(t, func(t *testing.T, vault card.Vault) {
		day, err := vault.NewDayKey(t.Context(), testDay)
		if err != nil {
			t.Fatal(err)
		}
		good := kept(t, vault, wholeCard, testBound)
		c, err := vault.OpenKept(t.Context(), card.Encrypted{Key: day.Wrapped, Nonce: good.Nonce, Ciphertext: good.Ciphertext}, testBound)
		refused(t, c, err)
		day.Wrapped = good.Key
		if _, err := vault.OpenDayKey(t.Context(), day); !errors.Is(err, card.ErrSealed) {
			t.Errorf("opened, %v", err)
		}
	})
}

func TestLocalWithoutRandomness(t *testing.T) {
	vault, err := NewLocal(io.LimitReader(rand.Reader, 2*keySize+9), noon)
	if err != nil {
		t.Fatal(err)
	}
	good := kept(t, vault, wholeCard, testBound)
	vault.current = dataKey{}
	if kept, err := vault.Keep(t.Context(), wholeCard, testBound); !errors.Is(err, io.ErrUnexpectedEOF) || kept != (card.Encrypted{}) {
		t.Errorf("kept %v, %v", kept, err)
	}
	if key, err := vault.NewDayKey(t.Context(), testDay); !errors.Is(err, io.EOF) || key != (card.DayKey{}) {
		t.Errorf("made a key, %v", err)
	}
	opens(t, vault, good, testBound)
}

// remembering keeps hold of the memory that it filled.
type remembering struct{ filled [][]byte }

func (r *remembering) Read(p []byte) (int, error) {
	r.filled = append(r.filled, p)
	return rand.Read(p)
}

func TestKeysAreCleared(t *testing.T) {
	memory := &remembering{}
	vault, err := NewLocal(memory, noon)
	if err != nil {
		t.Fatal(err)
	}
	opens(t, vault, kept(t, vault, wholeCard, testBound), testBound)
	if _, err := vault.NewDayKey(t.Context(), testDay); err != nil {
		t.Fatal(err)
	}
	if len(memory.filled) != 3 {
		t.Fatalf("read %d times", len(memory.filled))
	}
	for i, key := range memory.filled {
		if !bytes.Equal(key, make([]byte, 32)) {
			t.Errorf("key %d of %d bytes lives on", i, len(key))
		}
	}
}

func TestManyKeepAndOpenAtOnce(t *testing.T) {
	eachVault(t, func(t *testing.T, vault card.Vault) {
		ctx := t.Context()
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				bound := testBound + string(rune('a'+i))
				kept, err := vault.Keep(ctx, wholeCard, bound)
				if err != nil {
					t.Error(err)
				}
				if card, err := vault.OpenKept(ctx, kept, bound); err != nil || !reflect.DeepEqual(card, keptOf) {
					t.Errorf("opened %v, %v", card, err)
				}
			})
		}
		group.Wait()
	})
}
