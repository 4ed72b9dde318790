// Package dynamo keeps the service's documents in three DynamoDB tables: those of the vault in one that is never
// restored, those of the listing in one that can be made anew, all others in the main one. An item has the key (pk,
// sk), the document (doc, or compressed z), its version (v), the id of the Save that wrote it (w), and, where they
// apply, expires_at, ttl, due_shard and due_at. DynamoDB may delete an item days after its ttl, so every read and
// condition compares expires_at itself. The index "due" holds only documents that have something due.
package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// client is the part of *dynamodb.Client that a Store needs. The client itself repeats requests that failed on the
// network and, of writes, those that a busy table refused.
type client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...option) (*dynamodb.GetItemOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...option) (*dynamodb.BatchGetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...option) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...option) (*dynamodb.ScanOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...option) (*dynamodb.PutItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...option) (*dynamodb.DeleteItemOutput, error)
	TransactWriteItems(
		context.Context, *dynamodb.TransactWriteItemsInput, ...option,
	) (*dynamodb.TransactWriteItemsOutput, error)
}

type option = func(*dynamodb.Options)

// Tables are the names of all tables. Vault and Listing are "" for a function that does not use them: DynamoDB refuses
// a request without a table name.
type Tables struct {
	Main    string
	Vault   string
	Listing string
}

// Store is a store.Store in three DynamoDB tables.
type Store struct {
	client      client
	tables      Tables
	newWriterID func() string
}

// NewStore makes a store over existing tables. newWriterID makes an id of 1 to 36 characters that no other Save
// anywhere has, such as a random UUID.
func NewStore(client client, tables Tables, newWriterID func() string) *Store {
	return &Store{client, tables, newWriterID}
}

// tableOf is the name of the table that a document is in.
func (s *Store) tableOf(key store.Key) *string {
	switch {
	case key.InVault():
		return &s.tables.Vault
	case key.InListing():
		return &s.tables.Listing
	}
	return &s.tables.Main
}

var _ store.Store = (*Store)(nil)

// Get implements store.Store with strongly consistent reads. It takes more than one request only for more than 100
// keys or 16 MB.
func (s *Store) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	found, err := s.find(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("dynamo: get %d documents: %w", len(keys), err)
	}
	records := make([]store.Record, len(keys))
	for i, key := range keys {
		records[i] = found[key]
		if expired(records[i], now) || records[i].Version == 0 {
			records[i] = store.Record{Key: key}
		}
	}
	return records, nil
}

func (s *Store) find(ctx context.Context, keys []store.Key) (map[store.Key]store.Record, error) {
	if len(keys) == 1 {
		out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: s.tableOf(keys[0]), Key: itemKey(keys[0]), ConsistentRead: aws.Bool(true),
		})
		if err != nil || out.Item == nil {
			return nil, err
		}
		record, err := recordOf(out.Item)
		return map[store.Key]store.Record{keys[0]: record}, err
	}
	found := make(map[store.Key]store.Record, len(keys))
	waiting := distinct(keys)
	for attempt := 0; len(waiting) > 0; {
		batch := waiting[:min(len(waiting), maxBatch)]
		items, rest, err := s.batchGet(ctx, batch)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			record, err := recordOf(item)
			if err != nil {
				return nil, err
			}
			found[record.Key] = record
		}
		waiting = append(waiting[len(batch):], rest...)
		if len(rest) == 0 {
			continue
		}
		if attempt++; attempt == maxTries {
			return nil, errBusy
		}
		if err := pause(ctx, attempt); err != nil {
			return nil, err
		}
	}
	return found, nil
}

type item = map[string]types.AttributeValue

// batchGet returns the items that DynamoDB found in all tables, and the keys that it did not process.
func (s *Store) batchGet(ctx context.Context, keys []store.Key) (items []item, rest []store.Key, err error) {
	wanted := map[string]types.KeysAndAttributes{}
	for _, key := range keys {
		table := *s.tableOf(key)
		of := wanted[table]
		wanted[table] = types.KeysAndAttributes{Keys: append(of.Keys, itemKey(key)), ConsistentRead: aws.Bool(true)}
	}
	out, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: wanted})
	if err != nil {
		return nil, nil, err
	}
	for table := range wanted {
		items = append(items, out.Responses[table]...)
		for _, it := range out.UnprocessedKeys[table].Keys {
			key, err := keyOf(it)
			if err != nil {
				return nil, nil, err
			}
			rest = append(rest, key)
		}
	}
	return items, rest, nil
}

const maxBatch = 100 // keys in one BatchGetItem

var errBusy = errors.New("the table stayed busy")

var errItem = errors.New("an item is not one of ours")
