package dynamo

import (
	"bytes"
	"crypto/rand"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/store"
	"checkout/internal/store/storetest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		return NewStore(newClient(t, nil), newTables(t), rand.Text)
	})
}

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func record(sort, doc string) store.Record {
	return store.Record{Key: store.Key{Partition: "p", Sort: sort}, Doc: []byte(doc)}
}

// sealed is a record of the vault table.
func sealed(sort, doc string) store.Record {
	return store.Record{Key: store.Key{Partition: "vault/p", Sort: sort}, Doc: []byte(doc)}
}

// The template's tables, index and TTL rely on the attributes of an item.
func TestItem(t *testing.T) {
	client, tables := newClient(t, nil), newTables(t)
	writer := rand.Text()
	docs := NewStore(client, tables, func() string { return writer })
	full, plain, card := record("full", `{"a":1}`), record("plain", `{}`), sealed("card", `{"b":2}`)
	listed := store.Record{Key: store.Key{Partition: "find/p", Sort: "listed"}, Doc: []byte(`{"c":3}`), ExpiresAt: noon}
	card.ExpiresAt = noon
	full.ExpiresAt, full.DueAt, full.DueKind = noon.Add(time.Millisecond), noon.Add(2*time.Millisecond), store.DueChain
	if err := docs.Save(t.Context(), noon, full, plain, card, listed); err != nil {
		t.Fatal(err)
	}
	shard := store.ShardName(store.DueChain, store.DueShard(store.DueChain, full.Key))
	for _, test := range []struct {
		key   store.Key
		table string
		want  string
	}{
		{full.Key, tables.Main, "pk=p sk=full v=1 w=" + writer + ` doc={"a":1}` +
			" expires_at=1893585600001 ttl=1893585601 due_shard=" + shard + " due_at=1893585600002"},
		{plain.Key, tables.Main, "pk=p sk=plain v=1 w=" + writer + " doc={}"},
		{card.Key, tables.Vault, "pk=vault/p sk=card v=1 w=" + writer + ` doc={"b":2}` +
			" expires_at=1893585600000 ttl=1893585600"},
		{listed.Key, tables.Listing, "pk=find/p sk=listed v=1 w=" + writer + ` doc={"c":3}` +
			" expires_at=1893585600000 ttl=1893585600"},
		{card.Key, tables.Main, ""},
		{listed.Key, tables.Main, ""},
		{full.Key, tables.Vault, ""},
	} {
		out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &test.table, Key: itemKey(test.key)})
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(out.Item); got != test.want {
			t.Errorf("the item is %s\nwant %s", got, test.want)
		}
	}
}

func describe(it item) string {
	var words []string
	for _, name := range []string{"pk", "sk", "v", "w", "doc", "expires_at", "ttl", "due_shard", "due_at"} {
		switch value := it[name].(type) {
		case *types.AttributeValueMemberS:
			words = append(words, name+"="+value.Value)
		case *types.AttributeValueMemberN:
			words = append(words, name+"="+value.Value)
		}
		delete(it, name)
	}
	for name := range it {
		words = append(words, name+"=unexpected")
	}
	return strings.Join(words, " ")
}

// A document that might take more than a write unit is stored compressed, and read as it was.
func TestLargeItem(t *testing.T) {
	client, tables := newClient(t, nil), newTables(t)
	docs := NewStore(client, tables, func() string { return "writer" })
	filled := func(name string, size int) string {
		doc := `{"order":"` + strings.Repeat("1234567890", 80) + `"}`
		return doc + strings.Repeat(" ", size-itemSize(itemOf(record(name, doc), "writer")))
	}
	for _, test := range []struct {
		name, doc  string
		compressed bool
	}{
		{"short", filled("short", mostPlain), false},
		{"a byte more", filled("a byte more", mostPlain+1), true},
		{"empty", "", false},
	} {
		if err := docs.Save(t.Context(), noon, record(test.name, test.doc)); err != nil {
			t.Fatal(err)
		}
		key := record(test.name, "").Key
		out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &tables.Main, Key: itemKey(key)})
		if err != nil {
			t.Fatal(err)
		}
		if _, compressed := out.Item["z"]; compressed != test.compressed {
			t.Errorf("%s: compressed %v", test.name, compressed)
		}
		if test.compressed && itemSize(out.Item) > mostPlain {
			t.Errorf("%s: %d bytes", test.name, itemSize(out.Item))
		}
		got, err := docs.Get(t.Context(), noon, key)
		if err != nil || string(got[0].Doc) != test.doc {
			t.Errorf("%s: %s, %v", test.name, got[0].Doc, err)
		}
	}
}

// An item that the service did not write is an error, not an empty document.
func TestForeignItem(t *testing.T) {
	client, tables := newClient(t, nil), newTables(t)
	docs := NewStore(client, tables, rand.Text)
	for sort, broken := range map[string]item{
		"no version":     {"doc": text("{}")},
		"version 0":      {"doc": text("{}"), "v": number(0)},
		"version text":   {"doc": text("{}"), "v": text("1")},
		"no document":    {"v": number(1)},
		"expiry is text": {"doc": text("{}"), "v": number(1), "expires_at": text("soon")},
	} {
		it := itemKey(store.Key{Partition: "p", Sort: sort})
		for name, value := range broken {
			it[name] = value
		}
		if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &tables.Main, Item: it}); err != nil {
			t.Fatal(err)
		}
		if records, err := docs.Get(t.Context(), noon, store.Key{Partition: "p", Sort: sort}); err == nil {
			t.Errorf("%s: Get returned %v", sort, records)
		}
	}
}

// No error may carry a document's text into a log.
func TestErrorsKeepDocuments(t *testing.T) {
	tables := newTables(t)
	store := NewStore(newClient(t, nil), tables, rand.Text)
	missing := NewStore(newClient(t, nil), Tables{Main: "no-such-table", Vault: tables.Vault}, rand.Text)
	halved := NewStore(newClient(t, nil), Tables{Main: tables.Main}, rand.Text) // as of functions without the vault
	taken := record("taken", "secret")
	if err := store.Save(t.Context(), noon, taken); err != nil {
		t.Fatal(err)
	}
	huge := record("huge", strings.Repeat("secret", 100_000))
	for i, err := range []error{
		store.Save(t.Context(), noon, taken),
		store.Save(t.Context(), noon, taken, record("b", "secret")),
		store.Save(t.Context(), noon, huge),
		store.Save(t.Context(), noon, huge, record("b", "secret")),
		store.Save(t.Context(), noon, taken, taken),
		missing.Save(t.Context(), noon, taken),
		missing.Save(t.Context(), noon, taken, record("b", "secret")),
		halved.Save(t.Context(), noon, sealed("a", "secret")),
		halved.Save(t.Context(), noon, record("b", "secret"), sealed("a", "secret")),
	} {
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("case %d: %.300v", i, err)
		}
	}
}

// recorder is a network that records the operations, and which of them are strongly consistent reads.
type recorder struct{ operations []string }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	if bytes.Contains(body, []byte(`"ConsistentRead":true`)) {
		operation += " consistent"
	}
	r.operations = append(r.operations, operation)
	return http.DefaultTransport.RoundTrip(request)
}

// Each method is one request, and its reads are requested as strongly consistent. A test of what they return would not
// notice the difference, because all reads of DynamoDB Local are strongly consistent.
func TestRequests(t *testing.T) {
	network := &recorder{}
	docs := NewStore(newClient(t, network), newTables(t), rand.Text)
	a, b, card := record("a", "1"), record("b", "1"), sealed("a", "1")
	gone := card
	gone.Delete = true
	for want, do := range map[string]func() error{
		"GetItem consistent": func() error { _, err := docs.Get(t.Context(), noon, a.Key); return err },
		"BatchGetItem consistent": func() error {
			_, err := docs.Get(t.Context(), noon, a.Key, card.Key, b.Key, a.Key)
			return err
		},
		"Query consistent": func() error {
			_, err := docs.List(t.Context(), noon, store.Query{Partition: "p", Limit: 9})
			return err
		},
		"Query": func() error {
			_, err := docs.Due(t.Context(), noon, store.DueQuery{Kind: store.DueChain, Limit: 9})
			return err
		},
		"Scan":               func() error { _, err := docs.AllDue(t.Context(), 9); return err },
		"PutItem":            func() error { return docs.Save(t.Context(), noon, record("c", "1")) },
		"TransactWriteItems": func() error { return docs.Save(t.Context(), noon, a, b, card) },
		"TransactWriteItems alone": func() error {
			return docs.Save(t.Context(), noon, store.Encode(store.AuditKey(noon, "act", nil), 0, "x"))
		},
		"DeleteItem": func() error { return docs.Save(t.Context(), noon, gone) },
	} {
		network.operations = nil
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(network.operations, ", "); got != strings.TrimSuffix(want, " alone") {
			t.Errorf("the requests are %s, want %s", got, want)
		}
	}
}
