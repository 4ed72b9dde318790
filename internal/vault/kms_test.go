package vault

import (
	"context"
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
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"checkout/internal/checkout"
)

// fakeKMS holds one key for sealed cards, some for kept ones, and answers as KMS does.
type fakeKMS struct {
	key    *ecdh.PrivateKey
	public any                    // what GetPublicKey shows
	cards  map[string]cipher.AEAD // by name
	size   int                    // of data keys, in bytes

	unwrapped bool // data keys come without their wrapped form

	mu      sync.Mutex
	denied  map[string]string // operation: the error that it answers
	answers map[string]int    // operation: how often it was asked
	heard   []string          // the requests' bodies
}

// newFakeKMS answers a fake and the vault that talks to it.
func newFakeKMS(t *testing.T) (*fakeKMS, *KMS) {
	t.Helper()
	key := seeded(t, 9).key
	fake := &fakeKMS{
		key: key, public: key.PublicKey(), cards: map[string]cipher.AEAD{}, size: keySize,
		denied: map[string]string{}, answers: map[string]int{},
	}
	fake.addCardKey(t, "alias/kept")
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	client := kms.New(kms.Options{
		Region:           "eu-central-1",
		BaseEndpoint:     aws.String(server.URL),
		Credentials:      credentials.NewStaticCredentialsProvider("id", "secret", ""),
		RetryMaxAttempts: 1,
	})
	return fake, NewKMS(client, "alias/cards", "alias/kept")
}

func (f *fakeKMS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "TrentService.")
	f.answers[operation]++
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	if kind := f.denied[operation]; kind != "" {
		fail(w, kind)
		return
	}
	body, _ := io.ReadAll(r.Body)
	f.heard = append(f.heard, string(body))
	if operation == "GenerateDataKey" || operation == "Decrypt" {
		f.dataKey(w, operation, body)
		return
	}
	var in struct {
		KeyId, KeyAgreementAlgorithm string
		PublicKey                    []byte
	}
	if err := json.Unmarshal(body, &in); err != nil || in.KeyId != "alias/cards" {
		fail(w, "NotFoundException")
		return
	}
	switch operation {
	case "GetPublicKey":
		der, err := x509.MarshalPKIXPublicKey(f.public)
		if err != nil {
			panic(err)
		}
		json.NewEncoder(w).Encode(map[string]any{"KeyId": "arn:key", "PublicKey": der, "KeySpec": "ECC_NIST_P256", "KeyUsage": "KEY_AGREEMENT"})
	case "DeriveSharedSecret":
		secret, err := f.derive(in.PublicKey)
		if err != nil || in.KeyAgreementAlgorithm != "ECDH" {
			fail(w, "ValidationException")
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"KeyId": "arn:key", "SharedSecret": secret, "KeyAgreementAlgorithm": "ECDH"})
	default:
		fail(w, "UnsupportedOperationException")
	}
}

func (f *fakeKMS) derive(der []byte) ([]byte, error) {
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, err
	}
	public, err := parsed.(*ecdsa.PublicKey).ECDH()
	if err != nil {
		return nil, err
	}
	return f.key.ECDH(public)
}

func (f *fakeKMS) asked(operation string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answers[operation]
}

func fail(w http.ResponseWriter, kind string) {
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]string{"__type": kind, "message": "no"})
}

func TestKMSOpensCards(t *testing.T) {
	fake, vault := newFakeKMS(t)
	sealed := sealedTo(t, vault, testCard)
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			card, err := vault.Open(t.Context(), sealed, testInfo)
			if err != nil || card != testCard {
				t.Errorf("opened %v, %v", card, err)
			}
		})
	}
	group.Wait()
	if n := fake.asked("GetPublicKey"); n != 1 {
		t.Errorf("asked %d times for the public key", n)
	}
	if n := fake.asked("DeriveSharedSecret"); n != 5 {
		t.Errorf("asked %d times for a secret", n)
	}
}

func TestKMSAndLocalAgreeOnTheKeyID(t *testing.T) {
	_, vault := newFakeKMS(t)
	id, point, err := vault.PublicKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	localID, localPoint, _ := seeded(t, 9).PublicKey(t.Context())
	if id != localID || string(point) != string(localPoint) {
		t.Errorf("%s and %s", id, localID)
	}
	if strings.Contains(id, "arn") || strings.Contains(id, "alias") {
		t.Errorf("the id %s tells where the key is", id)
	}
}

func TestKMSPageFunctionNeedsNoSecret(t *testing.T) {
	fake, vault := newFakeKMS(t)
	fake.denied["DeriveSharedSecret"] = "AccessDeniedException"
	if _, _, err := vault.PublicKey(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestKMSFailingIsNotTheCardsFault(t *testing.T) {
	for _, operation := range []string{"GetPublicKey", "DeriveSharedSecret"} {
		for _, kind := range []string{"KMSInternalException", "ThrottlingException", "AccessDeniedException", "DisabledException"} {
			t.Run(operation+" "+kind, func(t *testing.T) {
				fake, vault := newFakeKMS(t)
				sealed := sealedTo(t, seeded(t, 9), testCard)
				fake.denied[operation] = kind
				card, err := vault.Open(t.Context(), sealed, testInfo)
				if err == nil || errors.Is(err, checkout.ErrSealed) || !strings.Contains(err.Error(), kind) || card != (checkout.Card{}) {
					t.Fatalf("answered %v", err)
				}
				delete(fake.denied, operation)
				if card, err = vault.Open(t.Context(), sealed, testInfo); err != nil || card != testCard {
					t.Fatalf("later opened %v, %v", card, err)
				}
			})
		}
	}
}

func TestKMSHeedsTheContext(t *testing.T) {
	_, vault := newFakeKMS(t)
	sealed := sealedTo(t, vault, testCard)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := vault.Open(ctx, sealed, testInfo); !errors.Is(err, context.Canceled) || errors.Is(err, checkout.ErrSealed) {
		t.Fatalf("answered %v", err)
	}
}

func TestKMSIsNotAskedForBadBytes(t *testing.T) {
	fake, vault := newFakeKMS(t)
	good := sealedTo(t, vault, testCard)
	tests := map[string]func(*checkout.Sealed){
		"unknown key":         func(s *checkout.Sealed) { s.KeyID = "other" },
		"enc off the curve":   func(s *checkout.Sealed) { s.Enc = flip(t, s.Enc, 40) },
		"oversize ciphertext": func(s *checkout.Sealed) { s.Ciphertext = strings.Repeat("A", 1400) },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			sealed := good
			change(&sealed)
			card, err := vault.Open(t.Context(), sealed, testInfo)
			refused(t, card, err)
		})
	}
	if n := fake.asked("DeriveSharedSecret"); n != 0 {
		t.Errorf("asked KMS %d times", n)
	}
}

func TestKMSTamperedCiphertextIsFinal(t *testing.T) {
	_, vault := newFakeKMS(t)
	sealed := sealedTo(t, vault, testCard)
	sealed.Ciphertext = flip(t, sealed.Ciphertext, 0)
	card, err := vault.Open(t.Context(), sealed, testInfo)
	refused(t, card, err)
}

func TestKMSKeyOfAnotherKind(t *testing.T) {
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, public := range map[string]any{"P-384": &p384.PublicKey, "RSA": &rsaKey.PublicKey} {
		t.Run(name, func(t *testing.T) {
			fake, vault := newFakeKMS(t)
			fake.public = public
			if _, _, err := vault.PublicKey(t.Context()); err == nil {
				t.Fatal("accepted")
			}
		})
	}
}
