package dynamo

import (
	"context"
	"crypto/rand"
	"net/http"
	"testing"
	"time"

	"checkout/internal/local/cloud/enginetest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

// newClient makes a client that repeats as often as the SDK does, but sooner.
func newClient(t *testing.T, transport http.RoundTripper) *dynamodb.Client {
	t.Helper()
	endpoint, err := enginetest.DynamoDB()
	if err != nil {
		t.Fatal(err)
	}
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint,
		Region:       "eu-central-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
		HTTPClient:   &http.Client{Transport: transport},
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return time.Millisecond, nil })
		}),
	})
}

// newTables makes three tables that live as long as the test. Only the main one has an index.
func newTables(t *testing.T) Tables {
	t.Helper()
	return Tables{Main: newTable(t, true), Vault: newTable(t, false), Listing: newTable(t, false)}
}

func newTable(t *testing.T, indexed bool) (name string) {
	t.Helper()
	client := newClient(t, nil)
	name = "test-" + rand.Text()
	if err := createTable(t.Context(), client, name, indexed); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &name}); err != nil {
			t.Error(err)
		}
	})
	return name
}

func createTable(ctx context.Context, client *dynamodb.Client, name string, indexed bool) error {
	hash := func(name string) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeHash}
	}
	sort := func(name string) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeRange}
	}
	attribute := func(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: kind}
	}
	table := &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			attribute("pk", types.ScalarAttributeTypeS), attribute("sk", types.ScalarAttributeTypeS),
		},
		KeySchema: []types.KeySchemaElement{hash("pk"), sort("sk")},
	}
	if indexed {
		table.AttributeDefinitions = append(table.AttributeDefinitions,
			attribute("due_shard", types.ScalarAttributeTypeS), attribute("due_at", types.ScalarAttributeTypeN))
		table.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("due"),
			KeySchema:  []types.KeySchemaElement{hash("due_shard"), sort("due_at")},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}}
	}
	if _, err := client.CreateTable(ctx, table); err != nil {
		return err
	}
	return dynamodb.NewTableExistsWaiter(client).Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, time.Minute)
}
