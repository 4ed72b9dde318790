// Command baseline is a Lambda function that makes the same DynamoDB call as the service and does nothing else, to
// compare with: with the handler "write" a transaction of two small items, with "read" a consistent GetItem.
package main

import (
	"context"
	"crypto/rand"
	"log"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type item = map[string]types.AttributeValue

func main() {
	c, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	table, client := aws.String(os.Getenv("TABLE")), dynamodb.NewFromConfig(c)
	do := map[string]func(context.Context) error{
		"write": func(ctx context.Context) error { return write(ctx, client, table) },
		"read": func(ctx context.Context) error {
			_, err := client.GetItem(ctx,
				&dynamodb.GetItemInput{TableName: table, Key: key("known", "known"), ConsistentRead: aws.Bool(true)})
			return err
		},
	}[os.Getenv("_HANDLER")]
	if do == nil {
		log.Fatal("the handler is neither write nor read")
	}
	lambda.Start(func(ctx context.Context, _ events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: "{}"}, do(ctx)
	})
}

func key(pk, sk string) item {
	return item{"pk": &types.AttributeValueMemberS{Value: pk}, "sk": &types.AttributeValueMemberS{Value: sk}}
}

// write adds two items under a new key, on condition that it is new.
func write(ctx context.Context, client *dynamodb.Client, table *string) error {
	name := rand.Text()
	var puts []types.TransactWriteItem
	for _, sk := range []string{"a", "b"} {
		puts = append(puts, types.TransactWriteItem{Put: &types.Put{
			TableName: table, Item: key(name, sk), ConditionExpression: aws.String("attribute_not_exists(pk)"),
		}})
	}
	_, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: puts})
	return err
}
