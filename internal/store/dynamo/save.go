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

// ErrUnknown is what Save answers when nobody can know whether it was carried
// out: the answer to the first request was lost, and by the time of its repeat
// others had saved the document more than once since the version that the
// caller had read, so that the trace of our own save, if there was one, is
// gone. It is no conflict, because whoever repeats a change after a conflict
// would then make it twice. The caller does what it does after a crash in the
// middle of Save: it reads the document and decides by what is written there.
var ErrUnknown = errors.New("the answer was lost and others have saved since: nobody knows whether the save was carried out")

// Save implements store.Store: nil means done, a
// *checkout.ConflictError means not done, any other error means that
// it may have been. One record is a conditional PutItem or a DeleteItem, and several are a
// transaction, of both tables where they are of both, which costs twice as much.
//
// The SDK repeats a request whose answer was lost, and the repeat of a write
// that was done meets its own document. A transaction is protected by
// its ClientRequestToken, which DynamoDB remembers for 10 minutes. Besides, a
// refused condition brings back the stored item, and one item with our writer
// id proves that all of our records were written.
func (s *Store) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	if len(records) == 0 {
		return nil
	}
	if err := store.CheckSave(records); err != nil {
		return fmt.Errorf("dynamo: save %d documents: %w", len(records), err)
	}
	w := save{now: now, records: records, writer: s.newWriterID()}
	send := s.transact
	if len(records) == 1 {
		send = s.put
	}
	if len(records) == 1 && records[0].Delete {
		send = s.drop
	}
	err := send(ctx, &w)
	if conflict := (*store.ConflictError)(nil); err == nil || errors.As(err, &conflict) {
		return err
	}
	return fmt.Errorf("dynamo: save %d documents: %w", len(records), err)
}

// save is one call of Save. Its writer id is new, and stays the same for all
// attempts.
type save struct {
	now     time.Time
	records []store.Record
	writer  string
	doubt   bool // an earlier attempt may have been carried out
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
		return w.judge([]refusal{{w.records[0], refused.Item}})
	}
	return err
}

// drop has no condition, so that it may be repeated as often as its answer is lost.
func (s *Store) drop(ctx context.Context, w *save) error {
	key := w.records[0].Key
	input := &dynamodb.DeleteItemInput{TableName: s.tableOf(key), Key: itemKey(key)}
	_, err := s.client.DeleteItem(ctx, input, retryWhenBusy)
	return err
}

func (s *Store) transact(ctx context.Context, w *save) error {
	input := &dynamodb.TransactWriteItemsInput{ClientRequestToken: &w.writer}
	for _, record := range w.records {
		if record.Delete {
			drop := &types.Delete{TableName: s.tableOf(record.Key), Key: itemKey(record.Key)}
			input.TransactItems = append(input.TransactItems, types.TransactWriteItem{Delete: drop})
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
	// A refused condition is final whatever else was wrong: with it the
	// transaction could not have been done. So where one key is taken
	// and another was busy, the conflict names the one that is taken.
	if len(refused) > 0 {
		return w.judge(refused)
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

// refusal is a record whose condition did not hold, and the item that is
// stored in its place: nil if none is.
type refusal struct {
	record store.Record
	stored item
}

// evaluate says what refused conditions mean. Only the item's version after the
// one that the caller had read could be ours. If that version is stored and
// somebody else's, or not reached, we were not the ones; if it has been
// overwritten and one of our attempts is in doubt, nobody can tell.
func (w *save) judge(refused []refusal) error {
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
		return ErrUnknown
	}
	return conflict
}

// watch lets w see every attempt that the SDK makes by itself. One that ended
// in anything but a refusal by DynamoDB may have been done.
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

// isRefusal reports whether DynamoDB said no: with 400 nothing was written.
func isRefusal(err error) bool {
	var answer interface{ HTTPStatusCode() int }
	return errors.As(err, &answer) && answer.HTTPStatusCode() == 400
}
