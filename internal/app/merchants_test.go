package app_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/merchant"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

func sampleMerchants(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../infra/merchants.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// newOperator makes an empty store and its merchants.
func newOperator(t *testing.T) (*memory.Store, *merchant.Merchants) {
	t.Helper()
	e, err := app.InMemory(func(string) string { return "" }, app.Logger(t.Output()), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return e.Store, e.Merchants
}

func TestLoadMerchants(t *testing.T) {
	store, operator := newOperator(t)
	merchants, err := app.LoadMerchants(t.Context(), operator, []byte(sampleMerchants(t)), "https://pay.example")
	if err != nil || len(merchants) == 0 {
		t.Fatalf("%v %v", merchants, err)
	}
	for _, m := range merchants {
		if !strings.HasPrefix(m.NotificationURL, "https://pay.example/") {
			t.Errorf("%s: notification_url %s", m.ID, m.NotificationURL)
		}
	}
	if n := documents(t, store); n != 3*len(merchants) {
		t.Errorf("%d documents: want the settings and one for each key", n)
	}
}

// The error names everything that is wrong with any merchant, and no merchant is stored.
func TestLoadMerchantsThatAreWrong(t *testing.T) {
	good := sampleMerchants(t)
	list := strings.TrimSuffix(strings.TrimSpace(good), "]") + `,
		{"id": "a", "live_key": "demo-live", "test_key": "a-test", "mappings": [
			{"name": "x", "mids": [{"name": "y", "connector": "z", "methods": ["cash"]}]}]},
		{"id": "b", "live_key": "b-live", "test_key": "b-live"}]`
	store, operator := newOperator(t)
	_, err := app.LoadMerchants(t.Context(), operator, []byte(list), "https://pay.example")
	if err == nil {
		t.Fatal("no error")
	}
	want := `merchant "a": password: This value should not be blank.
merchant "a": callback_secret: This value is not valid. It should be whsec_ and base64.
merchant "a": mappings[0].mids[0].connector: The value you selected is not a valid choice.
merchant "a": mappings[0].mids[0].methods[0]: The value you selected is not a valid choice.
merchant "a": merchant "demo" has the key "demo-live" too
merchant "b": test_key: This value is used twice.
merchant "b": password: This value should not be blank.
merchant "b": callback_secret: This value is not valid. It should be whsec_ and base64.`
	if err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	wrongType := strings.Replace(good, `"max_declines": 3`, `"max_declines": "three"`, 1)
	for _, text := range []string{"", "{}", `[{"nmae":"x"}]`, wrongType} {
		if _, err := app.LoadMerchants(t.Context(), operator, []byte(text), ""); err == nil {
			t.Errorf("%.40q is loaded", text)
		}
	}
	if n := documents(t, store); n != 0 {
		t.Errorf("%d documents were stored", n)
	}
	if bytes.Contains([]byte(err.Error()), []byte("demo-password")) {
		t.Error("a password is in the error")
	}
}

// documents counts the documents of the merchants and keys in this file's tests.
func documents(t *testing.T, docs store.Store) int {
	t.Helper()
	n := 0
	for _, key := range []store.Key{
		{Partition: "merchant/demo", Sort: "merchant"},
		{Partition: "key/demo-live", Sort: "key"},
		{Partition: "key/demo-test", Sort: "key"},
		{Partition: "merchant/a", Sort: "merchant"},
		{Partition: "key/a-test", Sort: "key"},
		{Partition: "key/b-live", Sort: "key"},
	} {
		records, err := docs.Get(t.Context(), time.Unix(0, 0), key)
		if err != nil {
			t.Fatal(err)
		}
		if records[0].Version > 0 {
			n++
		}
	}
	return n
}
