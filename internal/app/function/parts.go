package function

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/kms"

	"checkout/internal/card/vault"
	"checkout/internal/settings"
)

// Part is a part of the service that only some functions have.
type Part struct {
	Name  string   // in tests
	Needs []string // variables of the environment
	Add   func(b *Builder)
}

// The parts whose libraries all functions have.
var (
	BaseURL      = Part{"base URL", []string{"BASE_URL"}, addBaseURL}
	WalletURL    = Part{"page of wallets", []string{"WALLET_URL"}, addWalletURL}
	VaultTable   = Part{"vault table", []string{"VAULT_TABLE"}, addVaultTable}
	ListingTable = Part{"listing table", []string{"LISTING_TABLE"}, addListingTable}
	DayKeys      = Part{"vault that makes keys of the day", []string{"VAULT_KEY_ID"}, addDayKeys}
	SealCards    = Part{"vault that seals cards", nil, addSealCards}
	OpenVault    = Part{"vault that opens cards", []string{"CARD_KEY_ID"}, addOpenVault}

	Passwords       = Part{"merchants' passwords", []string{"PASSWORD_KEY_ID"}, addPasswords}
	CallbackSecrets = Part{"merchants' callback secrets", []string{"CALLBACK_SECRET_KEY_ID"}, addCallbackSecrets}
	MIDCredentials  = Part{"MIDs' credentials", []string{"CREDENTIALS_KEY_ID"}, addMIDCredentials}

	WalletIdentities = Part{"merchants' identity at a wallet", []string{"WALLET_IDENTITY_KEY_ID"}, addWalletIdentities}
	WalletKeys       = Part{"keys that open wallets' tokens", []string{"WALLET_PROCESSING_KEY_ID"}, addWalletKeys}
)

func addBaseURL(b *Builder) { b.Core.BaseURL = strings.TrimRight(b.Env("BASE_URL"), "/") }

// addWalletURL adds the page that loads the script of Google Pay. Where there is none, that wallet has no button.
func addWalletURL(b *Builder) { b.Payer.WalletURL = strings.TrimRight(b.Env("WALLET_URL"), "/") }

// addVaultTable adds nothing, since the store has the names of both tables. Without the name of the vault table,
// DynamoDB rejects requests to it.
func addVaultTable(*Builder) {}

// addListingTable adds nothing, like addVaultTable.
func addListingTable(*Builder) {}

func addDayKeys(b *Builder) {
	b.Worker.Vault = vault.NewKMS(newKMS(b), b.Env("VAULT_KEY_ID"), "", b.Core.Now)
}

// addSealCards adds a vault that has no key: Seal needs none.
func addSealCards(b *Builder) { b.Merchant.Sealer = vault.NewKMS(nil, "", "", b.Core.Now) }

func addOpenVault(b *Builder) {
	b.Worker.Vault = vault.NewKMS(newKMS(b), "", b.Env("CARD_KEY_ID"), b.Core.Now)
}

func addPasswords(b *Builder) { b.addSecrets(settings.SecretPassword, "PASSWORD_KEY_ID") }

func addCallbackSecrets(b *Builder) { b.addSecrets(settings.SecretCallback, "CALLBACK_SECRET_KEY_ID") }

func addMIDCredentials(b *Builder) { b.addSecrets(settings.SecretCredentials, "CREDENTIALS_KEY_ID") }

func addWalletIdentities(b *Builder) {
	b.addSecrets(settings.SecretWalletIdentity, "WALLET_IDENTITY_KEY_ID")
}

func addWalletKeys(b *Builder) {
	b.addSecrets(settings.SecretWalletProcessing, "WALLET_PROCESSING_KEY_ID")
}

// addSecrets adds the secrets of one use to those that the function may decrypt.
func (b *Builder) addSecrets(use settings.SecretUse, variable string) {
	if b.secretKeys == nil {
		b.secretKeys = map[settings.SecretUse]string{}
	}
	b.secretKeys[use] = b.Env(variable)
}

func newKMS(b *Builder) *kms.Client { return kms.NewFromConfig(b.AWS("KMS")) }

// start adds the secrets, and unwraps their data keys while the first request reads other documents. Where that fails,
// the first use tries again and returns the error.
func (b *Builder) start(ctx context.Context) {
	if len(b.secretKeys) == 0 {
		return
	}
	s := b.Core
	wrapper := vault.NewKMSWrapper(newKMS(b), b.secretKeys)
	secrets := vault.NewSecrets(s.Store, wrapper, s.Now, slices.Sorted(maps.Keys(b.secretKeys))...)
	s.Secrets = secrets
	go func() {
		if err := secrets.Start(ctx); err != nil {
			s.Log.Error("unwrap data keys", "error", err)
		}
	}()
}
