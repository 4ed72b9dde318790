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

	"checkout/internal/app/function"
	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/merchant"
	"checkout/internal/request"
	"checkout/internal/store"
	"checkout/internal/store/dynamo"
	"checkout/internal/vault"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
)

// Store is where documents are kept, for commands that pass it on.
type Store = store.Store

// Service and ParkedQuery are what an operator's commands work with.
type (
	Service     = checkout.Service
	ParkedQuery = callback.ParkedQuery
)

// Merchants is what an operator does with merchants, for commands that pass it on.
type Merchants = merchant.Merchants

// OpenMerchants returns what an operator does with the merchants in the table named by TABLE. Their secrets are
// encrypted under data keys that the KMS key named by SECRETS_KEY_ID wraps; AWS_ENDPOINT_URL_KMS is its endpoint (empty:
// AWS's own); without that key merchants can be listed and found alone. For the rest see OpenTable.
func OpenMerchants(ctx context.Context, env Env) (*merchant.Merchants, error) {
	store, err := OpenTable(ctx, env)
	if err != nil {
		return nil, err
	}
	if env("SECRETS_KEY_ID") == "" {
		return &merchant.Merchants{Store: store, Now: time.Now, Random: function.Random, Connectors: connector.Declarations()}, nil
	}
	client, err := operatorKMS(ctx, env)
	if err != nil {
		return nil, err
	}
	keys := map[merchant.SecretUse]string{}
	for _, use := range merchant.SecretUses {
		keys[use] = env("SECRETS_KEY_ID")
	}
	secrets := vault.NewSecrets(store, vault.NewKMSWrapper(client, keys), time.Now, merchant.SecretUses...)
	return &merchant.Merchants{Store: store, Secrets: secrets, Now: time.Now, Random: function.Random, Connectors: connector.Declarations()}, nil
}

func operatorKMS(ctx context.Context, env Env) (*kms.Client, error) {
	if env("AWS_ACCESS_KEY_ID") == "" {
		cfg, err := config.LoadDefaultConfig(ctx)
		if err != nil {
			return nil, fmt.Errorf("read AWS configuration: %w", err)
		}
		return kms.NewFromConfig(cfg), nil
	}
	options := kms.Options{
		Region:      env("AWS_REGION"),
		Credentials: credentials.NewStaticCredentialsProvider(env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY"), env("AWS_SESSION_TOKEN")),
	}
	if endpoint := env("AWS_ENDPOINT_URL_KMS"); endpoint != "" {
		options.BaseEndpoint = &endpoint
	}
	return kms.New(options), nil
}

// OpenTable returns the store over the DynamoDB table named by TABLE, for
// commands that need no more of the service; only those that pay need
// VAULT_TABLE, too. With AWS_ACCESS_KEY_ID in env,
// keys, AWS_REGION and AWS_ENDPOINT_URL_DYNAMODB (empty: AWS's own) are env's
// too; else all of these come from where AWS's own tools take them.
func OpenTable(ctx context.Context, env Env) (Store, error) {
	if env("TABLE") == "" {
		return nil, errors.New("the environment has no TABLE")
	}
	tables := dynamo.Tables{Main: env("TABLE"), Vault: env("VAULT_TABLE")}
	if env("AWS_ACCESS_KEY_ID") == "" {
		cfg, err := config.LoadDefaultConfig(ctx)
		if err != nil {
			return nil, fmt.Errorf("read AWS configuration: %w", err)
		}
		return dynamo.NewStore(dynamodb.NewFromConfig(cfg), tables, function.NewWriterID), nil
	}
	options := dynamodb.Options{
		Region:      env("AWS_REGION"),
		Credentials: credentials.NewStaticCredentialsProvider(env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY"), env("AWS_SESSION_TOKEN")),
	}
	if endpoint := env("AWS_ENDPOINT_URL_DYNAMODB"); endpoint != "" {
		options.BaseEndpoint = &endpoint
	}
	return dynamo.NewStore(dynamodb.New(options), tables, function.NewWriterID), nil
}

// OpenService returns the service over the table that OpenTable opens, for an operator's commands: what reads and changes
// documents alone. What they change is sent by the sweep.
func OpenService(ctx context.Context, env Env) (*Service, error) {
	store, err := OpenTable(ctx, env)
	if err != nil {
		return nil, err
	}
	g, err := function.Build(env, slog.New(slog.DiscardHandler), &checkout.Service{Now: time.Now, Store: store})
	if err != nil {
		return nil, err
	}
	return g.Service, nil
}

// Rotation is the replacement of a merchant's key or secret, for commands that pass it on.
type Rotation = merchant.Rotation

// LoadMerchants stores the merchants of a JSON list, in place of what is
// stored under their ids. {BASE_URL} in the text stands for base. It answers
// the merchants that it stored; where any setting of any merchant is wrong it
// stores none, and the error names every one, a line each.
func LoadMerchants(ctx context.Context, to *merchant.Merchants, text []byte, base string) ([]merchant.Merchant, error) {
	var merchants []merchant.Merchant
	decoder := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(text, []byte("{BASE_URL}"), []byte(base))))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&merchants); err != nil {
		return nil, fmt.Errorf("read merchants: %w", err)
	}
	if err := checkMerchants(ctx, to, merchants); err != nil {
		return nil, err
	}
	for _, m := range merchants {
		if err := to.Save(ctx, m); err != nil {
			return nil, fmt.Errorf("merchant %q: %w", m.ID, err)
		}
	}
	return merchants, nil
}

// checkMerchants finds what is wrong with each merchant, and ids and keys that two of them share.
func checkMerchants(ctx context.Context, to *merchant.Merchants, merchants []merchant.Merchant) error {
	var problems []error
	owner := map[string]int{}
	for i, m := range merchants {
		var wrong *request.Error
		if err := to.Validate(ctx, m); errors.As(err, &wrong) {
			for _, fault := range wrong.Faults {
				problems = append(problems, fmt.Errorf("merchant %q: %s", m.ID, fault))
			}
		} else if err != nil {
			return err
		}
		if slices.ContainsFunc(merchants[:i], func(o merchant.Merchant) bool { return o.ID == m.ID }) {
			problems = append(problems, fmt.Errorf("merchant %q: the id is there twice", m.ID))
		}
		for _, key := range []string{m.LiveKey, m.TestKey} {
			if other, taken := owner[key]; taken && other != i && key != "" {
				problems = append(problems, fmt.Errorf("merchant %q: merchant %q has the key %q too", m.ID, merchants[other].ID, key))
			}
			owner[key] = i
		}
	}
	return errors.Join(problems...)
}
