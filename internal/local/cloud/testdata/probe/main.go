// Command probe is a function that does with AWS what its event says.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

type clients struct {
	tables *dynamodb.Client
	queues *sqs.Client
	keys   *kms.Client
}

func main() {
	c, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		panic(err)
	}
	p := clients{dynamodb.NewFromConfig(c), sqs.NewFromConfig(c), kms.NewFromConfig(c)}
	lambda.Start(p.handle)
}

// handle handles the records of a queue, an HTTP request, a schedule, or a raw list of words.
func (p clients) handle(ctx context.Context, raw json.RawMessage) (any, error) {
	var kinds struct {
		Records    []events.SQSMessage
		DetailType string `json:"detail-type"`
		RouteKey   string `json:"routeKey"`
		Do         []string
	}
	if err := json.Unmarshal(raw, &kinds); err != nil {
		return nil, err
	}
	switch {
	case kinds.Records != nil:
		return p.batch(ctx, kinds.Records)
	case kinds.RouteKey != "":
		return p.http(ctx, raw)
	case kinds.DetailType != "":
		fmt.Println("ticked")
		return nil, p.add(ctx, "tick")
	}
	return p.do(ctx, kinds.Do)
}

func (p clients) batch(ctx context.Context, records []events.SQSMessage) (any, error) {
	var out events.SQSEventResponse
	for _, r := range records {
		if err := p.add(ctx, r.Body); err != nil {
			return nil, err
		}
		if strings.HasPrefix(r.Body, "bad") {
			out.BatchItemFailures = append(out.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: r.MessageId})
		}
	}
	fmt.Println("batch of", len(records))
	return out, nil
}

// http returns the request itself.
func (p clients) http(_ context.Context, raw json.RawMessage) (any, error) {
	var in events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, err
	}
	if in.QueryStringParameters["binary"] != "" {
		return events.APIGatewayV2HTTPResponse{StatusCode: 201, Body: base64.StdEncoding.EncodeToString([]byte{0, 255}),
			IsBase64Encoded: true}, nil
	}
	if in.QueryStringParameters["panic"] != "" {
		panic("on purpose")
	}
	return events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: string(raw),
		Headers: map[string]string{"content-type": "application/json", "referrer-policy": "own"},
		Cookies: []string{"a=1", "b=2"}}, nil
}

// add counts how often it was called with a name.
func (p clients) add(ctx context.Context, name string) error {
	_, err := p.tables.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String(os.Getenv("TABLE")), Key: key(name), UpdateExpression: aws.String("ADD n :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
	})
	return err
}

func key(name string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: name}}
}

// do calls one operation of AWS: its name, and an argument.
func (p clients) do(ctx context.Context, words []string) (any, error) {
	table := aws.String(os.Getenv("TABLE"))
	switch words[0] {
	case "add":
		return nil, p.add(ctx, words[1])
	case "put":
		_, err := p.tables.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: table, Item: key(words[1]),
				ConditionExpression: aws.String("attribute_not_exists(pk)")})
		return nil, err
	case "get":
		out, err := p.tables.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key(words[1])})
		if err != nil {
			return nil, err
		}
		return len(out.Item), nil
	case "scan":
		_, err := p.tables.Scan(ctx, &dynamodb.ScanInput{TableName: table})
		return nil, err
	case "transact":
		put := types.TransactWriteItem{Put: &types.Put{TableName: table, Item: key(words[1])}}
		drop := types.TransactWriteItem{Delete: &types.Delete{TableName: table, Key: key(words[1] + "-other")}}
		items := []types.TransactWriteItem{put}
		if words[2] == "delete" {
			items = append(items, drop)
		}
		_, err := p.tables.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: items})
		return nil, err
	case "send":
		_, err := p.queues.SendMessage(ctx,
			&sqs.SendMessageInput{QueueUrl: aws.String(os.Getenv(words[1])), MessageBody: aws.String(words[2])})
		return nil, err
	case "pair":
		return p.keys.GenerateDataKeyPairWithoutPlaintext(ctx, &kms.GenerateDataKeyPairWithoutPlaintextInput{
			KeyId: aws.String(os.Getenv("KEY")), KeyPairSpec: "ECC_NIST_P256",
			EncryptionContext: map[string]string{"day": words[1]},
		})
	case "key":
		_, err := p.keys.GenerateDataKey(ctx,
			&kms.GenerateDataKeyInput{KeyId: aws.String(os.Getenv("KEY")), KeySpec: "AES_256"})
		return nil, err
	case "open":
		blob, err := base64.StdEncoding.DecodeString(words[2])
		if err != nil {
			return nil, err
		}
		return p.keys.Decrypt(ctx, &kms.DecryptInput{CiphertextBlob: blob,
			EncryptionContext: map[string]string{"day": words[1]}})
	}
	return nil, fmt.Errorf("unknown %q", words[0])
}
