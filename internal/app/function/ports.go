package function

import (
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"checkout/internal/card/vault"
	"checkout/internal/checkout"
	"checkout/internal/settings"
	"checkout/internal/store/dynamo"
)

// Core returns what every function has: the store, of which the function does some operations with the main table,
// their names separated by spaces, and the merchants with those secrets that it may decrypt.
func (b *Builder) Core(operations string, secrets ...settings.SecretUse) *checkout.Core {
	b.Variable("STACK")
	b.Variable("PAYMENT_RETENTION_DAYS")
	b.MayTable("Table.Arn", operations)
	now, err := clock(b.env)
	if err != nil {
		b.fail(err)
	}
	// Without the name of a table, DynamoDB rejects requests to it.
	tables := dynamo.Tables{
		Main: b.Variable("TABLE"), Vault: b.Option("VAULT_TABLE"), Listing: b.Option("LISTING_TABLE"),
	}
	documents := dynamo.NewStore(dynamodb.NewFromConfig(b.AWS("DYNAMODB")), tables, NewWriterID)
	core, err := NewCore(b.env, b.log, now, documents)
	if err != nil {
		b.fail(err)
		return &checkout.Core{} // of a function that is not started
	}
	if len(secrets) > 0 {
		b.decrypt(core, secrets)
	}
	return core
}

// secretKeys are the variables that name the KMS keys of secrets.
var secretKeys = map[settings.SecretUse]string{
	settings.SecretPassword:         "PASSWORD_KEY_ID",
	settings.SecretCallback:         "CALLBACK_SECRET_KEY_ID",
	settings.SecretCredentials:      "CREDENTIALS_KEY_ID",
	settings.SecretWalletIdentity:   "WALLET_IDENTITY_KEY_ID",
	settings.SecretWalletProcessing: "WALLET_PROCESSING_KEY_ID",
}

// decrypt gives a core the secrets of some uses, and unwraps their data keys at the start.
func (b *Builder) decrypt(core *checkout.Core, uses []settings.SecretUse) {
	keys := map[settings.SecretUse]string{}
	for _, use := range uses {
		keys[use] = b.Variable(secretKeys[use])
	}
	b.May("SecretsKey.Arn", "kms:Decrypt")
	secrets := vault.NewSecrets(core.Store, vault.NewKMSWrapper(b.kms(), keys), core.Now, uses...)
	core.Secrets = secrets
	b.Start("unwrap data keys", secrets.Start)
}

// SecretSealer returns what encrypts merchants' secrets, and may decrypt none: of all keys it unwraps that of
// fingerprints alone.
func (b *Builder) SecretSealer(core *checkout.Core) *vault.Sealer {
	b.May("SecretsKey.Arn", "kms:GenerateDataKeyPairWithoutPlaintext", "kms:GenerateDataKey", "kms:Decrypt")
	keys, id := map[settings.SecretUse]string{}, b.Variable("SECRETS_KEY_ID")
	for _, use := range append(slices.Clone(settings.SecretUses), settings.FingerprintUse) {
		keys[use] = id
	}
	return vault.NewSealer(core.Store, vault.NewKMSWrapper(b.kms(), keys), core.Now)
}

func (b *Builder) kms() *kms.Client { return kms.NewFromConfig(b.AWS("KMS")) }

// BaseURL returns the public address of the page, without a trailing slash.
func (b *Builder) BaseURL() string { return strings.TrimRight(b.Variable("BASE_URL"), "/") }

// WalletURL returns the address of the page that loads the script of Google Pay, without a trailing slash.
func (b *Builder) WalletURL() string { return strings.TrimRight(b.Variable("WALLET_URL"), "/") }

// Due says by which operations the function reads what is due of the main table.
func (b *Builder) Due(operations string) { b.MayTable("Table.Arn/index/due", operations) }

// VaultTable says which operations the function does with the vault table.
func (b *Builder) VaultTable(operations string) {
	b.Variable("VAULT_TABLE")
	b.MayTable("VaultTable.Arn", operations)
}

// ListingTable says which operations the function does with the listing table.
func (b *Builder) ListingTable(operations string) {
	b.Variable("LISTING_TABLE")
	b.MayTable("Listing.Arn", operations)
}

// ListingTTL returns for how long payments are listed.
func (b *Builder) ListingTTL() time.Duration {
	b.Variable("LISTING_RETENTION_DAYS")
	ttl, err := ListingTTL(b.env)
	if err != nil {
		b.fail(err)
	}
	return ttl
}

// Sealer returns a vault that seals cards. That needs no key.
func (b *Builder) Sealer(now func() time.Time) *vault.Vault { return vault.NewKMS(nil, "", "", now) }

// KeyMaker returns a vault that makes keys of the day.
func (b *Builder) KeyMaker(now func() time.Time) *vault.Vault {
	b.May("VaultKey.Arn", "kms:GenerateDataKeyPairWithoutPlaintext")
	return vault.NewKMS(b.kms(), b.Variable("VAULT_KEY_ID"), "", now)
}

// Vault returns a vault that opens keys of the day, and encrypts and decrypts saved cards.
func (b *Builder) Vault(now func() time.Time) *vault.Vault {
	b.May("VaultKey.Arn", "kms:Decrypt")
	b.May("CardKey.Arn", "kms:GenerateDataKey", "kms:Decrypt")
	return vault.NewKMS(b.kms(), "", b.Variable("CARD_KEY_ID"), now)
}
