package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"checkout/internal/storetest/engine"
)

func TestMain(m *testing.M) { engine.Main(m) }

const merchants = "../../../../infra/merchants.json"

// newTable makes a table where AWS's own variables lead to.
func newTable(t *testing.T) (*dynamodb.Client, string) {
	t.Helper()
	endpoint, err := engine.DynamoDB()
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": endpoint, "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
	} {
		t.Setenv(name, value)
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client, name := dynamodb.NewFromConfig(cfg), "test-"+rand.Text()
	_, err = client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("due_shard"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("due_at"), AttributeType: types.ScalarAttributeTypeN},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("due"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("due_shard"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("due_at"), KeyType: types.KeyTypeRange},
			},
		}},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	wanted := &dynamodb.DescribeTableInput{TableName: &name}
	if err := dynamodb.NewTableExistsWaiter(client).Wait(t.Context(), wanted, time.Minute); err != nil {
		t.Fatal(err)
	}
	return client, name
}

func none(string) string { return "" }

func TestPutStoresMerchants(t *testing.T) {
	client, table := newTable(t)
	for range 2 { // the second time in place of the first
		var out bytes.Buffer
		if err := run(t.Context(), []string{"merchants", "put", "-table", table, "-base", "https://pay.example/", merchants}, none, &out); err != nil {
			t.Fatal(err)
		}
		if want := "Demo Shop  live key demo-live  test key demo-test\n"; out.String() != want {
			t.Errorf("it printed %q, want %q", out.String(), want)
		}
	}
	found, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range found.Items {
		doc, _ := json.Marshal(item["doc"])
		if id, _ := json.Marshal(item["pk"]); !bytes.Contains(id, []byte(`"merchant/demo"`)) {
			continue // a key
		}
		for _, text := range []string{"https://pay.example/demo/callback", "demo-password"} {
			if !bytes.Contains(doc, []byte(text)) {
				t.Errorf("no %s in %s", text, doc)
			}
		}
	}
	if len(found.Items) != 3 {
		t.Errorf("%d items, want the settings and one for each key", len(found.Items))
	}
}

func TestPutRefuses(t *testing.T) {
	tests := []struct {
		name, want string
		args       []string
	}{
		{"no file", "use: checkout merchants put", []string{"-table", "t", "-base", "https://pay.example"}},
		{"two files", "use: checkout merchants put", []string{"-table", "t", merchants, merchants}},
		{"no table", "no table", []string{"-base", "https://pay.example", merchants}},
		{"no base", "set -base", []string{"-table", "t", merchants}},
		{"no such file", "no such file", []string{"-table", "t", "none.json"}},
		{"not a list", "read merchants", []string{"-table", "t", "-base", "https://pay.example", "main.go"}},
		{"unknown flag", "not defined", []string{"-password", "x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := run(t.Context(), append([]string{"merchants", "put"}, test.args...), none, &out); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

func TestRunListsItsCommands(t *testing.T) {
	for _, args := range [][]string{nil, {"merchants"}, {"merchants", "sell"}, {"put", "merchants"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, none, &out); err == nil || !strings.Contains(err.Error(), "command") {
			t.Errorf("%v: %v", args, err)
		}
		for _, c := range commands() {
			if !strings.Contains(out.String(), "checkout "+c.group+" "+c.name+" ") || !strings.Contains(out.String(), c.does) {
				t.Errorf("%v: no %s %s in %s", args, c.group, c.name, out.String())
			}
		}
	}
}
