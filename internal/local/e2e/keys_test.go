package e2e

import (
	"errors"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	cards "checkout/internal/card/vault"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/template"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"
)

// TestWhoMayUseTheVault calls the vault in the name of every function of template.yaml, with the function's policies
// and once more with a policy that allows everything, so that the keys' own policies are tested, too.
func TestWhoMayUseTheVault(t *testing.T) {
	read, err := template.Read(filepath.Join(root, "template.yaml"), template.Options{
		StackName: "local", Region: "r", Account: "1",
		QueueURL: func(name string) string { return "http://sqs/" + name },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Functions) < 7 {
		t.Fatalf("only %d functions", len(read.Functions))
	}
	callers := map[string]endpoint.Caller{}
	for _, f := range read.Functions {
		caller := endpoint.Caller{Name: f.Name, FullName: f.FullName, RoleARN: f.RoleARN, Policies: f.Policies}
		callers["LOCAL"+f.ID] = caller
		caller.Policies = []template.Statement{{Actions: []string{"*"}, Resources: []string{"*"}}}
		callers["BROAD"+f.ID] = caller
	}
	dayKeys, cardKey := keyOf(t, read, "VaultKey"), keyOf(t, read, "CardKey")
	e, err := endpoint.New(endpoint.Config{Region: "r", Account: "1", Callers: callers, Keys: read.Keys})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	as := func(caller string) *cards.Vault {
		return cards.NewKMS(kmsClient(server, caller), dayKeys, cardKey, time.Now)
	}
	day, err := as("LOCALSweepFunction").NewDayKey(t.Context(), "2030-03-04")
	if err != nil {
		t.Fatal(err)
	}
	card, err := as("LOCALConnectorFunction").Encrypt(t.Context(), plainCard, associated)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range read.Functions {
		for _, policies := range []string{"LOCAL", "BROAD"} {
			t.Run(policies+f.ID, func(t *testing.T) {
				if f.Name == "connector" {
					opensSaved(t, as(policies+f.ID), card)
					opensDay(t, as(policies+f.ID), day)
				} else {
					opensNothing(t, as(policies+f.ID), card, day)
				}
				_, err := as(policies+f.ID).NewDayKey(t.Context(), "2030-03-05")
				if may := policies == "BROAD" || makesDayKeys(f.Name); may != (err == nil) || !may && !denied(err) {
					t.Errorf("makes a key of the day: %v", err)
				}
			})
		}
	}
}

// makesDayKeys reports whether a function makes keys of the day.
func makesDayKeys(function string) bool { return function == "sweep" }

const associated = "saved/merchant/token"

var plainCard = card.Card{Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: "123"}

// kmsClient is the SDK's own, with the access key id of a caller.
func kmsClient(server *httptest.Server, key string) *kms.Client {
	return kms.New(kms.Options{
		Region: "r", BaseEndpoint: aws.String(server.URL), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider(key, "secret", ""),
	})
}

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

// opensNothing checks that a function can neither encrypt nor decrypt a card.
func opensNothing(t *testing.T, vault *cards.Vault, saved card.Encrypted, day card.DayKey) {
	t.Helper()
	if _, err := vault.Encrypt(t.Context(), plainCard, associated); !denied(err) {
		t.Errorf("encrypted a card: %v", err)
	}
	if got, err := vault.Decrypt(t.Context(), saved, associated); !denied(err) || got.Number != "" {
		t.Errorf("decrypted %v, %v", got, err)
	}
	if _, err := vault.OpenDayKey(t.Context(), day); !denied(err) {
		t.Errorf("opened the key of the day: %v", err)
	}
}

// opensDay checks that a key of the day is unwrapped for its own day alone, and decrypts a card.
func opensDay(t *testing.T, vault *cards.Vault, day card.DayKey) {
	t.Helper()
	sealed, err := vault.Seal(card.PublicKey{ID: day.ID, Point: day.Point}, "info", plainCard)
	if err != nil {
		t.Fatal(err)
	}
	private, err := vault.OpenDayKey(t.Context(), day)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := private.Open(sealed, "info"); err != nil || !reflect.DeepEqual(got, plainCard) {
		t.Errorf("opened %v, %v", got, err)
	}
	day.Day = "2030-03-05"
	if _, err := vault.OpenDayKey(t.Context(), day); !errors.Is(err, card.ErrDecrypt) {
		t.Errorf("the key of another day: %v", err)
	}
}

func denied(err error) bool {
	return err != nil && strings.Contains(err.Error(), "AccessDeniedException") && !errors.Is(err, card.ErrDecrypt)
}

// opensSaved checks that a saved card is decrypted with its own associated data alone, and without its security code.
func opensSaved(t *testing.T, vault *cards.Vault, saved card.Encrypted) {
	t.Helper()
	want := card.Card{Number: plainCard.Number, ExpiryMonth: plainCard.ExpiryMonth, ExpiryYear: plainCard.ExpiryYear}
	if got, err := vault.Decrypt(t.Context(), saved, associated); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("decrypted %v, %v", got, err)
	}
	if got, err := vault.Decrypt(t.Context(), saved, associated+"2"); !errors.Is(err, card.ErrDecrypt) ||
		got.Number != "" {
		t.Errorf("for another token decrypted %v, %v", got, err)
	}
}
