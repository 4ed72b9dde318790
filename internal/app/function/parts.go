package function

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"checkout/internal/merchant"
	"checkout/internal/store"
	"checkout/internal/vault"

	"github.com/aws/aws-sdk-go-v2/service/kms"
)

// Part is something of the service that not every function is given. What a function was not given is absent.
type Part struct {
	Name  string   // as errors call it
	Needs []string // variables of the environment
	Add   func(g *Given)
}

// The parts that bring no library that not all functions have.
var (
	BaseURL    = Part{"base URL", []string{"BASE_URL"}, addBaseURL}
	VaultTable = Part{"vault table", []string{"VAULT_TABLE"}, addVaultTable}
	DayKeys    = Part{"vault that makes keys of the day", []string{"VAULT_KEY_ID"}, addDayKeys}
	OpenVault  = Part{"vault that opens cards", []string{"CARD_KEY_ID"}, addOpenVault}

	Passwords       = Part{"merchants' passwords", []string{"PASSWORD_KEY_ID"}, addPasswords}
	CallbackSecrets = Part{"merchants' callback secrets", []string{"CALLBACK_SECRET_KEY_ID"}, addCallbackSecrets}
	MIDCredentials  = Part{"MIDs' credentials", []string{"CREDENTIALS_KEY_ID"}, addMIDCredentials}
)

func addBaseURL(g *Given) { g.Service.BaseURL = strings.TrimRight(g.Env("BASE_URL"), "/") }

// addVaultTable adds nothing: the store was given both names. Without this one DynamoDB refuses what is for the vault
// table.
func addVaultTable(*Given) {}

func addDayKeys(g *Given) {
	g.Service.Vault = vault.NewKMS(newKMS(g), g.Env("VAULT_KEY_ID"), "", g.Service.Now)
}

func addOpenVault(g *Given) {
	g.Service.Vault = vault.NewKMS(newKMS(g), "", g.Env("CARD_KEY_ID"), g.Service.Now)
}

func addPasswords(g *Given) { g.addSecrets(merchant.SecretPassword, "PASSWORD_KEY_ID") }

func addCallbackSecrets(g *Given) { g.addSecrets(merchant.SecretCallback, "CALLBACK_SECRET_KEY_ID") }

func addMIDCredentials(g *Given) { g.addSecrets(merchant.SecretCredentials, "CREDENTIALS_KEY_ID") }

// addSecrets adds the secrets of one use to those that the function may decrypt.
func (g *Given) addSecrets(use merchant.SecretUse, variable string) {
	if g.secretKeys == nil {
		g.secretKeys = map[merchant.SecretUse]string{}
	}
	g.secretKeys[use] = g.Env(variable)
}

func newKMS(g *Given) *kms.Client { return kms.NewFromConfig(g.AWS("KMS")) }

// start makes the first connections, outside any request: it unwraps the data keys of the function's secrets, once, or
// without any reaches the table.
func (g *Given) start(ctx context.Context) error {
	s := g.Service
	if len(g.secretKeys) == 0 {
		if _, err := s.Store.Get(ctx, s.Now(), store.Key{Partition: "warm-up", Sort: "warm-up"}); err != nil {
			return fmt.Errorf("reach the table: %w", err)
		}
		return nil
	}
	wrapper := vault.NewKMSWrapper(newKMS(g), g.secretKeys)
	secrets := vault.NewSecrets(s.Store, wrapper, s.Now, slices.Sorted(maps.Keys(g.secretKeys))...)
	s.Secrets = secrets
	if err := secrets.Start(ctx); err != nil {
		return fmt.Errorf("unwrap data keys: %w", err)
	}
	return nil
}
