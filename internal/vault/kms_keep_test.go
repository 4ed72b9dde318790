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

// One data key is good for all cards of an hour, in the process that has it, and each process unwraps it once.
func TestKMSIsNotAskedPerCard(t *testing.T) {
	fake, _ := newFakeKMS(t)
	at := noon()
	vault := fake.vault(t, "", "alias/kept", func() time.Time { return at })
	var cards []card.Encrypted
	for i, test := range []struct {
		later time.Duration
		made  int
	}{{0, 1}, {time.Minute, 1}, {59*time.Minute - 1, 1}, {1, 2}, {59 * time.Minute, 2}, {24 * time.Hour, 3}} {
		at = at.Add(test.later)
		cards = append(cards, kept(t, vault, wholeCard, testBound))
		opens(t, vault, cards[i], testBound)
		if made := fake.asked("GenerateDataKey"); made != test.made {
			t.Errorf("card %d: %d data keys", i, made)
		}
	}
	if fake.asked("Decrypt") != 0 {
		t.Error("unwrapped its own keys")
	}
	other := fake.vault(t, "", "", noon)
	for range 3 {
		for _, card := range cards {
			opens(t, other, card, testBound)
		}
	}
	if n := fake.asked("Decrypt"); n != 3 {
		t.Errorf("unwrapped three keys %d times", n)
	}
}

func TestADataKeyEndsAfterManyCards(t *testing.T) {
	fake, vault := newFakeKMS(t)
	kept(t, vault, wholeCard, testBound)
	vault.current.cards = dataKeyCards - 1
	kept(t, vault, wholeCard, testBound)
	if n := fake.asked("GenerateDataKey"); n != 1 {
		t.Fatalf("%d data keys", n)
	}
	kept(t, vault, wholeCard, testBound)
	if n := fake.asked("GenerateDataKey"); n != 2 || vault.current.cards != 1 {
		t.Errorf("%d data keys, %d cards under the last", n, vault.current.cards)
	}
}

func TestRememberedDataKeysAreBounded(t *testing.T) {
	vault := newLocal(t)
	first := kept(t, vault, wholeCard, testBound)
	for i := range 2 * dataKeyLimit {
		vault.remember(fmt.Sprint(i), vault.current.aead)
		if len(vault.opened) > dataKeyLimit {
			t.Fatalf("%d data keys are remembered", len(vault.opened))
		}
	}
	opens(t, vault, first, testBound)
}

// CloudTrail logs what KMS is asked for.
func TestKMSHearsNeitherCardNorToken(t *testing.T) {
	fake, vault := newFakeKMS(t)
	card := kept(t, vault, wholeCard, testBound)
	opens(t, fake.vault(t, "", "", noon), card, testBound)
	if len(fake.heard) != 2 {
		t.Fatalf("KMS heard %d questions", len(fake.heard))
	}
	for _, body := range fake.heard {
		silent(t, "a request", body)
		if !strings.Contains(body, `"EncryptionContext":{"use":"saved cards"}`) || strings.Contains(body, "merchant") {
			t.Errorf("asked %s", body)
		}
	}
}

func TestCardsOutliveTheReplacementOfTheirKMSKey(t *testing.T) {
	fake, old := newFakeKMS(t)
	before := kept(t, old, wholeCard, testBound)
	fake.addKey(t, "alias/new")
	vault := fake.vault(t, "", "alias/new", noon)
	after := kept(t, vault, wholeCard, testBound)
	opens(t, vault, before, testBound)
	opens(t, vault, after, testBound)
	delete(fake.keys, "alias/kept")
	vault = fake.vault(t, "", "alias/new", noon)
	card, err := vault.OpenKept(t.Context(), before, testBound)
	refused(t, card, err)
	opens(t, vault, after, testBound)
}

func TestKMSFailingIsNotTheKeptCardsFault(t *testing.T) {
	for _, kind := range []string{"KMSInternalException", "ThrottlingException", "AccessDeniedException", "DisabledException",
		"KMSInvalidStateException", "NotFoundException", "IncorrectKeyException", "ValidationException"} {
		t.Run(kind, func(t *testing.T) {
			fake, first := newFakeKMS(t)
			good := kept(t, first, wholeCard, testBound)
			vault := fake.vault(t, "", "alias/kept", noon) // that remembers nothing
			fake.denied["GenerateDataKey"], fake.denied["Decrypt"] = kind, kind
			none, err := vault.Keep(t.Context(), wholeCard, testBound)
			if err == nil || errors.Is(err, card.ErrSealed) || !strings.Contains(err.Error(), kind) || none != (card.Encrypted{}) {
				t.Errorf("kept %v, %v", none, err)
			}
			silent(t, "the error", err.Error())
			c, err := vault.OpenKept(t.Context(), good, testBound)
			if err == nil || errors.Is(err, card.ErrSealed) || !strings.Contains(err.Error(), kind) || c.Number != "" {
				t.Errorf("opened %v, %v", c, err)
			}
			silent(t, "the error", err.Error())
			opens(t, first, good, testBound) // what is remembered needs no KMS
			clear(fake.denied)
			opens(t, vault, good, testBound)
		})
	}
}

func TestKMSHeedsTheContext(t *testing.T) {
	fake, first := newFakeKMS(t)
	good, day := kept(t, first, wholeCard, testBound), dayKey(t, first, testDay)
	vault := fake.vault(t, "alias/days", "alias/kept", noon)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := vault.Keep(ctx, wholeCard, testBound); !errors.Is(err, context.Canceled) {
		t.Errorf("kept, %v", err)
	}
	if _, err := vault.OpenKept(ctx, good, testBound); !errors.Is(err, context.Canceled) || errors.Is(err, card.ErrSealed) {
		t.Errorf("opened, %v", err)
	}
	if _, err := vault.NewDayKey(ctx, testDay); !errors.Is(err, context.Canceled) {
		t.Errorf("made a key, %v", err)
	}
	if _, err := vault.OpenDayKey(ctx, day); !errors.Is(err, context.Canceled) || errors.Is(err, card.ErrSealed) {
		t.Errorf("opened a key, %v", err)
	}
}

func TestKMSIsNotAskedForBytesOfAnotherForm(t *testing.T) {
	fake, vault := newFakeKMS(t)
	good := kept(t, vault, wholeCard, testBound)
	for name, field := range fields {
		for _, bad := range []string{"", "=", strings.Repeat("A", 1<<20)} {
			changed := good
			*field(&changed) = bad
			c, err := vault.OpenKept(t.Context(), changed, testBound)
			refused(t, c, err)
			if _, err := vault.OpenDayKey(t.Context(), card.DayKey{Day: testDay, Wrapped: bad}); !errors.Is(err, card.ErrSealed) {
				t.Errorf("opened a key, %v", err)
			}
		}
		if n := fake.asked("Decrypt"); n != 0 {
			t.Errorf("%s: asked KMS %d times", name, n)
		}
	}
}

func TestKMSAnswersNoDataKey(t *testing.T) {
	fake, vault := newFakeKMS(t)
	fake.size = 16
	if kept, err := vault.Keep(t.Context(), wholeCard, testBound); err == nil || kept != (card.Encrypted{}) {
		t.Errorf("kept %v, %v", kept, err)
	}
	fake.size, fake.unwrapped = keySize, true
	if kept, err := vault.Keep(t.Context(), wholeCard, testBound); err == nil || kept != (card.Encrypted{}) {
		t.Errorf("kept %v, %v", kept, err)
	}
	fake.unwrapped = false
	good := kept(t, vault, wholeCard, testBound)
	bound, _ := json.Marshal(savedCards.context()) // somebody had another key wrapped for the same use
	good.Key = text.EncodeToString(fake.keys["alias/kept"].Seal(nil, nil, make([]byte, 16), bound))
	card, err := vault.OpenKept(t.Context(), good, testBound)
	refused(t, card, err)
}

func TestAVaultWithoutACardKey(t *testing.T) {
	fake, _ := newFakeKMS(t)
	kept, err := fake.vault(t, "alias/days", "", noon).Keep(t.Context(), wholeCard, testBound)
	if err == nil || errors.Is(err, card.ErrSealed) || kept != (card.Encrypted{}) || fake.asked("GenerateDataKey") != 0 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// What KMS unwraps does not stay in memory as it came.
func TestKMSPlainKeysAreCleared(t *testing.T) {
	fake, first := newFakeKMS(t)
	var seen [][]byte
	note := middleware.InitializeMiddlewareFunc("note", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
		middleware.InitializeOutput, middleware.Metadata, error) {
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
	options.APIOptions = append(options.APIOptions, func(stack *middleware.Stack) error { return stack.Initialize.Add(note, middleware.Before) })
	vault := NewKMS(kms.New(options), "alias/days", "alias/kept", noon)
	opens(t, vault, kept(t, first, wholeCard, testBound), testBound)
	kept(t, vault, wholeCard, testBound)
	if _, err := vault.OpenDayKey(t.Context(), dayKey(t, vault, testDay)); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 3 {
		t.Fatalf("saw %d keys", len(seen))
	}
	for i, key := range seen {
		if !bytes.Equal(key, make([]byte, len(key))) {
			t.Errorf("key %d of %d bytes lives on", i, len(key))
		}
	}
}
