package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	cloud "checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/enginetest"
	"checkout/internal/local/cloud/template"
	"checkout/internal/store"
	"checkout/internal/store/dynamo"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

// stored returns all that a table has, of compressed documents what they hold.
func stored(t *testing.T, client *dynamodb.Client, table string) (all string) {
	t.Helper()
	err := dynamo.Scan(t.Context(), client, table, func(records []store.Record) error {
		for _, r := range records {
			all += fmt.Sprintf("%v %s\n", r.Key, r.Doc)
		}
		return nil
	})
	if err != nil || all == "" {
		t.Fatal("nothing is stored", err)
	}
	return all
}

const merchants = "../../../../infra/merchants.json"

// deployable returns a file with the merchants, whose providers have addresses that a stack can send to.
func deployable(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(merchants)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "merchants.json")
	text = bytes.ReplaceAll(text, []byte("{SIMULATOR_URL}"), []byte("https://simulator.example"))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// newTable makes a table at the endpoint of AWS's own variables.
func newTable(t *testing.T) (*dynamodb.Client, string) {
	t.Helper()
	endpoint, err := enginetest.DynamoDB()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := cloud.New(cloud.Config{
		Region: "eu-central-1", Account: "000000000000", DynamoDB: endpoint,
		Keys: []template.Key{{KeyID: "secrets", ARN: "arn:secrets", Spec: "SYMMETRIC_DEFAULT", Usage: "ENCRYPT_DECRYPT"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(keys)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": cloud.AdminKey,
		"AWS_SECRET_ACCESS_KEY": "test",
	} {
		t.Setenv(name, value)
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client, name := dynamodb.NewFromConfig(cfg), "test-"+rand.Text()
	for _, table := range []string{name, vaultTable(name)} {
		createTable(t, client, table)
	}
	return client, name
}

// vaultTable is the name of the vault table for a table.
func vaultTable(table string) string { return table + "-vault" }

func createTable(t *testing.T, client *dynamodb.Client, table string) {
	t.Helper()
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("due_shard"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("due_at"), AttributeType: types.ScalarAttributeTypeN},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("due"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("due_shard"), KeyType: types.KeyTypeHash},
				{AttributeName: aws.String("due_at"), KeyType: types.KeyTypeRange},
			},
		}},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	wanted := &dynamodb.DescribeTableInput{TableName: &table}
	if err := dynamodb.NewTableExistsWaiter(client).Wait(t.Context(), wanted, time.Minute); err != nil {
		t.Fatal(err)
	}
}

func none(string) string { return "" }

// typed types a command where nobody can be asked, and returns what it prints for people.
func typed(t *testing.T, getenv app.Env, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := &call{getenv: getenv, in: strings.NewReader(""), out: &out, notes: &out, tables: true}
	err := run(t.Context(), c, args)
	return out.String(), err
}

func TestPutStoresMerchants(t *testing.T) {
	client, table := newTable(t)
	for _, want := range []string{"demo: is new\ndemo: stored as version 1\n", "demo: nothing changes\n"} {
		out, err := typed(t, none, "merchants", "put", "--yes", "--reason", "why", "--table", table,
			"--secrets-key", "secrets", "--base", "https://pay.example/", deployable(t))
		if err != nil {
			t.Fatal(err)
		}
		if out != want {
			t.Errorf("it printed %q, want %q", out, want)
		}
	}
	all := stored(t, client, table)
	if !strings.Contains(all, "https://pay.example/demo/callback") {
		t.Errorf("no URL of the service in %s", all)
	}
	for _, secret := range []string{"demo-password", "ZGVtby1jYWxsYmFjay", "simulator-secret"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s is stored in clear", secret)
		}
	}
	if n := strings.Count(all, "\n"); n != 12 {
		t.Errorf("%d items, want settings, their index, two keys, three secrets (password, callback secret, credentials), "+
			"the key pairs of the first two, the key of fingerprints, the first put's audit and idempotency record", n)
	}
}

// All commands for a merchant, as an operator types them.
func TestMerchantsCommands(t *testing.T) {
	_, table := newTable(t)
	do := func(args ...string) (string, error) {
		getenv := func(name string) string { return map[string]string{"SECRETS_KEY_ID": "secrets"}[name] }
		if args[0] != "credentials" {
			args = append(args, "--table", table)
		}
		if args[0] == "new" || slices.Contains(args, "--yes") {
			args = append(args, "--reason", "why")
		}
		return typed(t, getenv, append([]string{"merchants"}, args...)...)
	}
	for _, step := range []struct {
		args string
		want string // a pattern of what is printed, or of the error
	}{
		{"list", `^$`},
		{"show demo", `Merchant does not exist`},
		{"put --yes --base https://pay.example " + merchants,
			`"demo", line 40: mappings\[default\]\.mids\[primary\]\.credentials\.url: .* https address`},
		{"list", `^$`},
		{"credentials stripe",
			`^stripe  url +address, required +base address .*\nstripe  key +text, required, secret +secret`},
		{"credentials", `\ncollection +market +market, required +`},
		{"credentials strip", `no connector "strip": there are adapter, brandcard, `},
		{"diff --base https://pay.example " + deployable(t), `^demo: is new\n$`},
		{"put --dry-run --base https://pay.example " + deployable(t), `^demo: is new\n$`},
		{"list", `^$`},
		{"put --yes --base https://pay.example " + deployable(t),
			`^demo: is new\ndemo: stored as version 1\n$`},
		{"versions demo", `^$`},
		{"list", `^id +name +disabled +live_key +test_key\ndemo +Demo Shop +demo-live +demo-test\n$`},
		{"show demo", `"notification_url": "https://pay.example/demo/callback"`},
		{"show demo", `"path": "/api/v1/notify/stripe/ZGVtbw.abac25a104f95872"`},
		{"rotate --yes demo key --overlap 24h", `^new key of demo: [0-9a-f-]{36}\nthe old one ends in 24h0m0s\n$`},
		{"rotate --yes demo test-key --to another-test-key", `^the old one has ended; `},
		{"rotate --yes demo password", `^new password of demo: [\w-]{32}\nthe old one has ended; `},
		{"rotate --yes --overlap 1h demo callback-secret", `^new callback-secret of demo: whsec_[\w+/=]{44}\n`},
		{"rotate --yes demo password --overlap 721h", `overlap: This value is not valid`},
		{"rotate --yes demo", `use: checkout merchants rotate`},
		{"disable --yes demo", `^$`},
		{"list", `demo +Demo Shop +true +[0-9a-f-]{36} +another-test-key\n$`},
		{"enable --yes demo", `^$`},
		{"list", `Demo Shop +[0-9a-f-]{36} `},
		{"show demo", `"replaced_keys": \[\s+{\s+"key": "demo-live",\s+"until": `},
		{"disable --yes none", `Merchant does not exist`},
		{"versions none", `Merchant does not exist`},
		{"restore --yes demo x", `"x" is no version`},
		{"restore --yes demo 99", `Version does not exist`},
		{"new --for own --name Ink ink",
			`^live key +[0-9a-f-]{36}\ntest key +[0-9a-f-]{36}\npassword +[\w-]{32}\ncallback secret +whsec_`},
		{"new --for own ink", `id: There is such a merchant`},
		{"new --for plugin --url https://ink.example/callback toner", `Next, give it a MID`},
		{"new --for shop other", `for: `},
		{"new --for own Ink", `id: This value is not valid. It should have 1 to 32 characters`},
		{"new --for erp pencils", `Next, give it a MID`},
		{"show pencils", `"compatibility": {\s+"preset": "erp module"`},
		{"show toner", `"compatibility": {\s+"preset": "plugin"`},
		{"show ink", `"name": "Ink"`},
	} {
		out, err := do(strings.Fields(step.args)...)
		if err != nil {
			out = err.Error()
		}
		if !regexp.MustCompile(step.want).MatchString(out) {
			t.Errorf("%s: %q, want %s", step.args, out, step.want)
		}
		if strings.HasPrefix(step.args, "show") && regexp.MustCompile(`demo-password|whsec_|"password": "`).MatchString(out) {
			t.Errorf("a secret is shown: %s", out)
		}
	}
}

func TestPutRefuses(t *testing.T) {
	tests := []struct {
		name, want string
		args       []string
		code       int
	}{
		{"no file", "use: checkout merchants put", []string{"--table", "t", "--base", "https://pay.example"}, exitMisused},
		{"two files", "use: checkout merchants put", []string{"--table", "t", merchants, merchants}, exitMisused},
		{"no table", "no table", []string{"--direct", "--base", "https://pay.example", merchants}, exitMisused},
		{"no base", "set --base", []string{"--table", "t", merchants}, exitMisused},
		{"no such file", "no such file", []string{"--table", "t", "none.json"}, exitFailed},
		{"not a list", "read merchants",
			[]string{"--table", "t", "--base", "https://pay.example", "--dry-run", "main.go"}, exitFailed},
		{"unknown flag", "unknown flag", []string{"--password", "x"}, exitMisused},
		{"an API and a table", "none of the others can be",
			[]string{"--table", "t", "--api", "https://api.example", merchants}, exitMisused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{"merchants", "put", "--reason", "why", "--secrets-key", "secrets"}, test.args...)
			_, err := typed(t, none, args...)
			if err == nil || !strings.Contains(err.Error(), test.want) || exitCode(err) != test.code {
				t.Errorf("%v, exits with %d, want %q, %d", err, exitCode(err), test.want, test.code)
			}
		})
	}
}

// TestLocalRun checks that providers on this machine are for the tables of local runs alone.
func TestLocalRun(t *testing.T) {
	for endpoint, want := range map[string]string{
		"http://127.0.0.1:8000": "true", "http://localhost:8000": "true", "http://172.17.0.1:8000": "true", "": "",
		"https://dynamodb.eu-central-1.amazonaws.com": "", "http://localhost.evil.example": "", "http://8.8.8.8": "",
	} {
		for _, local := range []string{"true", ""} {
			set := map[string]string{"TABLE": "t", "LOCAL_RUN": local, "AWS_ENDPOINT_URL_DYNAMODB": endpoint}
			c := &call{getenv: func(name string) string { return set[name] }}
			env, err := c.tableEnv()
			if err != nil {
				t.Fatal(err)
			}
			if got := env("LOCAL_RUN"); got != want && local == "true" || got != "" && local == "" {
				t.Errorf("%q at %s: %q", local, endpoint, got)
			}
		}
	}
}
