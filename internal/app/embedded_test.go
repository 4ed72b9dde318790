package app_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/app"
	"checkout/internal/store"
)

// The embedded service removes expired documents every minute, and no others.
func TestEmbeddedDropsWhatExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := app.InMemory(func(string) string { return "" }, app.Logger(io.Discard), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		for i, expires := range []time.Time{{}, time.Now().Add(90 * time.Second)} {
			key := store.Key{Partition: "p", Sort: string(rune('a' + i))}
			record := store.Record{Key: key, Doc: []byte(`1`), ExpiresAt: expires}
			if err := e.Store.Save(t.Context(), time.Now(), record); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		go e.Run(ctx)
		for _, want := range []int{2, 1, 1} {
			time.Sleep(time.Minute + time.Second)
			isKey := func(r store.Record) bool { return r.Key.InVault() || r.Key == store.CardFingerprintKey() }
			got := slices.DeleteFunc(e.Store.Dump(), isKey)
			if len(got) != want {
				t.Errorf("%s: %d documents, want %d", time.Now(), len(got), want)
			}
		}
		cancel()
		synctest.Wait()
	})
}

// The sandbox's pages are served unless SANDBOX is false, which the template's parameter sets.
func TestSandboxPages(t *testing.T) {
	for value, served := range map[string]bool{"": true, "true": true, "false": false} {
		env := map[string]string{"SANDBOX": value}
		e, err := app.InMemory(func(name string) string { return env[name] }, app.Logger(io.Discard), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Sandbox != nil; got != served {
			t.Errorf("%q: served %v", value, got)
		}
	}
}

// While the embedded service runs, what is saved is listed by itself, unless that is switched off. An order that can't
// be read does not end that.
func TestEmbeddedListsPayments(t *testing.T) {
	for _, operators := range []string{"", "false"} {
		synctest.Test(t, func(t *testing.T) {
			env := map[string]string{"OPERATORS": operators}
			var log strings.Builder
			e, err := app.InMemory(func(name string) string { return env[name] }, app.Logger(&log), time.Now)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			go e.Run(ctx)
			id := store.NewPaymentID(store.OrderHash("live/pens", "1"), time.Now().Add(40*365*24*time.Hour), []byte("0123"))
			key, err := store.PaymentKey(id)
			if err != nil {
				t.Fatal(err)
			}
			save := func(version int64, doc string) {
				r := store.Record{Key: key, Version: version, Doc: []byte(doc)}
				if err := e.Store.Save(ctx, time.Now(), r); err != nil {
					t.Fatal(err)
				}
			}
			rows := func() (n int) {
				for _, r := range e.Store.Dump() {
					if store.IsRow(r.Key) {
						n++
					}
				}
				return n
			}
			save(0, `{"id":7}`) // it can't be read
			synctest.Wait()
			if refused := strings.Contains(log.String(), `"msg":"index"`); rows() != 0 || refused != (operators == "") {
				t.Errorf("OPERATORS=%s: %d rows, %s", operators, rows(), log.String())
			}
			save(1, `{"id":"`+id+`","merchant":"pens","status":"settled"}`)
			time.Sleep(2 * time.Second)
			if want := map[string]int{"": 1}[operators]; rows() != want {
				t.Errorf("OPERATORS=%s: %d rows, want %d", operators, rows(), want)
			}
			cancel()
			synctest.Wait()
		})
	}
}
