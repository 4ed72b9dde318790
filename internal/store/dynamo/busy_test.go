package dynamo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// busyTable returns errors first, as DynamoDB does under a load that DynamoDB Local never has, and succeeds after that.
// It is an http.RoundTripper, so that the SDK's own retries are tested too.
type busyTable struct {
	client // of batches
	errors []string
	tokens []string
	calls  int
}

// RoundTrip implements http.RoundTripper.
func (b *busyTable) RoundTrip(request *http.Request) (*http.Response, error) {
	var body struct{ ClientRequestToken string }
	if err := json.NewDecoder(request.Body).Decode(&body); err != nil {
		return nil, err
	}
	if body.ClientRequestToken != "" {
		b.tokens = append(b.tokens, body.ClientRequestToken)
	}
	status, text := http.StatusOK, "{}"
	switch failure := b.next(); failure {
	case "":
	case lost:
		return nil, errLost
	default:
		status, text = http.StatusBadRequest, failure
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)), Request: request,
	}, nil
}

// next is the next error, "" if there is none.
func (b *busyTable) next() string {
	b.calls++
	if b.calls > len(b.errors) {
		return ""
	}
	return b.errors[b.calls-1]
}

// store is a store whose requests go to the busy table.
func (b *busyTable) store(newWriterID func() string) *Store {
	endpoint := "http://127.0.0.1:1"
	return NewStore(dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint, Region: "eu-central-1", HTTPClient: &http.Client{Transport: b},
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	}), tables, newWriterID)
}

func writer() string { return "writer" }

// BatchGetItem processes one key of each batch, and none while the table has errors.
func (b *busyTable) BatchGetItem(
	_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options),
) (*dynamodb.BatchGetItemOutput, error) {
	left := 1
	if b.next() != "" {
		left = 0
	}
	out := &dynamodb.BatchGetItemOutput{
		Responses:       map[string][]item{},
		UnprocessedKeys: map[string]types.KeysAndAttributes{},
	}
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

var tables = Tables{Main: "main", Vault: "vault"}

func times(n int, err string) []string { return slices.Repeat([]string{err}, n) }

const (
	lost      = "lost" // an error of the network
	cancelled = "TransactionCanceledException"
)

// failed is an error as DynamoDB writes it.
func failed(code string) string {
	return fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s"}`, code)
}

func cancelledBy(codes ...string) string {
	var reasons []string
	for _, code := range codes {
		reason := fmt.Sprintf(`{"Code":%q}`, code)
		if writer, ok := strings.CutPrefix(code, "written by "); ok {
			reason = fmt.Sprintf(`{"Code":"ConditionalCheckFailed","Item":{"w":{"S":%q},"v":{"N":"1"}}}`, writer)
		}
		reasons = append(reasons, reason)
	}
	text := `{"__type":"com.amazonaws.dynamodb.v20120810#%s","CancellationReasons":[%s]}`
	return fmt.Sprintf(text, cancelled, strings.Join(reasons, ","))
}

func TestBusyTable(t *testing.T) {
	a, b := record("a", "secret"), record("b", "secret")
	gone := sealed("gone", "")
	gone.Delete = true
	conflictOnB := &store.ConflictError{Keys: []store.Key{b.Key}}
	oneBusy, tooLarge := cancelledBy("None", "TransactionConflict"), cancelledBy("TransactionConflict", "ValidationError")
	conflict, other := failed("TransactionConflictException"), failed("ValidationException")
	takenAndBusy := cancelledBy("TransactionConflict", "written by them")
	oursAndBusy := cancelledBy("TransactionConflict", "written by writer")
	throttled := cancelledBy("ThrottlingError", "ProvisionedThroughputExceeded")
	busyThenTaken := append(times(2, oneBusy), cancelledBy("None", "written by them"))
	for _, test := range []struct {
		name    string
		records []store.Record
		errors  []string
		want    any // a *ConflictError: exactly this; the code of DynamoDB's error; nil
		calls   int
	}{
		{"one, conflict with a transaction", []store.Record{a}, times(3, conflict), nil, 4},
		{"one, always", []store.Record{a}, times(99, conflict), "TransactionConflictException", maxTries},
		{"one, other error", []store.Record{a}, times(1, other), "ValidationException", 1},
		{"one deletion, conflict with a transaction", []store.Record{gone}, times(3, conflict), nil, 4},
		{"with a deletion, taken", []store.Record{gone, b}, times(1, cancelledBy("None", "written by them")), conflictOnB, 1},
		{"with a deletion, ours", []store.Record{gone, b}, times(1, cancelledBy("None", "written by writer")), nil, 1},
		{"with a deletion, busy", []store.Record{gone, b}, times(7, cancelledBy("TransactionConflict", "None")), nil, 8},
		{"several, conflict", []store.Record{a, b}, times(7, cancelledBy("TransactionConflict", "None")), nil, 8},
		{"several, throttled", []store.Record{a, b}, times(2, throttled), nil, 3},
		{"several, in progress", []store.Record{a, b}, times(2, failed("TransactionInProgressException")), nil, 3},
		{"several, always", []store.Record{a, b}, times(99, oneBusy), cancelled, maxTries},
		{"several, too large", []store.Record{a, b}, times(1, tooLarge), cancelled, 1},
		{"several, other error", []store.Record{a, b}, times(1, other), "ValidationException", 1},
		{"several, no reasons", []store.Record{a, b}, times(1, failed(cancelled)), cancelled, 1},
		{"several, taken and busy", []store.Record{a, b}, times(1, takenAndBusy), conflictOnB, 1},
		{"several, busy, then taken", []store.Record{a, b}, busyThenTaken, conflictOnB, 3},
		{"several, ours and busy", []store.Record{a, b}, times(1, oursAndBusy), nil, 1},
		{"several, conflict, then lost", []store.Record{a, b}, []string{oneBusy, lost}, nil, 3},
		{"several, lost too often", []store.Record{a, b}, times(99, lost), "", 3},
		{"several, ours", []store.Record{a, b}, times(1, cancelledBy("written by writer", "written by them")), nil, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				table := &busyTable{errors: test.errors}
				start := time.Now()
				err := table.store(writer).Save(t.Context(), noon, test.records...)
				if !sameError(err, test.want) {
					t.Errorf("Save returned %v, want %v", err, test.want)
				}
				took := time.Since(start)
				if test.calls == maxTries && (took < 800*time.Millisecond || took > 1500*time.Millisecond) {
					t.Errorf("%v, want about a second", took)
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

// sameError compares an error with what was wanted.
func sameError(got error, want any) bool {
	var conflict *store.ConflictError
	switch want := want.(type) {
	case nil:
		return got == nil
	case *store.ConflictError:
		return got != nil && got.Error() == want.Error()
	case string:
		var failed smithy.APIError
		if errors.As(got, &conflict) {
			return false
		}
		return errors.As(got, &failed) && failed.ErrorCode() == want || want == "" && errors.Is(got, errLost)
	}
	return false
}

func TestEachSaveIsANewWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := &busyTable{errors: times(1, cancelledBy("None", "TransactionConflict"))}
		ids := []string{"first", "second"}
		store := table.store(func() string { id := ids[0]; ids = ids[1:]; return id })
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
		table := &busyTable{errors: times(99, failed("TransactionConflictException"))}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		start := time.Now()
		err := table.store(writer).Save(ctx, noon, record("a", "1"))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 100*time.Millisecond {
			t.Errorf("Save returned %v after %v", err, time.Since(start))
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
			table := &busyTable{errors: times(test.refusals, "busy")}
			keys := []store.Key{c.Key, a.Key, b.Key}
			records, err := NewStore(table, tables, writer).Get(t.Context(), noon, keys...)
			if !errors.Is(err, test.want) || table.calls != test.calls {
				t.Fatalf("after %d requests: %v, want %d and %v", table.calls, err, test.calls, test.want)
			}
			for i, r := range records {
				if r.Key != keys[i] || r.Version != 1 {
					t.Errorf("Get returned %v", records)
				}
			}
		})
	}
}
