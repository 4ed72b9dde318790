package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"checkout/internal/app/function"
	"checkout/internal/card/vault"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/store"
	"checkout/internal/store/dynamo"
)

// These types are used by an operator's commands, which must not import the packages that declare them.
type (
	People       = operator.People
	Store        = store.Store
	Merchant     = settings.Merchant
	Merchants    = change.Merchants
	MerchantView = change.View
	WalletKeys   = change.WalletKeys
	NewMerchant  = change.NewMerchant
)

// ChangeText returns the lines of a change of a merchant's settings, for people.
func ChangeText(id string, lines []string) string { return change.ChangeText(id, lines) }

// Verdicts are what an operator can decide.
var Verdicts = payment.Verdicts

// OpenMerchants opens the merchants in the table that OpenTable opens. SECRETS_KEY_ID names the KMS key that wraps the
// keys of their secrets, AWS_ENDPOINT_URL_KMS its endpoint (empty: that of AWS). Without SECRETS_KEY_ID merchants
// can only be listed and found. If LOCAL_RUN is true, settings may have what only a local run may have.
//
// If LOCAL_SERVICE is set, they are those of a service in another process of this machine: its address is that of
// MerchantsHandler, and LOCAL_SECRET its secret.
func OpenMerchants(ctx context.Context, env Env) (*change.Merchants, error) {
	if env("LOCAL_SERVICE") != "" {
		return openRunning(env), nil
	}
	store, err := OpenTable(ctx, env)
	if err != nil {
		return nil, err
	}
	merchants := newMerchants(store, env("LOCAL_RUN") == "true")
	if env("SECRETS_KEY_ID") == "" {
		return merchants, nil
	}
	client, err := operatorKMS(ctx, env)
	if err != nil {
		return nil, err
	}
	keys := map[settings.SecretUse]string{}
	for _, use := range append(slices.Clone(settings.SecretUses), settings.FingerprintUse) {
		keys[use] = env("SECRETS_KEY_ID")
	}
	merchants.Sealer = vault.NewSealer(store, vault.NewKMSWrapper(client, keys), time.Now)
	return merchants, nil
}

// newMerchants returns merchants without secrets.
func newMerchants(in Store, isLocalRun bool) *change.Merchants {
	return &change.Merchants{
		Store: in, Now: time.Now, Random: function.Random, Connectors: connector.Declarations(), LocalRun: isLocalRun,
	}
}

// staticCredentials returns the credentials in env.
func staticCredentials(env Env) aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(
		env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY"), env("AWS_SESSION_TOKEN"))
}

func operatorKMS(ctx context.Context, env Env) (*kms.Client, error) {
	if env("AWS_ACCESS_KEY_ID") == "" {
		cfg, err := config.LoadDefaultConfig(ctx)
		if err != nil {
			return nil, fmt.Errorf("read AWS configuration: %w", err)
		}
		return kms.NewFromConfig(cfg), nil
	}
	options := kms.Options{Region: env("AWS_REGION"), Credentials: staticCredentials(env)}
	if endpoint := env("AWS_ENDPOINT_URL_KMS"); endpoint != "" {
		options.BaseEndpoint = &endpoint
	}
	return kms.New(options), nil
}

// OpenTable opens the DynamoDB table named by TABLE as a store. Only commands that pay need VAULT_TABLE, too, and only
// those of the listing LISTING_TABLE.
//
// If env has AWS_ACCESS_KEY_ID, the credentials, AWS_REGION and AWS_ENDPOINT_URL_DYNAMODB (empty: that of AWS) are read
// from env. Otherwise the SDK's default configuration is used.
func OpenTable(ctx context.Context, env Env) (Store, error) {
	if env("TABLE") == "" {
		return nil, errors.New("the environment has no TABLE")
	}
	tables := dynamo.Tables{Main: env("TABLE"), Vault: env("VAULT_TABLE"), Listing: env("LISTING_TABLE")}
	if env("AWS_ACCESS_KEY_ID") == "" {
		cfg, err := config.LoadDefaultConfig(ctx)
		if err != nil {
			return nil, fmt.Errorf("read AWS configuration: %w", err)
		}
		return dynamo.NewStore(dynamodb.NewFromConfig(cfg), tables, function.NewWriterID), nil
	}
	options := dynamodb.Options{Region: env("AWS_REGION"), Credentials: staticCredentials(env)}
	if endpoint := env("AWS_ENDPOINT_URL_DYNAMODB"); endpoint != "" {
		options.BaseEndpoint = &endpoint
	}
	return dynamo.NewStore(dynamodb.New(options), tables, function.NewWriterID), nil
}

// OpenPeople opens the roles of people in the table that OpenTable opens.
func OpenPeople(ctx context.Context, env Env) (*People, error) {
	table, err := OpenTable(ctx, env)
	if err != nil {
		return nil, err
	}
	core, err := function.NewCore(env, slog.New(slog.DiscardHandler), time.Now, table)
	if err != nil {
		return nil, err
	}
	return operator.NewPeople(core), nil
}

// Declarations returns what the connectors declare.
func Declarations() settings.Declarations { return connector.Declarations() }

// NoticePath returns the path of the address for notices of a MID, which some providers have to be told.
func NoticePath(connector, merchantID, mapping, mid string) string {
	return settings.NoticeAddressOf(connector, merchantID, mapping, mid).Path()
}

// Rotation is the replacement of a merchant's key or secret.
type Rotation = change.Rotation

// LoadMerchants is PutMerchants for those who need no words.
func LoadMerchants(ctx context.Context, to *change.Merchants, text []byte, base string) ([]settings.Merchant, error) {
	merchants, _, err := PutMerchants(ctx, to, text, base)
	return merchants, err
}

// PutMerchants changes merchants by a JSON list, each as change.Merchants.Put does, and returns them and what has
// changed, in words. It replaces {BASE_URL} in the list by base. If any setting is wrong, it stores no merchant, and
// the error has a line for every wrong setting of every merchant. After another error the words are those of the
// merchants that are stored.
func PutMerchants(
	ctx context.Context, to *change.Merchants, text []byte, base string,
) (merchants []settings.Merchant, words string, err error) {
	list, _, err := previewMerchants(ctx, to, text, base)
	if err != nil {
		return nil, "", err
	}
	for _, one := range list {
		m, lines, err := to.Put(ctx, one, false)
		if err != nil {
			return nil, words, err
		}
		merchants, words = append(merchants, m), words+change.ChangeText(m.ID, lines)
	}
	return merchants, words, nil
}

// DiffMerchants returns what PutMerchants would change, in words, and stores nothing.
func DiffMerchants(ctx context.Context, to *change.Merchants, text []byte, base string) (string, error) {
	_, words, err := previewMerchants(ctx, to, text, base)
	return words, err
}

// previewMerchants returns the merchants of a JSON list as they are written, and what they change. Its error is for all
// wrong settings, and for ids and keys that two merchants of the list share.
func previewMerchants(
	ctx context.Context, to *change.Merchants, text []byte, base string,
) (list []json.RawMessage, words string, err error) {
	text = bytes.ReplaceAll(text, []byte("{BASE_URL}"), []byte(base))
	if err := store.ReadExactly(text, &list); err != nil {
		return nil, "", fmt.Errorf("read merchants: %w", err)
	}
	var problems []error
	merchants, owner := make([]settings.Merchant, len(list)), map[string]int{}
	for i, one := range list {
		m, lines, err := to.Put(ctx, one, true)
		var wrong *fault.Error
		if errors.As(err, &wrong) {
			for _, fault := range wrong.Faults {
				problems = append(problems, fmt.Errorf("merchant %q: %s", m.ID, fault))
			}
		} else if err != nil {
			return nil, "", fmt.Errorf("merchant %d of the list: %w", i+1, err)
		}
		merchants[i], words = m, words+change.ChangeText(m.ID, lines)
		if slices.ContainsFunc(merchants[:i], func(o settings.Merchant) bool { return o.ID == m.ID }) {
			problems = append(problems, fmt.Errorf("merchant %q: the id is there twice", m.ID))
		}
		for _, key := range []string{m.LiveKey, m.TestKey} {
			if other, used := owner[key]; used && other != i && key != "" {
				other := merchants[other].ID
				problems = append(problems, fmt.Errorf("merchant %q: merchant %q has the key %q too", m.ID, other, key))
			}
			owner[key] = i
		}
	}
	return list, words, errors.Join(problems...)
}
