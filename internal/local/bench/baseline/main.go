// Command baseline is a Lambda function that makes the same DynamoDB call as the service and does nothing else, to
// compare with: with the handler "write" the transaction of a new session, with "read" a consistent GetItem of a
// payment.
// Its items are as large as the service's.
package main

import (
	"context"
	"crypto/rand"
	"log"
	"os"
	"strings"

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
	if os.Getenv("_HANDLER") == "read" {
		known := document("known", "known", 1200)
		if _, err := client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: table, Item: known}); err != nil {
			log.Fatal(err)
		}
	}
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

// document is an item with what the service's have.
func document(pk, sk string, size int) item {
	it := key(pk, sk)
	it["v"] = &types.AttributeValueMemberN{Value: "1"}
	it["w"] = &types.AttributeValueMemberS{Value: rand.Text()[:16]}
	it["expires_at"] = &types.AttributeValueMemberN{Value: "4102444800000"}
	it["ttl"] = &types.AttributeValueMemberN{Value: "4102444800"}
	it["doc"] = &types.AttributeValueMemberS{Value: `{"text":"` + strings.Repeat("x", size) + `"}`}
	return it
}

// write adds two items under a new key, on condition that it is new.
func write(ctx context.Context, client *dynamodb.Client, table *string) error {
	name := rand.Text()
	var puts []types.TransactWriteItem
	for sk, size := range map[string]int{"a": 0, "b": 800} {
		puts = append(puts, types.TransactWriteItem{Put: &types.Put{
			TableName: table, Item: document(name, sk, size),
			ConditionExpression:                 aws.String("attribute_not_exists(pk) OR expires_at <= :now"),
			ExpressionAttributeValues:           item{":now": &types.AttributeValueMemberN{Value: "1700000000000"}},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}})
	}
	input := &dynamodb.TransactWriteItemsInput{TransactItems: puts, ClientRequestToken: &name}
	_, err := client.TransactWriteItems(ctx, input)
	return err
}
