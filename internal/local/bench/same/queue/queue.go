// Package queue uses what functions are built with that send messages.
package queue

import (
	"context"

	"checkout/internal/local/bench/same/table"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// Use calls every operation of the library once.
func Use(ctx context.Context) {
	client := sqs.NewFromConfig(table.Config())
	client.SendMessage(ctx, nil)
	client.SendMessageBatch(ctx, nil)
}
