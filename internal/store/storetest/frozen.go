package storetest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/internal/store"
)

// Frozen returns the folder of the documents as version 1 stores them. They are never edited: tables have such
// documents.
func Frozen(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd() // of the package whose test it is
	for err == nil && filepath.Base(folder) != "internal" && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "checkout", "testdata", "stored", "v1")
}

// ReadsFrozen checks that today's code reads a document of version 1, and writes it so that the code of version 1 reads
// it: a canary runs both. Every member stays, with its value; others may be added. read decodes a record and encodes
// what it got.
func ReadsFrozen(t *testing.T, name string, key store.Key, read func(store.Record) (store.Record, error)) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Frozen(t), name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	written, err := read(store.Record{Key: key, Version: 1, Doc: text})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if missing := lacks(decoded(t, text), decoded(t, written.Doc), name); missing != "" {
		t.Errorf("%s is not written as it was: %s", missing, written.Doc)
	}
}

// ReadAs returns a function for ReadsFrozen that decodes a document as a T and encodes that.
func ReadAs[T any](encode func(*T) store.Record) func(store.Record) (store.Record, error) {
	return func(r store.Record) (store.Record, error) {
		doc := new(T)
		err := r.Decode(doc)
		if err != nil || encode == nil {
			return store.Encode(r.Key, r.Version, doc), err
		}
		return encode(doc), nil
	}
}

func decoded(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// lacks returns the path of the first value that is not in another document, "" if that has all.
func lacks(want, got any, path string) string {
	switch want := want.(type) {
	case map[string]any:
		other, _ := got.(map[string]any)
		for name, value := range want {
			if missing := lacks(value, other[name], path+"."+name); missing != "" {
				return missing
			}
		}
		return ""
	case []any:
		other, _ := got.([]any)
		for i, value := range want {
			if i >= len(other) {
				return path
			}
			if missing := lacks(value, other[i], path+"[]"); missing != "" {
				return missing
			}
		}
		return ""
	case string:
		if other, _ := got.(string); strings.TrimRight(other, "=") == strings.TrimRight(want, "=") {
			return ""
		}
		return path
	}
	if want != got {
		return path
	}
	return ""
}
