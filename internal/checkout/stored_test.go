package checkout

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/store"
)

// Documents of testdata/stored are read and stored again with the same members and values: what is in a table stays
// readable, also for a function of another version. The order of the members of an object is nobody's.
func TestStoredDocuments(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	nouns := map[string]struct {
		key   store.Key
		again func(store.Record) (any, store.Record, error)
	}{
		"session":  {store.Key{Partition: "order/0123456789abcde", Sort: "o/8123456789abcdef/session/" + strings.Repeat("a", 32)}, storedAgain((*Session).record)},
		"payment":  {store.Key{Partition: "order/0123456789abcde", Sort: "o/8123456789abcdef/payment"}, storedAgain((*Payment).record)},
		"chain":    {store.Key{Partition: "order/0123456789abcde", Sort: "chain/8123456789abcdef"}, storedAgain((*Chain).record)},
		"callback": {store.Key{Partition: "order/0123456789abcde", Sort: "callback/8123456789abcdef/000003"}, storedAgain(func(c *callback.Callback) store.Record { return c.Record(at) })},
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
			doc, again, err := nouns[noun].again(store.Record{Key: nouns[noun].key, Version: 7, Doc: text, DueAt: at})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := sortedMembers(t, again.Doc), sortedMembers(t, text); got != want {
				t.Errorf("stored again as\n%s\nand not as\n%s", got, want)
			}
			if data := `"custom_data":{"b":"1","a":[1.50,{"c":null}]}`; strings.Contains(string(text), "custom_data\":") && !strings.Contains(string(again.Doc), data) {
				t.Errorf("custom_data is not as it was sent: %s", again.Doc)
			}
			if again.Key != nouns[noun].key || again.Version != 7 {
				t.Errorf("stored again at %+v with version %d", again.Key, again.Version)
			}
			if special == "" {
				requireWhole(t, name, reflect.ValueOf(doc).Elem())
			}
		})
	}
}

// storedAgain reads a record as a noun, and makes a record of that.
func storedAgain[T any](record func(*T) store.Record) func(store.Record) (any, store.Record, error) {
	return func(r store.Record) (any, store.Record, error) {
		doc := new(T)
		if err := r.Decode(doc); err != nil {
			return nil, r, err
		}
		return doc, record(doc), nil
	}
}

// sortedMembers is a JSON document with the members of each object in alphabetical order, and numbers as they were written.
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

// requireWhole fails for every stored field of the service's own that is empty, so that no document of testdata/stored
// lacks a new one. Those of a request are held to the API document instead.
func requireWhole(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch {
	case strings.HasSuffix(v.Type().PkgPath(), "/request"):
	case v.IsZero():
		t.Errorf("%s is empty in testdata/stored", path)
	case v.Kind() == reflect.Pointer:
		requireWhole(t, path, v.Elem())
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		requireWhole(t, path, v.Index(0))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Tag.Get("json") != "-" {
				requireWhole(t, path+"."+field.Name, v.Field(i))
			}
		}
	}
}
