package dynamo

import (
	"errors"
	"strconv"
	"time"

	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// itemOf is the item that a Save by writer stores for record.
func itemOf(record store.Record, writer string) item {
	it := itemKey(record.Key)
	it["v"] = number(record.Version + 1)
	it["w"] = text(writer)
	it["doc"] = text(string(record.Doc))
	if !record.ExpiresAt.IsZero() {
		ms := record.ExpiresAt.UnixMilli()
		it["expires_at"] = number(ms)
		it["ttl"] = number((ms + 999) / 1000)
	}
	if !record.DueAt.IsZero() {
		it["due_shard"] = text(store.ShardName(record.DueKind, store.DueShard(record.DueKind, record.Key)))
		it["due_at"] = number(record.DueAt.UnixMilli())
	}
	shrink(it, record.Doc)
	return it
}

func recordOf(it item) (store.Record, error) {
	key, err := keyOf(it)
	doc, errDoc := documentIn(it)
	version, errVersion := numberIn(it, "v")
	expiresAt, errExpires := timeIn(it, "expires_at")
	dueAt, errDue := timeIn(it, "due_at")
	if err := errors.Join(err, errDoc, errVersion, errExpires, errDue); err != nil || version < 1 {
		return store.Record{}, errItem
	}
	record := store.Record{Key: key, Version: version, Doc: doc, ExpiresAt: expiresAt, DueAt: dueAt}
	if shard, ok := it["due_shard"].(*types.AttributeValueMemberS); ok {
		record.DueKind = store.ShardKind(shard.Value)
	}
	return record, nil
}

// dueEntryOf is an item's entry in the due listing, and the name of its shard there.
func dueEntryOf(it item) (shard string, entry store.DueEntry, err error) {
	name, ok := it["due_shard"].(*types.AttributeValueMemberS)
	key, errKey := keyOf(it)
	at, errAt := timeIn(it, "due_at")
	if err := errors.Join(errKey, errAt); err != nil || !ok {
		return "", entry, errItem
	}
	return name.Value, store.DueEntry{Key: key, At: at}, nil
}

func itemKey(key store.Key) item {
	return item{"pk": text(key.Partition), "sk": text(key.Sort)}
}

func keyOf(it item) (store.Key, error) {
	partition, ok1 := it["pk"].(*types.AttributeValueMemberS)
	sort, ok2 := it["sk"].(*types.AttributeValueMemberS)
	if !ok1 || !ok2 {
		return store.Key{}, errItem
	}
	return store.Key{Partition: partition.Value, Sort: sort.Value}, nil
}

// distinct are the keys, each once: BatchGetItem refuses more.
func distinct(keys []store.Key) []store.Key {
	seen := make(map[store.Key]bool, len(keys))
	var each []store.Key
	for _, key := range keys {
		if !seen[key] {
			seen[key] = true
			each = append(each, key)
		}
	}
	return each
}

func expired(record store.Record, now time.Time) bool {
	return !record.ExpiresAt.IsZero() && record.ExpiresAt.UnixMilli() <= now.UnixMilli()
}

func text(s string) types.AttributeValue {
	return &types.AttributeValueMemberS{Value: s}
}

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// numberIn is 0 for an attribute that is not there.
func numberIn(it item, name string) (int64, error) {
	switch value := it[name].(type) {
	case nil:
		return 0, nil
	case *types.AttributeValueMemberN:
		return strconv.ParseInt(value.Value, 10, 64)
	default:
		return 0, errItem
	}
}

// timeIn is the zero time for an attribute that is not there.
func timeIn(it item, name string) (time.Time, error) {
	ms, err := numberIn(it, name)
	if it[name] == nil || err != nil {
		return time.Time{}, err
	}
	return time.UnixMilli(ms).UTC(), nil
}
