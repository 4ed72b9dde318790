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
	"checkout/internal/settings/words"
	"checkout/internal/store"
	"checkout/internal/store/dynamo"
)

// These types are used by an operator's commands, which must not import the packages that declare them.
type (
	People        = operator.People
	Store         = store.Store
	Merchant      = settings.Merchant
	Merchants     = change.Merchants
	SettingChange = words.Change
)

// Verdicts are what an operator can decide.
var Verdicts = payment.Verdicts

// OpenMerchants opens the merchants in the table that OpenTable opens. SECRETS_KEY_ID names the KMS key that wraps the
// keys of their secrets, AWS_ENDPOINT_URL_KMS its endpoint (empty: that of AWS). Without SECRETS_KEY_ID merchants
// can only be listed and read. If LOCAL_RUN is true, settings may have what only a local run may have.
func OpenMerchants(ctx context.Context, env Env) (*change.Merchants, error) {
	store, err := OpenTable(ctx, env)
	if err != nil {
		return nil, err
	}
	merchants := &change.Merchants{
		Store: store, Now: time.Now, Random: function.Random, Connectors: connector.Declarations(),
		LocalRun: env("LOCAL_RUN") == "true",
	}
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

// NamedMerchant is a merchant of a file, with its settings as they are written there.
type NamedMerchant struct {
	ID       string
	Settings json.RawMessage
}

// ReadMerchants reads a JSON list of merchants. problems has ids and keys that two of them share.
func ReadMerchants(text []byte) (list []NamedMerchant, problems []error, err error) {
	var all []json.RawMessage
	if err := store.ReadExactly(text, &all); err != nil {
		return nil, nil, fmt.Errorf("read merchants: %w", err)
	}
	owner := map[string]string{}
	for i, one := range all {
		var named map[string]any
		if err := json.Unmarshal(one, &named); err != nil {
			return nil, nil, fmt.Errorf("merchant %d of the list: %w", i+1, err)
		}
		m := NamedMerchant{Settings: one}
		m.ID, _ = named["id"].(string)
		if m.ID == "" {
			return nil, nil, fmt.Errorf("merchant %d of the list: it has no id", i+1)
		}
		if slices.ContainsFunc(list, func(o NamedMerchant) bool { return o.ID == m.ID }) {
			problems = append(problems, fmt.Errorf("merchant %q: the id is there twice", m.ID))
		}
		for _, name := range []string{"live_key", "test_key"} {
			key, _ := named[name].(string)
			if other, used := owner[key]; used && other != m.ID && key != "" {
				problems = append(problems, fmt.Errorf("merchant %q: merchant %q has the key %q too", m.ID, other, key))
			}
			owner[key] = m.ID
		}
		list = append(list, m)
	}
	return list, problems, nil
}

// LoadMerchants adds the merchants of a JSON list to those that are stored, and returns them with all their secrets. It
// replaces {BASE_URL} in the list by base. If any setting is wrong, it stores no merchant, and the error has a line for
// every wrong setting of every merchant.
func LoadMerchants(
	ctx context.Context, to *change.Merchants, text []byte, base string,
) (merchants []settings.Merchant, err error) {
	list, problems, err := ReadMerchants(bytes.ReplaceAll(text, []byte("{BASE_URL}"), []byte(base)))
	if err != nil {
		return nil, err
	}
	drafts := make([]change.Draft, len(list))
	merchants = make([]settings.Merchant, len(list))
	for i, one := range list {
		if err := store.ReadExactly(one.Settings, &merchants[i]); err != nil {
			return nil, fmt.Errorf("merchant %q: %w", one.ID, err)
		}
		drafts[i] = change.Draft{Merchant: one.ID, Settings: one.Settings, Adds: true}
		checked, err := to.Check(ctx, drafts[i])
		if err != nil {
			return nil, fmt.Errorf("merchant %q: %w", one.ID, err)
		}
		for _, f := range checked.Faults {
			problems = append(problems, fmt.Errorf("merchant %q: %s", one.ID, fault.Fault{Path: f.Path, Text: f.Text}))
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	for i, d := range drafts {
		done, err := to.Publish(ctx, d)
		if err != nil {
			return nil, err
		}
		if err := store.ReadExactly(store.CompactJSON(done.Made), &merchants[i]); err != nil { // its members are a merchant's
			return nil, err
		}
	}
	return merchants, nil
}
