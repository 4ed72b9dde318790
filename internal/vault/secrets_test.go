package vault

import (
	"bytes"
	"context"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/memory"
)

// countingWrapper counts what it is asked.
type countingWrapper struct {
	Wrapper
	made, unwrapped map[checkout.SecretUse]int
}

func (w *countingWrapper) NewKey(ctx context.Context, use checkout.SecretUse) ([]byte, []byte, error) {
	w.made[use]++
	return w.Wrapper.NewKey(ctx, use)
}

func (w *countingWrapper) Unwrap(ctx context.Context, use checkout.SecretUse, wrapped []byte) ([]byte, error) {
	w.unwrapped[use]++
	return w.Wrapper.Unwrap(ctx, use, wrapped)
}

func newCountingWrapper(t *testing.T) *countingWrapper {
	t.Helper()
	local, err := NewLocalWrapper(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &countingWrapper{local, map[checkout.SecretUse]int{}, map[checkout.SecretUse]int{}}
}

func TestSecrets(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	operator := NewSecrets(store, wrapper, time.Now, checkout.SecretUses...)
	if err := operator.Start(ctx); err != nil { // there is no data key yet
		t.Fatal(err)
	}
	function := NewSecrets(store, wrapper, time.Now, checkout.SecretPassword)
	if _, err := function.Decrypt(ctx, checkout.SecretPassword, "shop", []byte("anything")); err == nil || !strings.Contains(err.Error(), "no data key") {
		t.Errorf("without a data key: %v", err)
	}
	encrypted, err := operator.Encrypt(ctx, checkout.SecretPassword, "shop", []byte("the password"))
	if err != nil || bytes.Contains(encrypted, []byte("password")) {
		t.Fatalf("%q %v", encrypted, err)
	}
	for range 3 {
		if plain, err := function.Decrypt(ctx, checkout.SecretPassword, "shop", encrypted); err != nil || string(plain) != "the password" {
			t.Errorf("%q %v", plain, err)
		}
	}
	again, err := operator.Encrypt(ctx, checkout.SecretPassword, "shop", []byte("the password"))
	if err != nil || bytes.Equal(again, encrypted) {
		t.Errorf("the same secret twice has the same ciphertext: %v", err)
	}
	changed := bytes.Clone(encrypted)
	changed[len(changed)-1] ^= 1
	other, err := operator.Encrypt(ctx, checkout.SecretCallback, "shop", []byte("a callback secret"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name      string
		secrets   *Secrets
		use       checkout.SecretUse
		merchant  string
		encrypted []byte
	}{
		{"another merchant", operator, checkout.SecretPassword, "shop-2", encrypted},
		{"another use", operator, checkout.SecretCallback, "shop", encrypted},
		{"changed", operator, checkout.SecretPassword, "shop", changed},
		{"cut off", operator, checkout.SecretPassword, "shop", encrypted[:8]},
		{"a use that the function has not", function, checkout.SecretCallback, "shop", other},
	} {
		if plain, err := test.secrets.Decrypt(ctx, test.use, test.merchant, test.encrypted); err == nil {
			t.Errorf("%s: %q", test.name, plain)
		}
	}
	if wrapper.made[checkout.SecretPassword] != 1 || wrapper.unwrapped[checkout.SecretPassword] != 2 || wrapper.made[checkout.SecretCredentials] != 0 {
		t.Errorf("data keys made %v, unwrapped %v", wrapper.made, wrapper.unwrapped)
	}
	warm := NewSecrets(store, wrapper, time.Now, checkout.SecretPassword)
	if err := warm.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := warm.Decrypt(ctx, checkout.SecretPassword, "shop", encrypted); err != nil || wrapper.unwrapped[checkout.SecretPassword] != 3 {
		t.Errorf("after Start: %v, unwrapped %v", err, wrapper.unwrapped)
	}
}

// A data key that may not be unwrapped stops a start, and two operators at once end with one key.
func TestDataKeys(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	a, b := NewSecrets(store, wrapper, time.Now, checkout.SecretPassword), NewSecrets(store, wrapper, time.Now, checkout.SecretPassword)
	if _, err := a.create(ctx, checkout.SecretPassword); err != nil {
		t.Fatal(err)
	}
	if _, err := b.create(ctx, checkout.SecretPassword); err != nil { // had read before a wrote
		t.Fatal(err)
	}
	encrypted, err := a.Encrypt(ctx, checkout.SecretPassword, "shop", []byte("the password"))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := b.Decrypt(ctx, checkout.SecretPassword, "shop", encrypted); err != nil || string(plain) != "the password" {
		t.Errorf("%q %v", plain, err)
	}
	stranger := NewSecrets(store, newCountingWrapper(t), time.Now, checkout.SecretPassword)
	if err := stranger.Start(ctx); err == nil {
		t.Error("a data key of another wrapping key is unwrapped")
	}
}
