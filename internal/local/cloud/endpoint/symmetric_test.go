package endpoint

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/local/cloud/template"
	cards "checkout/internal/vault"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

// client is the SDK's own, with the access key id of a caller.
func client(server *httptest.Server, key string) *kms.Client {
	return kms.New(kms.Options{
		Region: "r", BaseEndpoint: aws.String(server.URL), Credentials: credentials.NewStaticCredentialsProvider(key, "secret", ""), RetryMaxAttempts: 1,
	})
}

// made is a fresh data key under a key, for {"a": "1", "b": "2"}.
func made(t *testing.T, c *kms.Client, key string) *kms.GenerateDataKeyOutput {
	t.Helper()
	out, err := c.GenerateDataKey(t.Context(), &kms.GenerateDataKeyInput{
		KeyId: aws.String(key), KeySpec: types.DataKeySpecAes256, EncryptionContext: map[string]string{"a": "1", "b": "2"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDataKeysOpenAgain(t *testing.T) {
	_, server := local(t, template.Statement{Actions: []string{"kms:*"}, Resources: []string{"*"}})
	c := client(server, "LOCALF")
	one, two := made(t, c, "s"), made(t, c, "s")
	if len(one.Plaintext) != 32 || bytes.Equal(one.Plaintext, two.Plaintext) || bytes.Contains(one.CiphertextBlob, one.Plaintext) {
		t.Errorf("%d bytes of a data key", len(one.Plaintext))
	}
	for _, name := range []*string{nil, aws.String("s"), aws.String("arn:s")} {
		out, err := c.Decrypt(t.Context(), &kms.DecryptInput{
			KeyId: name, CiphertextBlob: one.CiphertextBlob, EncryptionContext: map[string]string{"b": "2", "a": "1"},
		})
		if err != nil || !bytes.Equal(out.Plaintext, one.Plaintext) || aws.ToString(out.KeyId) != "arn:s" {
			t.Errorf("opened %+v, %v", out, err)
		}
	}
}

func TestDataKeysStayClosed(t *testing.T) {
	_, server := local(t, template.Statement{Actions: []string{"kms:*"}, Resources: []string{"*"}})
	c := client(server, "LOCALF")
	good := made(t, c, "s").CiphertextBlob
	_, other := local(t, template.Statement{Actions: []string{"kms:*"}, Resources: []string{"*"}})
	right := map[string]string{"a": "1", "b": "2"}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	for name, test := range map[string]struct {
		blob    []byte
		context map[string]string
		key     *string
		want    string
	}{
		"other value":       {good, map[string]string{"a": "1", "b": "3"}, nil, "InvalidCiphertextException"},
		"one member less":   {good, map[string]string{"a": "1"}, nil, "InvalidCiphertextException"},
		"no context":        {good, nil, nil, "InvalidCiphertextException"},
		"one bit":           {flipped, right, nil, "InvalidCiphertextException"},
		"cut":               {good[:len(good)-1], right, nil, "InvalidCiphertextException"},
		"of an earlier run": {made(t, client(other, "LOCALF"), "s").CiphertextBlob, right, nil, "InvalidCiphertextException"},
		"of another key":    {bytes.Replace(good, []byte("arn:s"), []byte("arn:k"), 1), right, aws.String("s"), "IncorrectKeyException"},
		"of a strange key":  {bytes.Replace(good, []byte("arn:s"), []byte("arn:x"), 1), right, nil, "AccessDeniedException"},
		"wrong kind of key": {good, right, aws.String("k"), "UnsupportedOperationException"},
		"huge":              {make([]byte, mostBlob+1), right, nil, "ValidationException"},
	} {
		out, err := c.Decrypt(t.Context(), &kms.DecryptInput{KeyId: test.key, CiphertextBlob: test.blob, EncryptionContext: test.context})
		if err == nil || out != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecryptWithoutAKeysNameNeedsThePermissionAllTheSame(t *testing.T) {
	_, server := local(t, template.Statement{Actions: []string{"kms:Decrypt"}, Resources: []string{"arn:k"}})
	blob := made(t, client(server, AdminKey), "s").CiphertextBlob
	_, err := client(server, "LOCALF").Decrypt(t.Context(), &kms.DecryptInput{CiphertextBlob: blob, EncryptionContext: map[string]string{"a": "1", "b": "2"}})
	if err == nil || !strings.Contains(err.Error(), "not authorized to perform: kms:Decrypt on resource: arn:s") {
		t.Errorf("answered %v", err)
	}
}

// TestWhoMayUseTheVault takes every function of the repository's own template, with its policies, to the vault; and once
// more with a policy that allows everything, where the keys' own policies have to hold.
func TestWhoMayUseTheVault(t *testing.T) {
	read, err := template.Read("../../../../template.yaml", template.Options{
		StackName: "local", Region: "r", Account: "1", SiteDomain: "localhost", QueueURL: func(name string) string { return "http://sqs/" + name },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Functions) < 7 {
		t.Fatalf("only %d functions", len(read.Functions))
	}
	callers := map[string]Caller{}
	for _, f := range read.Functions {
		caller := Caller{Name: f.Name, FullName: f.FullName, RoleARN: f.RoleARN, Policies: f.Policies}
		callers["LOCAL"+f.ID] = caller
		caller.Policies = []template.Statement{{Actions: []string{"*"}, Resources: []string{"*"}}}
		callers["BROAD"+f.ID] = caller
	}
	days, kept := keyOf(t, read, "VaultKey"), keyOf(t, read, "CardKey")
	e, err := New(Config{Region: "r", Account: "1", Callers: callers, Keys: read.Keys})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	as := func(caller string) *cards.Vault { return cards.NewKMS(client(server, caller), days, kept, time.Now) }
	day, err := as("LOCALPageFunction").NewDayKey(t.Context(), "2030-03-04")
	if err != nil {
		t.Fatal(err)
	}
	card, err := as("LOCALConnectorFunction").Keep(t.Context(), whole, bound)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range read.Functions {
		for _, policies := range []string{"LOCAL", "BROAD"} {
			t.Run(policies+f.ID, func(t *testing.T) {
				if f.Name == "connector" {
					opened(t, as(policies+f.ID), card, bound)
					opensDay(t, as(policies+f.ID), day)
				} else {
					closed(t, as(policies+f.ID), card, day)
				}
				_, err := as(policies+f.ID).NewDayKey(t.Context(), "2030-03-05")
				if may := policies == "BROAD" || f.Name == "page" || f.Name == "sweep"; may != (err == nil) || !may && !denies(err) {
					t.Errorf("makes a key of the day: %v", err)
				}
			})
		}
	}
}

const bound = "saved/merchant/token"

var whole = checkout.Card{Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: "123"}

// keyOf is the id of the key with a logical id.
func keyOf(t *testing.T, read *template.Template, id string) string {
	t.Helper()
	for _, key := range read.Keys {
		if key.ID == id {
			return key.KeyID
		}
	}
	t.Fatalf("no key %s", id)
	return ""
}

// closed checks that a function can open no card, and keep none.
func closed(t *testing.T, store *cards.Vault, card checkout.Kept, day checkout.DayKey) {
	t.Helper()
	if _, err := store.Keep(t.Context(), whole, bound); !denies(err) {
		t.Errorf("kept: %v", err)
	}
	if got, err := store.OpenKept(t.Context(), card, bound); !denies(err) || got != (checkout.Card{}) {
		t.Errorf("opened %v, %v", got, err)
	}
	if _, err := store.OpenDayKey(t.Context(), day); !denies(err) {
		t.Errorf("opened the key of the day: %v", err)
	}
}

// opensDay checks that a key of the day opens, for its own day alone.
func opensDay(t *testing.T, store *cards.Vault, day checkout.DayKey) {
	t.Helper()
	point, err := base64.RawURLEncoding.DecodeString(day.Point)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := cards.Seal(point, day.ID, "info", whole)
	if err != nil {
		t.Fatal(err)
	}
	private, err := store.OpenDayKey(t.Context(), day)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := private.Open(sealed, "info"); err != nil || got != whole {
		t.Errorf("opened %v, %v", got, err)
	}
	day.Day = "2030-03-05"
	if _, err := store.OpenDayKey(t.Context(), day); !errors.Is(err, checkout.ErrSealed) {
		t.Errorf("the key of another day: %v", err)
	}
}

func denies(err error) bool {
	return err != nil && strings.Contains(err.Error(), "AccessDeniedException") && !errors.Is(err, checkout.ErrSealed)
}

// opened checks that a kept card opens, for its own bound text alone.
func opened(t *testing.T, store checkout.Vault, kept checkout.Kept, bound string) {
	t.Helper()
	want := checkout.Card{Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038}
	if got, err := store.OpenKept(t.Context(), kept, bound); err != nil || got != want {
		t.Errorf("opened %v, %v", got, err)
	}
	if got, err := store.OpenKept(t.Context(), kept, bound+"2"); !errors.Is(err, checkout.ErrSealed) || got != (checkout.Card{}) {
		t.Errorf("for another token opened %v, %v", got, err)
	}
}
