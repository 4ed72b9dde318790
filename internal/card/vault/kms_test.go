package vault

import (
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/card"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"
)

// fakeKMS is a KMS with symmetric keys in memory.
type fakeKMS struct {
	keys   map[string]cipher.AEAD // by name
	public any                    // if not nil, it is returned instead of a pair's public half
	size   int                    // of data keys, in bytes

	unwrapped bool // keys are returned without their wrapped form

	mu     sync.Mutex
	denied map[string]string // by operation: the error that it returns
	calls  map[string]int    // by operation: how often it was called
	bodies []string          // of the requests
}

// newFakeKMS makes a fake and a vault that uses it.
func newFakeKMS(t *testing.T) (*fakeKMS, *Vault) {
	t.Helper()
	fake := &fakeKMS{
		keys: map[string]cipher.AEAD{}, size: keySize, denied: map[string]string{}, calls: map[string]int{},
	}
	fake.addKey(t, "alias/days")
	fake.addKey(t, "alias/cards")
	return fake, fake.vault(t, "alias/days", "alias/cards", noon)
}

// vault makes another vault that uses the fake, with no keys in memory.
func (f *fakeKMS) vault(t *testing.T, days, cards string, now func() time.Time) *Vault {
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return NewKMS(kms.New(kms.Options{
		Region: "eu-central-1", BaseEndpoint: aws.String(server.URL),
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""), RetryMaxAttempts: 1,
	}), days, cards, now)
}

// addKey adds a symmetric key.
func (f *fakeKMS) addKey(t *testing.T, name string) {
	t.Helper()
	key := make([]byte, keySize)
	_, _ = rand.Read(key)
	aead, err := newAEAD(key)
	if err != nil {
		t.Fatal(err)
	}
	f.keys[name] = aead
}

func (f *fakeKMS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "TrentService.")
	f.calls[operation]++
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	if kind := f.denied[operation]; kind != "" {
		fail(w, kind)
		return
	}
	body, _ := io.ReadAll(r.Body)
	f.bodies = append(f.bodies, string(body))
	var in fakeRequest
	if err := json.Unmarshal(body, &in); err != nil || len(in.EncryptionContext) == 0 {
		fail(w, "ValidationException")
		return
	}
	if out, kind := f.respond(operation, in); kind != "" {
		fail(w, kind)
	} else {
		json.NewEncoder(w).Encode(out)
	}
}

type fakeRequest struct {
	KeyId, KeySpec, KeyPairSpec string
	CiphertextBlob              []byte
	EncryptionContext           map[string]string
}

// respond returns the response of an operation, or the kind of its error. Decrypt needs no name of a key.
func (f *fakeKMS) respond(operation string, in fakeRequest) (out map[string]any, kind string) {
	associated, _ := json.Marshal(in.EncryptionContext)
	key := f.keys[in.KeyId]
	switch {
	case operation == "Decrypt":
		for name, key := range f.keys {
			plain, err := key.Open(nil, nil, in.CiphertextBlob, associated)
			if err == nil && (in.KeyId == "" || in.KeyId == name) {
				return map[string]any{"KeyId": "arn:key", "Plaintext": plain}, ""
			}
		}
		return nil, "InvalidCiphertextException"
	case key == nil:
		return nil, "NotFoundException"
	case operation == "GenerateDataKey" && in.KeySpec == "AES_256":
		plain := make([]byte, f.size)
		_, _ = rand.Read(plain)
		return map[string]any{
			"KeyId": "arn:key", "Plaintext": plain, "CiphertextBlob": f.wrap(key, plain, associated),
		}, ""
	case operation == "GenerateDataKeyPairWithoutPlaintext" && in.KeyPairSpec == "ECC_NIST_P256":
		public, private := f.pair()
		return map[string]any{
			"KeyId": "arn:key", "KeyPairSpec": in.KeyPairSpec, "PublicKey": public,
			"PrivateKeyCiphertextBlob": f.wrap(key, private, associated),
		}, ""
	}
	return nil, "UnsupportedOperationException"
}

// pair returns both halves of a new key pair as DER.
func (f *fakeKMS) pair() (public, private []byte) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	var shown any = key.PublicKey()
	if f.public != nil {
		shown = f.public
	}
	public, errPublic := x509.MarshalPKIXPublicKey(shown)
	private, errPrivate := x509.MarshalPKCS8PrivateKey(key)
	if err := errors.Join(errPublic, errPrivate); err != nil {
		panic(err)
	}
	return public, private
}

func (f *fakeKMS) wrap(key cipher.AEAD, plain, associated []byte) []byte {
	if f.unwrapped {
		return nil
	}
	return key.Seal(nil, nil, plain, associated)
}

func (f *fakeKMS) callsOf(operation string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[operation]
}

func fail(w http.ResponseWriter, kind string) {
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]string{"__type": kind, "message": "no"})
}

func dayKey(t *testing.T, vault *Vault, day string) card.DayKey {
	t.Helper()
	key, err := vault.NewDayKey(t.Context(), day)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sealedToDay seals the test card to a key of the day as a page does.
func sealedToDay(t *testing.T, key card.DayKey) card.Sealed {
	t.Helper()
	sealed, err := (&Vault{}).Seal(card.PublicKey{ID: key.ID, Point: key.Point}, testInfo, testCard)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// checkOpens checks that a sealed card opens and is the test card.
func checkOpens(t *testing.T, key card.PrivateKey, sealed card.Sealed) {
	t.Helper()
	if card, err := key.Open(sealed, testInfo); err != nil || !reflect.DeepEqual(card, testCard) {
		t.Errorf("opened %v, %v", card, err)
	}
}

// checkNoPrivateKey checks that OpenDayKey fails with ErrDecrypt.
func checkNoPrivateKey(t *testing.T, vault *Vault, key card.DayKey) {
	t.Helper()
	private, err := vault.OpenDayKey(t.Context(), key)
	if !errors.Is(err, card.ErrDecrypt) || private != nil {
		t.Errorf("opened, %v", err)
	}
	if err != nil && strings.Contains(err.Error(), "411111") {
		t.Errorf("the error shows the content: %v", err)
	}
}

func TestDayKeyOpensCards(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		key := dayKey(t, vault, testDay)
		if key.Day != testDay || !strings.HasPrefix(key.ID, testDay+".") || len(key.ID) != len(testDay)+1+22 {
			t.Errorf("made %+v", key)
		}
		private, err := vault.OpenDayKey(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		checkOpens(t, private, sealedToDay(t, key))
		other := dayKey(t, vault, testDay)
		if other.ID == key.ID || other.Point == key.Point {
			t.Error("two keys are the same")
		}
		card, err := private.Open(sealedToDay(t, other), testInfo)
		checkErrDecrypt(t, card, err)
	})
}

func TestDayKeysThatTheVaultDidNotMake(t *testing.T) {
	eachVault(t, func(t *testing.T, vault *Vault) {
		good, other := dayKey(t, vault, testDay), dayKey(t, vault, testDay)
		for name, change := range map[string]func(*card.DayKey){
			"of another day":        func(k *card.DayKey) { k.Day, k.ID = "2030-03-05", "2030-03-05"+k.ID[10:] },
			"its day alone":         func(k *card.DayKey) { k.Day = "2030-03-05" },
			"another one's id":      func(k *card.DayKey) { k.ID = other.ID },
			"another one's private": func(k *card.DayKey) { k.Wrapped = other.Wrapped },
			"one bit":               func(k *card.DayKey) { k.Wrapped = flip(t, k.Wrapped, -1) },
			"nothing wrapped":       func(k *card.DayKey) { k.Wrapped = "" },
			"no base64url":          func(k *card.DayKey) { k.Wrapped = "+" + k.Wrapped[1:] },
			"huge":                  func(k *card.DayKey) { k.Wrapped = strings.Repeat("A", 1<<20) },
			"nothing":               func(k *card.DayKey) { *k = card.DayKey{} },
			"an id without a day":   func(k *card.DayKey) { k.ID = k.ID[11:] },
		} {
			t.Run(name, func(t *testing.T) {
				key := good
				change(&key)
				checkNoPrivateKey(t, vault, key)
			})
		}
	})
}

// The wrapped bytes can be unwrapped but are no private key that opens cards.
func TestWrappedContentThatIsNoPrivateKey(t *testing.T) {
	vault := newLocal(t)
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der := map[string][]byte{"nothing": {}, "no DER": []byte("4111111111111111")}
	for name, key := range map[string]any{"P-384": p384, "RSA": rsaKey} {
		if der[name], err = x509.MarshalPKCS8PrivateKey(key); err != nil {
			t.Fatal(err)
		}
	}
	for name, plain := range der {
		key := dayKey(t, vault, testDay)
		wrapped := vault.keys.(*localKeys).wrapping.Seal(nil, nil, plain, use{"day", testDay}.bytes())
		key.Wrapped = base64url.EncodeToString(wrapped)
		t.Run(name, func(t *testing.T) { checkNoPrivateKey(t, vault, key) })
	}
}

// An opened key needs no KMS any more, and NewDayKey needs no permission to decrypt.
func TestKMSIsCalledOnceForADay(t *testing.T) {
	fake, vault := newFakeKMS(t)
	fake.denied["Decrypt"] = "AccessDeniedException"
	key := dayKey(t, vault, testDay)
	private, err := vault.OpenDayKey(t.Context(), key)
	if err == nil || errors.Is(err, card.ErrDecrypt) || private != nil {
		t.Fatalf("opened, %v", err)
	}
	delete(fake.denied, "Decrypt")
	private, err = vault.OpenDayKey(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	before := fake.callsOf("Decrypt")
	for range 5 {
		checkOpens(t, private, sealedToDay(t, key))
	}
	if fake.callsOf("GenerateDataKeyPairWithoutPlaintext") != 1 || fake.callsOf("Decrypt") != before {
		t.Errorf("calls: %v", fake.calls)
	}
	for _, body := range fake.bodies[:2] {
		if !strings.Contains(body, `"EncryptionContext":{"day":"2030-03-04"}`) {
			t.Errorf("sent %s", body)
		}
	}
}

func TestKMSThatMakesNoKeyPair(t *testing.T) {
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change func(*fakeKMS)
		days   string
	}{
		"P-384":     {func(f *fakeKMS) { f.public = &p384.PublicKey }, "alias/days"},
		"RSA":       {func(f *fakeKMS) { f.public = &rsaKey.PublicKey }, "alias/days"},
		"unwrapped": {func(f *fakeKMS) { f.unwrapped = true }, "alias/days"},
		"denied": {func(f *fakeKMS) {
			f.denied["GenerateDataKeyPairWithoutPlaintext"] = "AccessDeniedException"
		}, "alias/days"},
		"no key":    {func(*fakeKMS) {}, ""},
		"other key": {func(*fakeKMS) {}, "alias/other"},
	} {
		fake, _ := newFakeKMS(t)
		test.change(fake)
		key, err := fake.vault(t, test.days, "", noon).NewDayKey(t.Context(), testDay)
		if err == nil || key != (card.DayKey{}) {
			t.Errorf("%s: made %+v", name, key)
		}
	}
}
