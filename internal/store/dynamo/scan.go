package dynamo

import (
	"context"
	"fmt"

	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// scanner is what Scan needs of *dynamodb.Client. No function of the service scans a table.
type scanner interface {
	Scan(context.Context, *dynamodb.ScanInput, ...option) (*dynamodb.ScanOutput, error)
}

// Scan reads a whole table, expired documents included, and calls take with the documents of each partition.
func Scan(ctx context.Context, client scanner, table string, take func([]store.Record) error) error {
	input := dynamodb.ScanInput{TableName: &table, ConsistentRead: aws.Bool(true)}
	var partition []store.Record // a page may end within a partition
	for {
		out, err := client.Scan(ctx, &input)
		if err != nil {
			return fmt.Errorf("dynamo: scan: %w", err)
		}
		for _, it := range out.Items {
			record, err := recordOf(it)
			if err != nil {
				return fmt.Errorf("dynamo: scan: %w", err)
			}
			if len(partition) > 0 && partition[0].Key.Partition != record.Key.Partition {
				if err := take(partition); err != nil {
					return err
				}
				partition = nil
			}
			partition = append(partition, record)
		}
		if len(out.LastEvaluatedKey) == 0 {
			break
		}
		input.ExclusiveStartKey = out.LastEvaluatedKey
	}
	if len(partition) == 0 {
		return nil
	}
	return take(partition)
}
