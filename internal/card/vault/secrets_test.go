package vault

import (
	"bytes"
	"context"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store/memory"
)

// countingWrapper counts the calls of another Wrapper.
type countingWrapper struct {
	Wrapper
	made, unwrapped map[settings.SecretUse]int
}

func (w *countingWrapper) NewKey(
	ctx context.Context, use settings.SecretUse, owner string,
) ([]byte, []byte, error) {
	w.made[use]++
	return w.Wrapper.NewKey(ctx, use, owner)
}

func (w *countingWrapper) Unwrap(
	ctx context.Context, use settings.SecretUse, owner string, wrapped []byte,
) ([]byte, error) {
	w.unwrapped[use]++
	return w.Wrapper.Unwrap(ctx, use, owner, wrapped)
}

func newCountingWrapper(t *testing.T) *countingWrapper {
	t.Helper()
	local, err := NewLocalWrapper(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &countingWrapper{local, map[settings.SecretUse]int{}, map[settings.SecretUse]int{}}
}

func TestSecrets(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	operator := NewSecrets(store, wrapper, time.Now, settings.SecretUses...)
	if err := operator.Start(ctx); err != nil { // there is no data key yet
		t.Fatal(err)
	}
	function := NewSecrets(store, wrapper, time.Now, settings.SecretPassword)
	_, err := function.Decrypt(ctx, settings.SecretPassword, "shop", []byte("anything"))
	if err == nil || !strings.Contains(err.Error(), "no data key") {
		t.Errorf("without a data key: %v", err)
	}
	encrypted, err := operator.Encrypt(ctx, settings.SecretPassword, "shop", []byte("the password"))
	if err != nil || bytes.Contains(encrypted, []byte("password")) {
		t.Fatalf("%q %v", encrypted, err)
	}
	for range 3 {
		checkPassword(t, function, encrypted)
	}
	again, err := operator.Encrypt(ctx, settings.SecretPassword, "shop", []byte("the password"))
	if err != nil || bytes.Equal(again, encrypted) {
		t.Errorf("the same secret twice has the same ciphertext: %v", err)
	}
	changed := bytes.Clone(encrypted)
	changed[len(changed)-1] ^= 1
	other, err := operator.Encrypt(ctx, settings.SecretCallback, "shop", []byte("a callback secret"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name      string
		secrets   *Secrets
		use       settings.SecretUse
		merchant  string
		encrypted []byte
	}{
		{"another merchant", operator, settings.SecretPassword, "shop-2", encrypted},
		{"another use", operator, settings.SecretCallback, "shop", encrypted},
		{"changed", operator, settings.SecretPassword, "shop", changed},
		{"cut off", operator, settings.SecretPassword, "shop", encrypted[:8]},
		{"a use of another function", function, settings.SecretCallback, "shop", other},
	} {
		if plain, err := test.secrets.Decrypt(ctx, test.use, test.merchant, test.encrypted); err == nil {
			t.Errorf("%s: %q", test.name, plain)
		}
	}
	if wrapper.made[settings.SecretPassword] != 1 || wrapper.unwrapped[settings.SecretPassword] != 2 ||
		wrapper.made[settings.SecretCredentials] != 0 {
		t.Errorf("data keys made %v, unwrapped %v", wrapper.made, wrapper.unwrapped)
	}
	warm := NewSecrets(store, wrapper, time.Now, settings.SecretPassword)
	if err := warm.Start(ctx); err != nil {
		t.Fatal(err)
	}
	checkPassword(t, warm, encrypted)
	if wrapper.unwrapped[settings.SecretPassword] != 3 {
		t.Errorf("after Start: unwrapped %v", wrapper.unwrapped)
	}
}

// checkPassword checks that the password of TestSecrets is decrypted.
func checkPassword(t *testing.T, secrets *Secrets, encrypted []byte) {
	t.Helper()
	plain, err := secrets.Decrypt(t.Context(), settings.SecretPassword, "shop", encrypted)
	if err != nil || string(plain) != "the password" {
		t.Errorf("%q %v", plain, err)
	}
}

// Credentials have a data key for each MID: who has unwrapped one decrypts those of no other, and nothing is unwrapped
// before it is needed.
func TestEachMIDHasItsOwnDataKey(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	operator := NewSecrets(store, wrapper, time.Now, settings.SecretUses...)
	sealed := map[string][]byte{}
	for _, mid := range []string{"mid-1", "mid-2"} {
		var err error
		if sealed[mid], err = operator.Encrypt(ctx, settings.SecretCredentials, mid, []byte("secret of "+mid)); err != nil {
			t.Fatal(err)
		}
	}
	notify := NewSecrets(store, wrapper, time.Now, settings.SecretCredentials)
	if err := notify.Start(ctx); err != nil || wrapper.unwrapped[settings.SecretCredentials] != 0 {
		t.Errorf("at the start %d keys are unwrapped, %v", wrapper.unwrapped[settings.SecretCredentials], err)
	}
	for range 3 {
		plain, err := notify.Decrypt(ctx, settings.SecretCredentials, "mid-1", sealed["mid-1"])
		if err != nil || string(plain) != "secret of mid-1" {
			t.Errorf("%q %v", plain, err)
		}
	}
	if n := wrapper.unwrapped[settings.SecretCredentials]; n != 1 {
		t.Errorf("%d keys were unwrapped for one MID", n)
	}
	for name, wrong := range map[string]struct {
		secrets *Secrets
		mid     string
		sealed  []byte
	}{
		"another MID's":   {notify, "mid-1", sealed["mid-2"]},
		"for another MID": {notify, "mid-2", sealed["mid-1"]},
		"cut off":         {notify, "mid-1", sealed["mid-1"][:20]},
		"nothing":         {notify, "mid-1", nil},
		"one byte":        {notify, "mid-1", []byte{1}},
		"another function": {NewSecrets(store, wrapper, time.Now, settings.SecretPassword), "mid-1",
			sealed["mid-1"]},
	} {
		if plain, err := wrong.secrets.Decrypt(ctx, settings.SecretCredentials, wrong.mid, wrong.sealed); err == nil {
			t.Errorf("%s: %q", name, plain)
		}
	}
}

// Two operators that make a data key at the same time use the same one, and Start fails if it can't be unwrapped.
func TestDataKeys(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	a := NewSecrets(store, wrapper, time.Now, settings.SecretPassword)
	b := NewSecrets(store, wrapper, time.Now, settings.SecretPassword)
	if _, err := a.create(ctx, settings.SecretPassword); err != nil {
		t.Fatal(err)
	}
	if _, err := b.create(ctx, settings.SecretPassword); err != nil { // as if it had read the store before a wrote
		t.Fatal(err)
	}
	encrypted, err := a.Encrypt(ctx, settings.SecretPassword, "shop", []byte("the password"))
	if err != nil {
		t.Fatal(err)
	}
	checkPassword(t, b, encrypted)
	stranger := NewSecrets(store, newCountingWrapper(t), time.Now, settings.SecretPassword)
	if err := stranger.Start(ctx); err == nil {
		t.Error("a data key of another wrapping key is unwrapped")
	}
}
