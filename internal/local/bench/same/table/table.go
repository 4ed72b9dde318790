// Package table uses what every function is built with beside the service: clients of DynamoDB and KMS, and the log.
package table

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/sha1"
	"log/slog"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
)

// Config is what clients are made with.
func Config() aws.Config {
	return aws.Config{
		Region: os.Getenv("AWS_REGION"), HTTPClient: awshttp.NewBuildableClient(),
		Credentials: credentials.NewStaticCredentialsProvider(
			os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN")),
	}
}

// Use calls every operation of the libraries once.
func Use(ctx context.Context) {
	table := dynamodb.NewFromConfig(Config())
	table.GetItem(ctx, nil)
	table.BatchGetItem(ctx, nil)
	table.Query(ctx, nil)
	table.PutItem(ctx, nil)
	table.DeleteItem(ctx, nil)
	table.TransactWriteItems(ctx, nil)
	keys := kms.NewFromConfig(Config())
	keys.Decrypt(ctx, nil)
	keys.GenerateDataKey(ctx, nil)
	slog.New(slog.NewJSONHandler(os.Stdout, nil)).LogAttrs(ctx, slog.LevelInfo, "used")
	if block, err := aes.NewCipher(nil); err == nil {
		seal, _ := cipher.NewGCMWithRandomNonce(block)
		seal.Open(nil, nil, nil, nil)
	}
	sha1.Sum(nil)
	md5.Sum(nil)
}
