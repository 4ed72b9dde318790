package app_test

import (
	"context"
	"io"
	"slices"
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
			isDayKey := func(r store.Record) bool { return r.Key.InVault() }
			got := slices.DeleteFunc(e.Store.Dump(), isDayKey)
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
		if got := e.API.Sandbox != nil; got != served {
			t.Errorf("%q: served %v", value, got)
		}
	}
}
