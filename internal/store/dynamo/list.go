package dynamo

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// List implements store.Store with strongly consistent reads. It takes one request, and more where documents are large
// (a page holds 1 MB) or have expired.
func (s *Store) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	condition, values := "pk = :pk", item{":pk": text(query.Partition), ":now": number(now.UnixMilli())}
	if query.Prefix != "" { // DynamoDB refuses an empty prefix
		condition, values[":prefix"] = condition+" AND begins_with(sk, :prefix)", text(query.Prefix)
	}
	var after item
	if query.Before != "" { // a start key need not be that of an item
		after = item{"pk": text(query.Partition), "sk": text(query.Before)}
	}
	items, err := s.query(ctx, query.Limit, dynamodb.QueryInput{
		TableName:                 s.tableOf(store.Key{Partition: query.Partition}),
		ExclusiveStartKey:         after,
		KeyConditionExpression:    &condition,
		FilterExpression:          aws.String("attribute_not_exists(expires_at) OR expires_at > :now"),
		ExpressionAttributeValues: values,
		ScanIndexForward:          aws.Bool(false),
		ConsistentRead:            aws.Bool(true),
	})
	if err != nil {
		return nil, fmt.Errorf("dynamo: list at most %d documents: %w", query.Limit, err)
	}
	records := make([]store.Record, len(items))
	for i, it := range items {
		if records[i], err = recordOf(it); err != nil {
			return nil, fmt.Errorf("dynamo: list at most %d documents: %w", query.Limit, err)
		}
	}
	return records, nil
}

// Due implements store.Store. The index lags behind writes and has no expires_at, so a listed document may have
// changed or expired.
func (s *Store) Due(ctx context.Context, now time.Time, query store.DueQuery) ([]store.DueEntry, error) {
	shard := store.ShardName(query.Kind, query.Shard)
	input := dynamodb.QueryInput{
		TableName:                 &s.tables.Main, // nothing else is ever due
		IndexName:                 aws.String("due"),
		KeyConditionExpression:    aws.String("due_shard = :shard AND due_at <= :now"),
		ExpressionAttributeValues: item{":shard": text(shard), ":now": number(now.UnixMilli())},
	}
	if after := query.After; !after.At.IsZero() {
		if after.At.UnixMilli() > now.UnixMilli() {
			return nil, nil // DynamoDB refuses a start key after the end
		}
		input.ExclusiveStartKey = itemKey(after.Key)
		input.ExclusiveStartKey["due_shard"], input.ExclusiveStartKey["due_at"] = text(shard), number(after.At.UnixMilli())
	}
	items, err := s.query(ctx, query.Limit, input)
	if err != nil {
		return nil, fmt.Errorf("dynamo: list %s: %w", shard, err)
	}
	entries := make([]store.DueEntry, len(items))
	for i, it := range items {
		if _, entries[i], err = dueEntryOf(it); err != nil {
			return nil, fmt.Errorf("dynamo: list %s: %w", shard, err)
		}
	}
	return entries, nil
}

// AllDue implements store.Store. A page of a scan holds 1 MB, too.
func (s *Store) AllDue(ctx context.Context, limit int) (store.DueListing, error) {
	out, err := s.client.Scan(ctx, &dynamodb.ScanInput{
		TableName: &s.tables.Main, IndexName: aws.String("due"), Limit: aws.Int32(int32(limit)),
	})
	if err != nil {
		return nil, fmt.Errorf("dynamo: list all that is due: %w", err)
	}
	if len(out.LastEvaluatedKey) > 0 {
		return nil, nil
	}
	all := store.DueListing{}
	for _, it := range out.Items {
		shard, entry, err := dueEntryOf(it)
		if err != nil {
			return nil, fmt.Errorf("dynamo: list all that is due: %w", err)
		}
		all.Add(shard, entry)
	}
	return all, nil
}

// query reads pages until it has limit items. DynamoDB counts the limit of a page before it filters, so a page may
// hold fewer items or none.
func (s *Store) query(ctx context.Context, limit int, input dynamodb.QueryInput) ([]item, error) {
	var items []item
	for len(items) < limit {
		input.Limit = aws.Int32(int32(min(limit-len(items), 10_000)))
		out, err := s.client.Query(ctx, &input)
		if err != nil {
			return nil, err
		}
		items = append(items, out.Items...)
		if len(out.LastEvaluatedKey) == 0 {
			break
		}
		input.ExclusiveStartKey = out.LastEvaluatedKey
	}
	return items, nil
}
