package checkout

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// Documents of testdata/stored are decoded and encoded with the same members and values, so that functions of all
// versions can read the table. The order of an object's members does not matter.
func TestStoredDocuments(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	callbackRecord := func(c *callback.Callback) store.Record { return c.Record(at) }
	nouns := map[string]struct {
		sort      string // of the key
		roundTrip func(store.Record) (any, store.Record, error)
	}{
		"session":  {"o/0/session/", roundTrip((*Session).Record)},
		"payment":  {"o/8123456789abcdef/payment", roundTrip((*payment.Payment).Record)},
		"chain":    {"chain/8123456789abcdef", roundTrip((*Chain).Record)},
		"callback": {"callback/8123456789abcdef/000003", roundTrip(callbackRecord)},
	}
	files, err := filepath.Glob("testdata/stored/*.json")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d documents: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		noun, special, _ := strings.Cut(name, "-")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			key := store.Key{Partition: "order/0123456789abcde", Sort: nouns[noun].sort}
			doc, encoded, err := nouns[noun].roundTrip(store.Record{Key: key, Version: 7, Doc: text, DueAt: at})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := sortedMembers(t, encoded.Doc), sortedMembers(t, text); got != want {
				t.Errorf("encoded as\n%s\nand not as\n%s", got, want)
			}
			const data = `"custom_data":{"b":"1","a":[1.50,{"c":null}]}`
			if bytes.Contains(text, []byte("custom_data\":")) && !bytes.Contains(encoded.Doc, []byte(data)) {
				t.Errorf("custom_data is not as it was sent: %s", encoded.Doc)
			}
			if encoded.Key != key || encoded.Version != 7 {
				t.Errorf("encoded for %+v with version %d", encoded.Key, encoded.Version)
			}
			if special == "" {
				storetest.RequireWhole(t, name, reflect.ValueOf(doc).Elem())
			}
		})
	}
}

// roundTrip returns a function that decodes a record as a T and encodes that with record.
func roundTrip[T any](record func(*T) store.Record) func(store.Record) (any, store.Record, error) {
	return func(r store.Record) (any, store.Record, error) {
		doc := new(T)
		if err := r.Decode(doc); err != nil {
			return nil, r, err
		}
		return doc, record(doc), nil
	}
}

// sortedMembers returns a JSON document with the members of each object in alphabetical order. Numbers keep their
// digits.
func sortedMembers(t *testing.T, doc []byte) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(doc))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return string(store.CompactJSON(value))
}

// Documents of version 1 are read and written as version 1 does.
func TestFrozenDocuments(t *testing.T) {
	const tail = "8123456789abcdef"
	key := func(sort string) store.Key { return store.Key{Partition: "order/0123456789abcde", Sort: sort} }
	at := time.Date(2030, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	storetest.ReadsFrozen(t, "session", key("o/"+tail+"/session/"+strings.Repeat("a", 32)),
		storetest.ReadAs((*Session).Record))
	storetest.ReadsFrozen(t, "payment", key("o/"+tail+"/payment"), storetest.ReadAs((*payment.Payment).Record))
	storetest.ReadsFrozen(t, "chain", key("chain/"+tail), storetest.ReadAs((*Chain).Record))
	storetest.ReadsFrozen(t, "callback", key("callback/"+tail+"/000003"), storetest.ReadAs(
		func(c *callback.Callback) store.Record { return c.Record(at) }))
	storetest.ReadsFrozen(t, "sealed-card", key("card"), storetest.ReadAs[card.Sealed](nil))
	storetest.ReadsFrozen(t, "saved-card", key("card"), storetest.ReadAs[card.Saved](nil))
	storetest.ReadsFrozen(t, "day-key", key("key"), storetest.ReadAs[card.DayKey](nil))
	storetest.ReadsFrozen(t, "public-key", key("key"), storetest.ReadAs[card.PublicKey](nil))
	storetest.ReadsFrozen(t, "merchant", key("merchant"), storetest.ReadAs[settings.Merchant](nil))
	storetest.ReadsFrozen(t, "merchant-key", key("key"), storetest.ReadAs[settings.Key](nil))
	storetest.ReadsFrozen(t, "idempotency", key("idempotency"), storetest.ReadAs[IdempotencyRecord](nil))
	storetest.ReadsFrozen(t, "merchant-index", key("id"), storetest.ReadAs[store.IndexedMerchant](nil))
}

// Documents of version 1 are never edited, since tables have them: a change of them is a change of what is read.
func TestFrozenDocumentsStay(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(storetest.Frozen(t), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(text)
	}
	const frozen = "3ae21441b30bf08a4360f9073040187e27f8d1827da948d5bdfc03b29cb84170"
	if got := hex.EncodeToString(sum.Sum(nil)); got != frozen || len(files) != 20 {
		t.Errorf("%d documents with the sum %s", len(files), got)
	}
}
