package vault

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/smithy-go/middleware"

	"checkout/internal/checkout"
)

// addCardKey gives the fake a symmetric key.
func (f *fakeKMS) addCardKey(t *testing.T, name string) {
	t.Helper()
	key := make([]byte, keySize)
	_, _ = rand.Read(key)
	aead, err := newAEAD(key)
	if err != nil {
		t.Fatal(err)
	}
	f.cards[name] = aead
}

// dataKey plays GenerateDataKey and Decrypt. Its ciphertexts open without a key's name.
func (f *fakeKMS) dataKey(w http.ResponseWriter, operation string, body []byte) {
	var in struct {
		KeyId, KeySpec    string
		CiphertextBlob    []byte
		EncryptionContext map[string]string
	}
	if err := json.Unmarshal(body, &in); err != nil || len(in.EncryptionContext) == 0 {
		fail(w, "ValidationException")
		return
	}
	bound, _ := json.Marshal(in.EncryptionContext)
	if operation == "GenerateDataKey" {
		key := f.cards[in.KeyId]
		if key == nil || in.KeySpec != "AES_256" {
			fail(w, "NotFoundException")
			return
		}
		plain := make([]byte, f.size)
		_, _ = rand.Read(plain)
		wrapped := key.Seal(nil, nil, plain, bound)
		if f.unwrapped {
			wrapped = nil
		}
		f.say(w, map[string]any{"KeyId": "arn:key", "Plaintext": plain, "CiphertextBlob": wrapped})
		return
	}
	for name, key := range f.cards {
		if plain, err := key.Open(nil, nil, in.CiphertextBlob, bound); err == nil && (in.KeyId == "" || in.KeyId == name) {
			f.say(w, map[string]any{"KeyId": "arn:key", "Plaintext": plain})
			return
		}
	}
	fail(w, "InvalidCiphertextException")
}

func (f *fakeKMS) say(w http.ResponseWriter, answer any) { json.NewEncoder(w).Encode(answer) }

func TestKMSIsAskedOncePerKeptCard(t *testing.T) {
	fake, vault := newFakeKMS(t)
	card := kept(t, vault, wholeCard, testBound)
	for range 3 {
		opens(t, vault, card, testBound)
	}
	if made, opened := fake.asked("GenerateDataKey"), fake.asked("Decrypt"); made != 1 || opened != 3 {
		t.Errorf("asked %d and %d times", made, opened)
	}
}

// CloudTrail logs what KMS is asked for.
func TestKMSHearsNeitherCardNorToken(t *testing.T) {
	fake, vault := newFakeKMS(t)
	opens(t, vault, kept(t, vault, wholeCard, testBound), testBound)
	if len(fake.heard) != 2 {
		t.Fatalf("KMS heard %d questions", len(fake.heard))
	}
	for _, body := range fake.heard {
		silent(t, "a request", body)
		if !strings.Contains(body, `"EncryptionContext":{"card":"`) || strings.Contains(body, "merchant") {
			t.Errorf("asked %s", body)
		}
	}
}

func TestCardsOutliveTheReplacementOfTheirKMSKey(t *testing.T) {
	fake, old := newFakeKMS(t)
	before := kept(t, old, wholeCard, testBound)
	fake.addCardKey(t, "alias/new")
	vault := NewKMS(old.client, "alias/cards", "alias/new")
	after := kept(t, vault, wholeCard, testBound)
	opens(t, vault, before, testBound)
	opens(t, vault, after, testBound)
	delete(fake.cards, "alias/kept")
	card, err := vault.OpenKept(t.Context(), before, testBound)
	refused(t, card, err)
	opens(t, vault, after, testBound)
}

func TestKMSFailingIsNotTheKeptCardsFault(t *testing.T) {
	for _, kind := range []string{"KMSInternalException", "ThrottlingException", "AccessDeniedException", "DisabledException",
		"KMSInvalidStateException", "NotFoundException", "IncorrectKeyException", "ValidationException"} {
		t.Run(kind, func(t *testing.T) {
			fake, vault := newFakeKMS(t)
			good := kept(t, vault, wholeCard, testBound)
			fake.denied["GenerateDataKey"], fake.denied["Decrypt"] = kind, kind
			none, err := vault.Keep(t.Context(), wholeCard, testBound)
			if err == nil || errors.Is(err, checkout.ErrSealed) || !strings.Contains(err.Error(), kind) || none != (checkout.Kept{}) {
				t.Errorf("kept %v, %v", none, err)
			}
			silent(t, "the error", err.Error())
			card, err := vault.OpenKept(t.Context(), good, testBound)
			if err == nil || errors.Is(err, checkout.ErrSealed) || !strings.Contains(err.Error(), kind) || card != (checkout.Card{}) {
				t.Errorf("opened %v, %v", card, err)
			}
			silent(t, "the error", err.Error())
			clear(fake.denied)
			opens(t, vault, good, testBound)
		})
	}
}

func TestKMSHeedsTheContextOfKeptCards(t *testing.T) {
	_, vault := newFakeKMS(t)
	good := kept(t, vault, wholeCard, testBound)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := vault.Keep(ctx, wholeCard, testBound); !errors.Is(err, context.Canceled) {
		t.Errorf("kept, %v", err)
	}
	if _, err := vault.OpenKept(ctx, good, testBound); !errors.Is(err, context.Canceled) || errors.Is(err, checkout.ErrSealed) {
		t.Errorf("opened, %v", err)
	}
}

func TestKMSIsNotAskedForKeptBytesOfAnotherForm(t *testing.T) {
	fake, vault := newFakeKMS(t)
	good := kept(t, vault, wholeCard, testBound)
	for name, field := range fields {
		for _, bad := range []string{"", "=", strings.Repeat("A", 1<<20)} {
			changed := good
			*field(&changed) = bad
			card, err := vault.OpenKept(t.Context(), changed, testBound)
			refused(t, card, err)
		}
		if n := fake.asked("Decrypt"); n != 0 {
			t.Errorf("%s: asked KMS %d times", name, n)
		}
	}
}

func TestKMSAnswersNoDataKey(t *testing.T) {
	fake, vault := newFakeKMS(t)
	fake.size = 16
	if kept, err := vault.Keep(t.Context(), wholeCard, testBound); err == nil || kept != (checkout.Kept{}) {
		t.Errorf("kept %v, %v", kept, err)
	}
	// Somebody had another key wrapped for the same card.
	fake.size, fake.unwrapped = keySize, true
	if kept, err := vault.Keep(t.Context(), wholeCard, testBound); err == nil || kept != (checkout.Kept{}) {
		t.Errorf("kept %v, %v", kept, err)
	}
	fake.unwrapped = false
	good := kept(t, vault, wholeCard, testBound)
	bound, _ := json.Marshal(keptContext(testBound))
	good.Key = text.EncodeToString(fake.cards["alias/kept"].Seal(nil, nil, make([]byte, 16), bound))
	card, err := vault.OpenKept(t.Context(), good, testBound)
	refused(t, card, err)
}

func TestAVaultWithoutACardKey(t *testing.T) {
	fake, vault := newFakeKMS(t)
	kept, err := NewKMS(vault.client, "alias/cards", "").Keep(t.Context(), wholeCard, testBound)
	if err == nil || errors.Is(err, checkout.ErrSealed) || kept != (checkout.Kept{}) || fake.asked("GenerateDataKey") != 0 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

func TestKMSDataKeysAreCleared(t *testing.T) {
	_, vault := newFakeKMS(t)
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
	options := vault.client.Options()
	options.APIOptions = append(options.APIOptions, func(stack *middleware.Stack) error { return stack.Initialize.Add(note, middleware.Before) })
	vault = NewKMS(kms.New(options), "alias/cards", "alias/kept")
	opens(t, vault, kept(t, vault, wholeCard, testBound), testBound)
	if len(seen) != 2 {
		t.Fatalf("saw %d data keys", len(seen))
	}
	for i, key := range seen {
		if !bytes.Equal(key, make([]byte, keySize)) {
			t.Errorf("data key %d of %d bytes lives on", i, len(key))
		}
	}
}
