package app

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"checkout/internal/operator"
	"checkout/internal/operator/words"
	"checkout/internal/store"
	"checkout/internal/store/dynamo"
)

// CheckTable reads a whole DynamoDB table and reports a line for every rule that a payment breaks. It returns how many
// partitions it read: about one for each order.
func CheckTable(ctx context.Context, table string, report func(line string)) (int, error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return 0, fmt.Errorf("read AWS configuration: %w", err)
	}
	orders, now := 0, time.Now()
	err = dynamo.Scan(ctx, dynamodb.NewFromConfig(cfg), table, func(records []store.Record) error {
		orders++
		for _, line := range operator.CheckOrder(now, records) {
			report(line)
		}
		return nil
	})
	return orders, err
}

// PaymentHistory returns what happened to a payment that is stored in a table. Errors: CodeNotFound.
func PaymentHistory(ctx context.Context, in Store, paymentID string) (words.History, error) {
	return words.PaymentHistory(ctx, in, time.Now(), paymentID)
}
