package dynamo

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// busyTable answers errors first, as DynamoDB does under a load that DynamoDB
// Local never knows, and is content after that.
type busyTable struct {
	Client
	errors []error
	tokens []string
	calls  int
}

func (b *busyTable) next() error {
	b.calls++
	if b.calls > len(b.errors) {
		return nil
	}
	return b.errors[b.calls-1]
}

func (b *busyTable) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return nil, b.next()
}

func (b *busyTable) TransactWriteItems(_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	b.tokens = append(b.tokens, *in.ClientRequestToken)
	return nil, b.next()
}

// BatchGetItem has time for one key of each batch, and for none while it has errors.
func (b *busyTable) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	left := 1
	if b.next() != nil {
		left = 0
	}
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]item{}, UnprocessedKeys: map[string]types.KeysAndAttributes{}}
	for _, table := range slices.Sorted(maps.Keys(in.RequestItems)) {
		served := in.RequestItems[table].Keys[:left]
		left = 0
		for _, key := range served {
			k, _ := keyOf(key)
			out.Responses[table] = append(out.Responses[table], itemOf(store.Record{Key: k, Doc: []byte("d")}, "w"))
		}
		if rest := in.RequestItems[table].Keys[len(served):]; len(rest) > 0 {
			out.UnprocessedKeys[table] = types.KeysAndAttributes{Keys: rest}
		}
	}
	return out, nil
}

func (b *busyTable) DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return nil, b.next()
}

var tables = Tables{Main: "main", Vault: "vault"}

func times(n int, err error) []error {
	errs := make([]error, n)
	for i := range errs {
		errs[i] = err
	}
	return errs
}

func cancelledBy(codes ...string) error {
	err := &types.TransactionCanceledException{}
	for _, code := range codes {
		reason := types.CancellationReason{Code: aws.String(code)}
		if writer, ok := strings.CutPrefix(code, "written by "); ok {
			reason.Code, reason.Item = aws.String("ConditionalCheckFailed"), item{"w": text(writer), "v": number(1)}
		}
		err.CancellationReasons = append(err.CancellationReasons, reason)
	}
	return err
}

func TestBusyTable(t *testing.T) {
	a, b := record("a", "secret"), record("b", "secret")
	gone := sealed("gone", "")
	gone.Delete = true
	conflictOnB := &store.ConflictError{Keys: []store.Key{b.Key}}
	other := errors.New("something else")
	for _, test := range []struct {
		name    string
		records []store.Record
		errors  []error
		want    error // a *ConflictError: exactly this; else one of its kind
		calls   int
	}{
		{"one, conflict with a transaction", []store.Record{a}, times(3, &types.TransactionConflictException{}), nil, 4},
		{"one, always", []store.Record{a}, times(99, &types.TransactionConflictException{}), errBusy, maxTries},
		{"one, other error", []store.Record{a}, times(1, other), other, 1},
		{"one deletion, conflict with a transaction", []store.Record{gone}, times(3, &types.TransactionConflictException{}), nil, 4},
		{"with a deletion, taken", []store.Record{gone, b}, times(1, cancelledBy("None", "written by them")), conflictOnB, 1},
		{"with a deletion, ours", []store.Record{gone, b}, times(1, cancelledBy("None", "written by writer")), nil, 1},
		{"with a deletion, busy", []store.Record{gone, b}, times(7, cancelledBy("TransactionConflict", "None")), nil, 8},
		{"several, conflict", []store.Record{a, b}, times(7, cancelledBy("TransactionConflict", "None")), nil, 8},
		{"several, throttled", []store.Record{a, b}, times(2, cancelledBy("ThrottlingError", "ProvisionedThroughputExceeded")), nil, 3},
		{"several, in progress", []store.Record{a, b}, times(2, &types.TransactionInProgressException{}), nil, 3},
		{"several, always", []store.Record{a, b}, times(99, cancelledBy("None", "TransactionConflict")), errBusy, maxTries},
		{"several, too large", []store.Record{a, b}, times(1, cancelledBy("TransactionConflict", "ValidationError")), &types.TransactionCanceledException{}, 1},
		{"several, other error", []store.Record{a, b}, times(1, other), other, 1},
		{"several, no reasons", []store.Record{a, b}, times(1, &types.TransactionCanceledException{}), &types.TransactionCanceledException{}, 1},
		{"several, taken and busy", []store.Record{a, b}, times(1, cancelledBy("TransactionConflict", "written by them")), conflictOnB, 1},
		{"several, busy, then taken", []store.Record{a, b}, append(times(2, cancelledBy("None", "TransactionConflict")), cancelledBy("None", "written by them")), conflictOnB, 3},
		{"several, ours and busy", []store.Record{a, b}, times(1, cancelledBy("TransactionConflict", "written by writer")), nil, 1},
		{"several, ours", []store.Record{a, b}, times(1, cancelledBy("written by writer", "written by them")), nil, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				table := &busyTable{errors: test.errors}
				err := NewStore(table, tables, func() string { return "writer" }).Save(t.Context(), noon, test.records...)
				if !sameError(err, test.want) {
					t.Errorf("Save answered %v, want %v", err, test.want)
				}
				if table.calls != test.calls {
					t.Errorf("%d requests, want %d", table.calls, test.calls)
				}
				for _, token := range table.tokens {
					if token != "writer" {
						t.Errorf("token %q", token)
					}
				}
			})
		})
	}
}

func sameError(got, want error) bool {
	var conflict *store.ConflictError
	if errors.As(want, &conflict) {
		return got != nil && got.Error() == want.Error()
	}
	if errors.As(got, &conflict) {
		return false
	}
	if cancelled := new(types.TransactionCanceledException); errors.As(want, &cancelled) {
		return errors.As(got, &cancelled)
	}
	return errors.Is(got, want)
}

func TestEachSaveIsANewWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := &busyTable{errors: times(1, cancelledBy("None", "TransactionConflict"))}
		ids := []string{"first", "second"}
		store := NewStore(table, tables, func() string { id := ids[0]; ids = ids[1:]; return id })
		for range 2 {
			if err := store.Save(t.Context(), noon, record("a", "1"), record("b", "1")); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(table.tokens, " "); got != "first first second" {
			t.Errorf("the tokens are %s", got)
		}
	})
}

func TestBusyTableAndCancelledContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := &busyTable{errors: times(99, &types.TransactionConflictException{})}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		start := time.Now()
		err := NewStore(table, tables, func() string { return "writer" }).Save(ctx, noon, record("a", "1"))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 100*time.Millisecond {
			t.Errorf("Save answered %v after %v", err, time.Since(start))
		}
	})
}

func TestUnprocessedKeys(t *testing.T) {
	a, b, c := record("a", "d"), sealed("b", "d"), record("c", "d")
	for _, test := range []struct {
		refusals, calls int
		want            error
	}{
		{0, 3, nil},
		{5, 8, nil},
		{99, maxTries, errBusy},
	} {
		synctest.Test(t, func(t *testing.T) {
			table := &busyTable{errors: times(test.refusals, errBusy)}
			records, err := NewStore(table, tables, func() string { return "id" }).Get(t.Context(), noon, c.Key, a.Key, b.Key)
			if !errors.Is(err, test.want) || table.calls != test.calls {
				t.Fatalf("after %d requests: %v, want %d and %v", table.calls, err, test.calls, test.want)
			}
			if err == nil && (records[0].Key != c.Key || records[1].Key != a.Key || records[2].Key != b.Key || records[2].Version != 1) {
				t.Errorf("Get answered %v", records)
			}
		})
	}
}
