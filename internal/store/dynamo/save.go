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
	"github.com/aws/smithy-go/middleware"
)

// errUnknown is returned by Save when the outcome cannot be known: the response to the first request was lost, and
// before its repeat others saved the document more than once since the version that the caller had read, so that our
// writer id, if it was stored, has been overwritten. It is no *store.ConflictError, because a caller repeats a change
// after a conflict and would make it twice. The caller does the same as after a crash within Save: it reads the
// document and decides by that.
var errUnknown = errors.New("the response was lost and others have saved since: the outcome of the save is unknown")

// Save implements store.Store. nil means that all was written, a *store.ConflictError that nothing was, and any other
// error that it may have been. One record is written by a conditional PutItem or a DeleteItem. Several are written by
// one transaction, which may span all tables and costs twice as much. So is an audit document alone: whoever may write
// these may do so in transactions only.
//
// The SDK repeats a request whose response was lost, and the condition of the repeat then fails because of the write
// itself. For a transaction DynamoDB detects that by the ClientRequestToken, for 10 minutes. Besides, a failed
// condition returns the stored item, and one item with our writer id proves that all our records were written.
func (s *Store) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	if len(records) == 0 {
		return nil
	}
	if err := store.CheckSave(records); err != nil {
		return fmt.Errorf("dynamo: save %d documents: %w", len(records), err)
	}
	w := save{now: now, records: records, writer: s.newWriterID()}
	send, first := s.transact, records[0]
	if _, audited := store.AuditDay(first.Key); len(records) == 1 && !audited {
		send = s.put
	}
	if len(records) == 1 && first.Delete {
		send = s.delete
	}
	err := send(ctx, &w)
	if conflict := (*store.ConflictError)(nil); err == nil || errors.As(err, &conflict) {
		return err
	}
	return fmt.Errorf("dynamo: save %d documents: %w", len(records), err)
}

// save is one call of Save. All its attempts have the same writer id, which no other call has.
type save struct {
	now     time.Time
	records []store.Record
	writer  string
	doubt   bool // an earlier attempt may have been written
}

func (s *Store) put(ctx context.Context, w *save) error {
	condition, values := w.condition(w.records[0])
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:                           s.tableOf(w.records[0].Key),
		Item:                                itemOf(w.records[0], w.writer),
		ConditionExpression:                 &condition,
		ExpressionAttributeValues:           values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}, retryWhenBusy, w.watch)
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return w.evaluate([]refusal{{w.records[0], refused.Item}})
	}
	return err
}

// delete deletes one document. It has no condition, so that it can be repeated when the response was lost.
func (s *Store) delete(ctx context.Context, w *save) error {
	key := w.records[0].Key
	input := &dynamodb.DeleteItemInput{TableName: s.tableOf(key), Key: itemKey(key)}
	_, err := s.client.DeleteItem(ctx, input, retryWhenBusy)
	return err
}

func (s *Store) transact(ctx context.Context, w *save) error {
	input := &dynamodb.TransactWriteItemsInput{ClientRequestToken: &w.writer}
	for _, record := range w.records {
		if record.Delete {
			deletion := &types.Delete{TableName: s.tableOf(record.Key), Key: itemKey(record.Key)}
			input.TransactItems = append(input.TransactItems, types.TransactWriteItem{Delete: deletion})
			continue
		}
		condition, values := w.condition(record)
		input.TransactItems = append(input.TransactItems, types.TransactWriteItem{Put: &types.Put{
			TableName:                           s.tableOf(record.Key),
			Item:                                itemOf(record, w.writer),
			ConditionExpression:                 &condition,
			ExpressionAttributeValues:           values,
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}})
	}
	_, err := s.client.TransactWriteItems(ctx, input, retryWhenBusy)
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != len(w.records) {
		return err
	}
	var refused []refusal
	for i, reason := range cancelled.CancellationReasons {
		if aws.ToString(reason.Code) == "ConditionalCheckFailed" {
			refused = append(refused, refusal{w.records[i], reason.Item})
		}
	}
	// A failed condition is final: the transaction could not have succeeded, whatever its other reasons are. So where
	// one condition failed and another item was busy, the conflict names the first.
	if len(refused) > 0 {
		return w.evaluate(refused)
	}
	return err
}

// condition is what must hold for record to be saved.
func (w *save) condition(record store.Record) (expression string, values item) {
	values = item{":now": number(w.now.UnixMilli())}
	if record.Version == 0 {
		return "attribute_not_exists(pk) OR expires_at <= :now", values
	}
	values[":v"] = number(record.Version)
	return "v = :v AND (attribute_not_exists(expires_at) OR expires_at > :now)", values
}

// refusal is a record whose condition did not hold, and the item that is stored under its key: nil if none is.
type refusal struct {
	record store.Record
	stored item
}

// evaluate returns the outcome of a save whose conditions failed: nil where an earlier attempt was written, which shows
// in the writer id of a stored item; a conflict where none can have been; or errUnknown. Our write could only be the
// version after the one that the caller had read. If another writer stored that version, or it does not exist yet, we
// did not write. If it has been overwritten since and an attempt is in doubt, the outcome is unknown.
func (w *save) evaluate(refused []refusal) error {
	conflict := &store.ConflictError{}
	unknown := w.doubt
	for _, r := range refused {
		if writer, ok := r.stored["w"].(*types.AttributeValueMemberS); ok && writer.Value == w.writer {
			return nil
		}
		version, err := numberIn(r.stored, "v")
		if err != nil {
			return err
		}
		if version <= r.record.Version+1 {
			unknown = false
		}
		conflict.Keys = append(conflict.Keys, r.record.Key)
	}
	if unknown {
		return errUnknown
	}
	return conflict
}

// watch is an option that sets w.doubt when an attempt of the SDK fails by anything but a refusal by DynamoDB: that
// attempt may have been written.
func (w *save) watch(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc("WatchAttempts", func(
			ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
		) (middleware.FinalizeOutput, middleware.Metadata, error) {
			out, metadata, err := next.HandleFinalize(ctx, in)
			if err != nil && !isRefusal(err) {
				w.doubt = true
			}
			return out, metadata, err
		}), "Retry", middleware.After)
	})
}

// isRefusal reports whether DynamoDB refused a write: with status 400 nothing was written.
func isRefusal(err error) bool {
	var response interface{ HTTPStatusCode() int }
	return errors.As(err, &response) && response.HTTPStatusCode() == 400
}
