package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/smithy-go/middleware"
)

// A process makes one data key an hour, and every other process unwraps it once.
func TestKMSIsNotCalledForEachCard(t *testing.T) {
	fake, _ := newFakeKMS(t)
	at := noon()
	vault := fake.vault(t, "", "alias/cards", func() time.Time { return at })
	var cards []card.Encrypted
	for i, test := range []struct {
		later time.Duration
		made  int
	}{{0, 1}, {time.Minute, 1}, {59*time.Minute - 1, 1}, {1, 2}, {59 * time.Minute, 2}, {24 * time.Hour, 3}} {
		at = at.Add(test.later)
		cards = append(cards, encrypt(t, vault, wholeCard, testAssociated))
		checkDecrypts(t, vault, cards[i], testAssociated)
		if made := fake.callsOf("GenerateDataKey"); made != test.made {
			t.Errorf("card %d: %d data keys", i, made)
		}
	}
	if fake.callsOf("Decrypt") != 0 {
		t.Error("unwrapped its own keys")
	}
	other := fake.vault(t, "", "", noon)
	for range 3 {
		for _, card := range cards {
			checkDecrypts(t, other, card, testAssociated)
		}
	}
	if n := fake.callsOf("Decrypt"); n != 3 {
		t.Errorf("unwrapped three keys %d times", n)
	}
}

func TestADataKeyEndsAfterManyCards(t *testing.T) {
	fake, vault := newFakeKMS(t)
	encrypt(t, vault, wholeCard, testAssociated)
	vault.current.cards = dataKeyCards - 1
	encrypt(t, vault, wholeCard, testAssociated)
	if n := fake.callsOf("GenerateDataKey"); n != 1 {
		t.Fatalf("%d data keys", n)
	}
	encrypt(t, vault, wholeCard, testAssociated)
	if n := fake.callsOf("GenerateDataKey"); n != 2 || vault.current.cards != 1 {
		t.Errorf("%d data keys, %d cards under the last", n, vault.current.cards)
	}
}

func TestDataKeysInMemoryAreBounded(t *testing.T) {
	vault := newLocal(t)
	first := encrypt(t, vault, wholeCard, testAssociated)
	for i := range 2 * dataKeyLimit {
		vault.cache(fmt.Sprint(i), vault.current.aead)
		if len(vault.dataKeys) > dataKeyLimit {
			t.Fatalf("%d data keys are in memory", len(vault.dataKeys))
		}
	}
	checkDecrypts(t, vault, first, testAssociated)
}

// CloudTrail logs requests to KMS.
func TestRequestsToKMSHaveNeitherCardNorToken(t *testing.T) {
	fake, vault := newFakeKMS(t)
	card := encrypt(t, vault, wholeCard, testAssociated)
	checkDecrypts(t, fake.vault(t, "", "", noon), card, testAssociated)
	if len(fake.bodies) != 2 {
		t.Fatalf("KMS got %d requests", len(fake.bodies))
	}
	for _, body := range fake.bodies {
		checkNoSecret(t, "a request", body)
		if !strings.Contains(body, `"EncryptionContext":{"use":"saved cards"}`) || strings.Contains(body, "merchant") {
			t.Errorf("sent %s", body)
		}
	}
}

func TestCardsAreDecryptedAfterTheirKMSKeyWasReplaced(t *testing.T) {
	fake, old := newFakeKMS(t)
	before := encrypt(t, old, wholeCard, testAssociated)
	fake.addKey(t, "alias/new")
	vault := fake.vault(t, "", "alias/new", noon)
	after := encrypt(t, vault, wholeCard, testAssociated)
	checkDecrypts(t, vault, before, testAssociated)
	checkDecrypts(t, vault, after, testAssociated)
	delete(fake.keys, "alias/cards")
	vault = fake.vault(t, "", "alias/new", noon)
	card, err := vault.Decrypt(t.Context(), before, testAssociated)
	checkErrDecrypt(t, card, err)
	checkDecrypts(t, vault, after, testAssociated)
}

func TestFailuresOfKMSAreNotErrDecrypt(t *testing.T) {
	for _, kind := range []string{
		"KMSInternalException", "ThrottlingException", "AccessDeniedException", "DisabledException",
		"KMSInvalidStateException", "NotFoundException", "IncorrectKeyException", "ValidationException",
	} {
		t.Run(kind, func(t *testing.T) {
			fake, first := newFakeKMS(t)
			good := encrypt(t, first, wholeCard, testAssociated)
			vault := fake.vault(t, "", "alias/cards", noon) // with no key in memory
			fake.denied["GenerateDataKey"], fake.denied["Decrypt"] = kind, kind
			none, err := vault.Encrypt(t.Context(), wholeCard, testAssociated)
			if err == nil || errors.Is(err, card.ErrDecrypt) || !strings.Contains(err.Error(), kind) {
				t.Errorf("encrypt: %v", err)
			}
			if none != (card.Encrypted{}) {
				t.Errorf("encrypted %v", none)
			}
			checkNoSecret(t, "the error", err.Error())
			c, err := vault.Decrypt(t.Context(), good, testAssociated)
			if err == nil || errors.Is(err, card.ErrDecrypt) || !strings.Contains(err.Error(), kind) || c.Number != "" {
				t.Errorf("decrypted %v, %v", c, err)
			}
			checkNoSecret(t, "the error", err.Error())
			checkDecrypts(t, first, good, testAssociated) // its keys are in memory
			clear(fake.denied)
			checkDecrypts(t, vault, good, testAssociated)
		})
	}
}

func TestCallsOfKMSEndWithTheirContext(t *testing.T) {
	fake, first := newFakeKMS(t)
	good, day := encrypt(t, first, wholeCard, testAssociated), dayKey(t, first, testDay)
	vault := fake.vault(t, "alias/days", "alias/cards", noon)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := vault.Encrypt(ctx, wholeCard, testAssociated); !errors.Is(err, context.Canceled) {
		t.Errorf("encrypted, %v", err)
	}
	_, err := vault.Decrypt(ctx, good, testAssociated)
	if !errors.Is(err, context.Canceled) || errors.Is(err, card.ErrDecrypt) {
		t.Errorf("decrypted, %v", err)
	}
	if _, err := vault.NewDayKey(ctx, testDay); !errors.Is(err, context.Canceled) {
		t.Errorf("made a key, %v", err)
	}
	if _, err := vault.OpenDayKey(ctx, day); !errors.Is(err, context.Canceled) || errors.Is(err, card.ErrDecrypt) {
		t.Errorf("opened a key, %v", err)
	}
}

func TestKMSIsNotCalledForBytesOfAnotherForm(t *testing.T) {
	fake, vault := newFakeKMS(t)
	good := encrypt(t, vault, wholeCard, testAssociated)
	for name, field := range fields {
		for _, bad := range []string{"", "=", strings.Repeat("A", 1<<20)} {
			changed := good
			*field(&changed) = bad
			c, err := vault.Decrypt(t.Context(), changed, testAssociated)
			checkErrDecrypt(t, c, err)
			_, err = vault.OpenDayKey(t.Context(), card.DayKey{Day: testDay, Wrapped: bad})
			if !errors.Is(err, card.ErrDecrypt) {
				t.Errorf("opened a key, %v", err)
			}
		}
		if n := fake.callsOf("Decrypt"); n != 0 {
			t.Errorf("%s: called KMS %d times", name, n)
		}
	}
}

func checkNotEncrypted(t *testing.T, vault *Vault) {
	t.Helper()
	encrypted, err := vault.Encrypt(t.Context(), wholeCard, testAssociated)
	if err == nil || encrypted != (card.Encrypted{}) {
		t.Errorf("encrypted %v, %v", encrypted, err)
	}
}

func TestKMSReturnsNoDataKey(t *testing.T) {
	fake, vault := newFakeKMS(t)
	fake.size = 16
	checkNotEncrypted(t, vault)
	fake.size, fake.unwrapped = keySize, true
	checkNotEncrypted(t, vault)
	fake.unwrapped = false
	good := encrypt(t, vault, wholeCard, testAssociated)
	associated, _ := json.Marshal(savedCards.context()) // a key of 16 bytes that is wrapped for the same use
	good.Key = base64url.EncodeToString(fake.keys["alias/cards"].Seal(nil, nil, make([]byte, 16), associated))
	card, err := vault.Decrypt(t.Context(), good, testAssociated)
	checkErrDecrypt(t, card, err)
}

func TestAVaultWithoutACardKey(t *testing.T) {
	fake, _ := newFakeKMS(t)
	encrypted, err := fake.vault(t, "alias/days", "", noon).Encrypt(t.Context(), wholeCard, testAssociated)
	if err == nil || errors.Is(err, card.ErrDecrypt) || encrypted != (card.Encrypted{}) {
		t.Errorf("encrypted %v, %v", encrypted, err)
	}
	if n := fake.callsOf("GenerateDataKey"); n != 0 {
		t.Errorf("called KMS %d times", n)
	}
}

// The plain keys of responses are cleared when they were used.
func TestPlainKeysOfKMSAreCleared(t *testing.T) {
	fake, first := newFakeKMS(t)
	var seen [][]byte
	record := middleware.InitializeMiddlewareFunc("record", func(
		ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
	) (middleware.InitializeOutput, middleware.Metadata, error) {
		out, metadata, err := next.HandleInitialize(ctx, in)
		switch result := out.Result.(type) {
		case *kms.GenerateDataKeyOutput:
			seen = append(seen, result.Plaintext)
		case *kms.DecryptOutput:
			seen = append(seen, result.Plaintext)
		}
		return out, metadata, err
	})
	options := fake.vault(t, "", "", noon).keys.(*kmsKeys).client.Options()
	options.APIOptions = append(options.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(record, middleware.Before)
	})
	vault := NewKMS(kms.New(options), "alias/days", "alias/cards", noon)
	checkDecrypts(t, vault, encrypt(t, first, wholeCard, testAssociated), testAssociated)
	encrypt(t, vault, wholeCard, testAssociated)
	if _, err := vault.OpenDayKey(t.Context(), dayKey(t, vault, testDay)); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 3 {
		t.Fatalf("saw %d keys", len(seen))
	}
	for i, key := range seen {
		if !bytes.Equal(key, make([]byte, len(key))) {
			t.Errorf("key %d of %d bytes is not cleared", i, len(key))
		}
	}
}
