package vault

import (
	"bytes"
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// countingWrapper counts the calls of another Wrapper.
type countingWrapper struct {
	Wrapper
	mu              sync.Mutex
	made, unwrapped map[settings.SecretUse]int
}

func (w *countingWrapper) count(in map[settings.SecretUse]int, use settings.SecretUse) {
	w.mu.Lock()
	defer w.mu.Unlock()
	in[use]++
}

func (w *countingWrapper) NewKey(
	ctx context.Context, use settings.SecretUse, owner string,
) ([]byte, []byte, error) {
	w.count(w.made, use)
	return w.Wrapper.NewKey(ctx, use, owner)
}

func (w *countingWrapper) NewPair(ctx context.Context, use settings.SecretUse) ([]byte, []byte, error) {
	w.count(w.made, use)
	return w.Wrapper.NewPair(ctx, use)
}

func (w *countingWrapper) Unwrap(
	ctx context.Context, use settings.SecretUse, owner string, wrapped []byte,
) ([]byte, error) {
	w.count(w.unwrapped, use)
	return w.Wrapper.Unwrap(ctx, use, owner, wrapped)
}

func newCountingWrapper(t *testing.T) *countingWrapper {
	t.Helper()
	local, err := NewLocalWrapper(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &countingWrapper{Wrapper: local, made: map[settings.SecretUse]int{}, unwrapped: map[settings.SecretUse]int{}}
}

// encryptedBefore returns a password as an earlier release has encrypted it, under a data key that it stores.
func encryptedBefore(t *testing.T, in store.Store, wrapper Wrapper) []byte {
	t.Helper()
	plain, wrapped, err := wrapper.NewKey(t.Context(), settings.SecretPassword, "")
	if err != nil {
		t.Fatal(err)
	}
	document := store.Encode(store.DataKeyKey(string(settings.SecretPassword)), 0, wrappedKey{wrapped, time.Now()})
	if err := in.Save(t.Context(), time.Now(), document); err != nil {
		t.Fatal(err)
	}
	key, err := newAEAD(plain)
	if err != nil {
		t.Fatal(err)
	}
	return key.Seal(nil, nil, []byte("the password"), associated(settings.SecretPassword, "shop"))
}

func TestSecrets(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	function := NewSecrets(store, wrapper, time.Now, settings.SecretPassword)
	if err := function.Start(ctx); err != nil { // there is no key yet
		t.Fatal(err)
	}
	_, err := function.Decrypt(ctx, settings.SecretPassword, "shop", []byte("anything"))
	if err == nil || !strings.Contains(err.Error(), "no such key") {
		t.Errorf("without a key: %v", err)
	}
	sealer := NewSealer(store, wrapper, time.Now)
	sealed, err := sealer.Encrypt(ctx, settings.SecretPassword, "shop", []byte("the password"))
	if err != nil || bytes.Contains(sealed, []byte("password")) {
		t.Fatalf("%q %v", sealed, err)
	}
	if wrapper.unwrapped[settings.SecretPassword] != 0 {
		t.Error("a key is unwrapped to encrypt")
	}
	older := encryptedBefore(t, store, wrapper)
	for range 3 {
		checkPassword(t, function, sealed)
		checkPassword(t, function, older)
	}
	again, err := sealer.Encrypt(ctx, settings.SecretPassword, "shop", []byte("the password"))
	if err != nil || bytes.Equal(again, sealed) {
		t.Errorf("the same secret twice has the same ciphertext: %v", err)
	}
	other, err := sealer.Encrypt(ctx, settings.SecretCallback, "shop", []byte("a callback secret"))
	if err != nil {
		t.Fatal(err)
	}
	all := NewSecrets(store, wrapper, time.Now, settings.SecretUses...)
	for name, wrong := range map[string]struct {
		secrets   *Secrets
		use       settings.SecretUse
		merchant  string
		encrypted []byte
	}{
		"another merchant":             {all, settings.SecretPassword, "shop-2", sealed},
		"another merchant, older":      {all, settings.SecretPassword, "shop-2", older},
		"another use":                  {all, settings.SecretCallback, "shop", sealed},
		"changed":                      {all, settings.SecretPassword, "shop", changedAt(sealed, len(sealed)-1)},
		"another encapsulated key":     {all, settings.SecretPassword, "shop", changedAt(sealed, len(sealedPrefix)+9)},
		"changed, older":               {all, settings.SecretPassword, "shop", changedAt(older, len(older)-1)},
		"without its form":             {all, settings.SecretPassword, "shop", sealed[len(sealedPrefix):]},
		"cut off":                      {all, settings.SecretPassword, "shop", sealed[:len(sealedPrefix)+8]},
		"cut off, older":               {all, settings.SecretPassword, "shop", older[:8]},
		"nothing":                      {all, settings.SecretPassword, "shop", nil},
		"a use of another function":    {function, settings.SecretCallback, "shop", other},
		"sealed, but read as MID's":    {all, settings.SecretCredentials, "shop", sealed},
		"a use that has no older form": {all, settings.SecretCallback, "shop", older},
	} {
		if plain, err := wrong.secrets.Decrypt(ctx, wrong.use, wrong.merchant, wrong.encrypted); err == nil {
			t.Errorf("%s: %q", name, plain)
		}
	}
}

// changedAt returns bytes of which one is changed.
func changedAt(b []byte, i int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 1
	return b
}

// A function unwraps the keys of both forms once, when it starts.
func TestKeysAreUnwrappedOnce(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	older := encryptedBefore(t, store, wrapper)
	sealer := NewSealer(store, wrapper, time.Now)
	sealed, err := sealer.Encrypt(ctx, settings.SecretPassword, "shop", []byte("the password"))
	if err != nil {
		t.Fatal(err)
	}
	function := NewSecrets(store, wrapper, time.Now, settings.SecretPassword, settings.SecretCallback)
	if err := function.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		checkPassword(t, function, sealed)
		checkPassword(t, function, older)
	}
	if n := wrapper.unwrapped[settings.SecretPassword]; n != 2 {
		t.Errorf("%d keys were unwrapped", n)
	}
	stranger := NewSecrets(store, newCountingWrapper(t), time.Now, settings.SecretPassword)
	if err := stranger.Start(ctx); err == nil {
		t.Error("keys of another wrapping key are unwrapped")
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

// A fingerprint is that of one secret at one place. Its key is unwrapped once, and not before it is needed.
func TestFingerprints(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	sealer, seen := NewSealer(store, wrapper, time.Now), map[string]string{}
	for name, of := range map[string]struct {
		place settings.SecretPlace
		value string
	}{
		"a password":     {settings.SecretPlace{Use: "password", Owner: "shop", Name: "password"}, "secret"},
		"another value":  {settings.SecretPlace{Use: "password", Owner: "shop", Name: "password"}, "Secret"},
		"another owner":  {settings.SecretPlace{Use: "password", Owner: "shop2", Name: "password"}, "secret"},
		"another use":    {settings.SecretPlace{Use: "callback", Owner: "shop", Name: "password"}, "secret"},
		"another name":   {settings.SecretPlace{Use: "password", Owner: "shop", Name: "key"}, "secret"},
		"shifted texts":  {settings.SecretPlace{Use: "password", Owner: "shopp", Name: "assword"}, "secret"},
		"a shifted size": {settings.SecretPlace{Use: "password", Owner: "shop", Name: "password6:"}, "secret"},
	} {
		for _, s := range []*Sealer{sealer, NewSealer(store, wrapper, time.Now)} {
			fingerprint, err := s.Fingerprint(ctx, of.place, of.value)
			if err != nil || len(fingerprint) != fingerprintSize {
				t.Fatalf("%s: %x %v", name, fingerprint, err)
			}
			if other := seen[string(fingerprint)]; other != "" && other != name {
				t.Errorf("%s has the fingerprint of %s", name, other)
			}
			seen[string(fingerprint)] = name
		}
	}
	if len(seen) != 7 || wrapper.made[settings.FingerprintUse] != 1 || wrapper.unwrapped[settings.FingerprintUse] != 8 {
		t.Errorf("%d fingerprints, keys made %v, unwrapped %v", len(seen), wrapper.made, wrapper.unwrapped)
	}
}

// Credentials have a data key for each MID: who has unwrapped one decrypts those of no other, and nothing is unwrapped
// before it is needed.
func TestEachMIDHasItsOwnDataKey(t *testing.T) {
	ctx, store, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	operator := NewSealer(store, wrapper, time.Now)
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

// racing is a store in which others have just stored the documents that it is first asked to save.
type racing struct {
	store.Store
	others func()
}

func (r *racing) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	if others := r.others; others != nil {
		r.others = nil
		others()
	}
	return r.Store.Save(ctx, now, records...)
}

// Two operators that make a key pair at the same time use the same one.
func TestOperatorsMakeOneKeyPair(t *testing.T) {
	ctx, documents, wrapper := t.Context(), memory.NewStore(), newCountingWrapper(t)
	var sealed [2][]byte
	encrypt := func(i int, in store.Store) {
		var err error
		sealed[i], err = NewSealer(in, wrapper, time.Now).Encrypt(
			ctx, settings.SecretPassword, "shop", []byte("the password"))
		if err != nil {
			t.Fatal(err)
		}
	}
	encrypt(0, &racing{documents, func() { encrypt(1, documents) }})
	if wrapper.made[settings.SecretPassword] != 2 {
		t.Errorf("%d key pairs were made", wrapper.made[settings.SecretPassword])
	}
	function := NewSecrets(documents, wrapper, time.Now, settings.SecretPassword)
	checkPassword(t, function, sealed[0])
	checkPassword(t, function, sealed[1])
}
