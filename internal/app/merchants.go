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
	"checkout/internal/settings/merge"
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
	SettingFault  = change.Fault
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

	lines *merge.Lines
}

// Line returns the line of the file on which a setting is wrong.
func (m NamedMerchant) Line(f SettingFault) int { return m.lines.Of(f.Place) }

// Wrong returns the error for a setting that is wrong. It names the line of the file.
func (m NamedMerchant) Wrong(f SettingFault) error {
	return fmt.Errorf("merchant %q, line %d: %s", m.ID, m.Line(f), fault.Printable(f.String(), maxProblem))
}

// maxProblem is the most characters of what is wrong with a setting.
const maxProblem = 1000

// ReadMerchants reads a JSON list of merchants. It also takes a single merchant, and one as it is shown to operators,
// whose settings are in the member settings. problems has what is there twice: members, ids, and keys.
func ReadMerchants(text []byte) (list []NamedMerchant, problems []error, err error) {
	lines, twice, err := merge.ReadLines(text)
	if err != nil {
		return nil, nil, fmt.Errorf("read merchants: %w", err)
	}
	for _, one := range twice {
		problems = append(problems, errors.New(one))
	}
	var all []json.RawMessage
	at := lines.Item
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		all, at = []json.RawMessage{text}, func(int) *merge.Lines { return lines }
	} else if err := json.Unmarshal(text, &all); err != nil || all == nil {
		return nil, nil, errors.New("read merchants: the file should have a JSON list of merchants")
	}
	owner := map[string]string{}
	for i, one := range all {
		m := NamedMerchant{Settings: one, lines: at(i)}
		var named map[string]any
		if err := json.Unmarshal(one, &named); err != nil || named == nil {
			return nil, nil, fmt.Errorf("line %d: merchant %d of the list should be an object", m.lines.Line(), i+1)
		}
		if shown, is := named["settings"].(map[string]any); is && named["id"] == nil {
			named, m.Settings, m.lines = shown, store.CompactJSON(shown), m.lines.Member("settings")
		} else if len(twice) > 0 {
			m.Settings = store.CompactJSON(named) // so that the rest of it can be checked
		}
		m.ID, _ = named["id"].(string)
		if m.ID == "" {
			return nil, nil, fmt.Errorf("line %d: merchant %d of the list has no id", m.lines.Line(), i+1)
		}
		if slices.ContainsFunc(list, func(o NamedMerchant) bool { return o.ID == m.ID }) {
			problems = append(problems, fmt.Errorf("merchant %q, line %d: the id is there twice", m.ID, m.lines.Of("id")))
		}
		for _, name := range []string{"live_key", "test_key"} {
			key, _ := named[name].(string)
			if other, used := owner[key]; used && other != m.ID && key != "" {
				problems = append(problems,
					fmt.Errorf("merchant %q, line %d: merchant %q has the key %q too", m.ID, m.lines.Of(name), other, key))
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
		drafts[i] = change.Draft{Merchant: one.ID, Settings: one.Settings, Adds: true}
		checked, err := to.Check(ctx, drafts[i])
		if err != nil {
			return nil, fmt.Errorf("merchant %q: %w", one.ID, err)
		}
		for _, f := range checked.Faults {
			problems = append(problems, one.Wrong(f))
		}
		for _, r := range checked.Removed {
			drafts[i].Remove = append(drafts[i].Remove, r.Name)
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	for i, d := range drafts {
		if err := store.ReadExactly(d.Settings, &merchants[i]); err != nil {
			return nil, fmt.Errorf("merchant %q: %w", d.Merchant, err)
		}
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
