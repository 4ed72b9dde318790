package main

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/store"
)

// A table is read page by page, and every violated invariant is named.
func TestCheckTable(t *testing.T) {
	_, table := newTable(t)
	env := func(name string) string { return map[string]string{"TABLE": table}[name] }
	docs, err := app.OpenTable(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	const sound = `{"id":"12345678-1234-8123-8000-000000000000","status":"decline","operation":"purchase",` +
		`"transactions":[{"type":"sale","status":"fail"}]}`
	save := func(partition, doc string) {
		r := store.Record{Key: store.Key{Partition: partition, Sort: "o/1/payment"}, Doc: []byte(doc)}
		if err := docs.Save(t.Context(), time.Now(), r); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 30 { // more than one page of 1 MB
		save("order/"+strings.Repeat("x", i+1),
			strings.Replace(sound, "{", `{"reason":"`+strings.Repeat("y", 100_000)+`",`, 1))
	}
	out, err := typed(t, none, "check", "--table", table)
	if err != nil || !strings.Contains(out, "all holds in 30 partitions") {
		t.Errorf("%v\n%s", err, out)
	}
	save("order/z", strings.Replace(sound, "decline", "settled", 1))
	out, err = typed(t, env, "check")
	const found = "payment 12345678-1234-8123-8000-000000000000: it is settled after 0 charges"
	if err == nil || !strings.Contains(out, found) {
		t.Errorf("%v\n%s", err, out)
	}
}
