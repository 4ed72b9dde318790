package story

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/store"
	"checkout/internal/worker"
)

// A form that has the key of one day can be paid on the next day.
func TestFormOpenOverMidnight(t *testing.T) {
	for _, test := range []struct {
		shown string
		open  time.Duration
	}{
		{"23:59", 2 * time.Minute},
		{"23:59", 12*time.Hour - time.Minute},
	} {
		t.Run(fmt.Sprint(strings.ReplaceAll(test.shown, ":", "-"), " ", test.open), func(t *testing.T) {
			w := open(t)
			w.pass(w.timeUntil(test.shown))
			payer := w.shop.visits("pen-1", with("session_expiry", 720))
			attempt := payer.attempt("01/38")
			w.pass(test.open)
			payer.send(attempt)
			w.work()
			payer.is("settled")
		})
	}
}

// timeUntil returns the time until the clock shows this time of day.
func (w *World) timeUntil(clock string) time.Duration {
	w.t.Helper()
	at, err := time.Parse("15:04", clock)
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	now := w.clock.Now()
	next := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
	if next.Before(now) {
		next = next.AddDate(0, 0, 1)
	}
	return next.Sub(now)
}

// Sweeps that find no key all make one at the same moment: one is stored, whole.
func TestSweepsAtOnceMakeOneKey(t *testing.T) {
	w := open(t)
	w.removeKeys()
	meeting := &meetingVault{KeyMaker: w.app.Sweeper.Maker, day: "2030-03-04"}
	meeting.missing.Add(5)
	w.atOnce(5, func(int) {
		core := &checkout.Core{Store: w.app.Store, Now: w.clock.Now}
		if err := worker.NewSweeper(core, nil, nil, meeting).RotateDayKeys(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if days := w.keyDays(); !slices.Equal(days, []string{"2030-03-04", "2030-03-05"}) {
		t.Errorf("keys of %v", days)
	}
	if err := w.rotateElsewhere(); err != nil {
		t.Errorf("the documents of a key differ: %v", err)
	}
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("settled")
}

// removeKeys removes all keys of the day, as if the service had just been deployed.
func (w *World) removeKeys() {
	w.t.Helper()
	for _, record := range append(w.vaulted("public"), w.vaulted("private")...) {
		removed := store.Record{Key: record.Key, Delete: true}
		if err := w.app.Store.Save(context.Background(), w.clock.Now(), removed); err != nil {
			w.t.Fatalf("%v", err)
		}
	}
}

// Before the first sweep no form can be shown, and neither the page nor a session with a wallet's token makes a key.
// Both say when to try again, and nothing is stored.
func TestNothingIsSealedBeforeTheFirstSweep(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	w.removeKeys()
	before := len(w.app.Store.Dump())
	code, body := w.call("GET", payer.Path(""), nil)
	if code != 503 || !strings.Contains(string(body), "Try again in a moment.") {
		t.Errorf("the page returns %d %s", code, body)
	}
	if after := len(w.app.Store.Dump()); after != before {
		t.Errorf("%d documents, %d before", after, before)
	}
	if err := w.rotateElsewhere(); err != nil {
		t.Fatal(err)
	}
	payer.pays("01/38")
	payer.is("settled")
}

// A key that somebody has put in the place of a public one opens nothing and does not stay unnoticed: what is sealed to
// it is declined without a request to a provider, and the sweep fails, which raises its alarm.
func TestForgedPublicKey(t *testing.T) {
	w := open(t)
	forged, err := w.app.Sweeper.Maker.NewDayKey(context.Background(), w.clock.Now().Format(time.DateOnly))
	if err != nil {
		t.Fatal(err)
	}
	genuine := w.vaulted("public")[0]
	for _, id := range []string{forged.ID, genuineID(t, genuine)} {
		w.replacePublicKey(t, genuine.Key, card.PublicKey{ID: id, Point: forged.Point})
		payer := w.shop.visits("pen-" + fmt.Sprint(len(w.Stored(t))))
		payer.pays("01/38")
		payer.is("decline (The card data can't be read.)")
		if err := w.rotateElsewhere(); err == nil || !strings.Contains(err.Error(), "the public key of 2030-03-04 is not") {
			t.Errorf("a sweep finds %v", err)
		}
		w.skip(11 * time.Minute) // no public key stays in memory as long
	}
	w.ledgerIs()
}

func genuineID(t *testing.T, r store.Record) string {
	t.Helper()
	var key card.PublicKey
	if err := r.Decode(&key); err != nil {
		t.Fatal(err)
	}
	return key.ID
}

// replacePublicKey stores another public key in the place of a document.
func (w *World) replacePublicKey(t *testing.T, key store.Key, forged card.PublicKey) {
	t.Helper()
	current, err := store.GetOne(context.Background(), w.app.Store, w.clock.Now(), key)
	if err == nil {
		r := store.Encode(key, current.Version, forged)
		r.ExpiresAt = current.ExpiresAt
		err = w.app.Store.Save(context.Background(), w.clock.Now(), r)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// meetingVault makes the key of a day when all callers have called it.
type meetingVault struct {
	card.KeyMaker
	day     string
	missing sync.WaitGroup
}

func (v *meetingVault) NewDayKey(ctx context.Context, day string) (card.DayKey, error) {
	if day == v.day {
		v.missing.Done()
		v.missing.Wait()
	}
	return v.KeyMaker.NewDayKey(ctx, day)
}

// The sweep makes tomorrow's key early, so that no payer waits for it.
func TestSweepMakesTomorrowsKey(t *testing.T) {
	w := open(t)
	w.sweep()
	if got := w.keyDays(); !slices.Equal(got, []string{"2030-03-04", "2030-03-05"}) {
		t.Fatalf("keys of %v", got)
	}
	w.skip(24 * time.Hour)
	counted := &countingVault{Vault: w.app.Runner.Vault, KeyMaker: w.app.Sweeper.Maker}
	w.app.Runner.Vault, w.app.Sweeper.Maker = counted, counted
	payer := w.shop.visits("pen-1")
	payer.sees("form")
	if counted.made != 0 {
		t.Error("the page made a key of its own")
	}
	payer.pays("01/38")
	w.shop.visits("pen-2").pays("01/38")
	if payer.is("settled"); counted.opened != 1 {
		t.Errorf("two payments opened the key of the day %d times", counted.opened)
	}
}

// countingVault counts the calls of KMS.
type countingVault struct {
	card.Vault
	card.KeyMaker
	made, opened int
}

func (v *countingVault) NewDayKey(ctx context.Context, day string) (card.DayKey, error) {
	v.made++
	return v.KeyMaker.NewDayKey(ctx, day)
}

func (v *countingVault) OpenDayKey(ctx context.Context, key card.DayKey) (card.PrivateKey, error) {
	v.opened++
	return v.Vault.OpenDayKey(ctx, key)
}

// After two days nobody can decrypt a sealed card, not even with a copy of it, all keys that are stored then, and
// permission to use the vault.
func TestNoSealedCardCanBeDecryptedAfterTwoDays(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	info := payer.screen().Seal.Info
	payer.send(payer.attempt("01/38")) // the workers do nothing
	copied := w.vaulted("card")
	var sealed card.Sealed
	if err := json.Unmarshal(copied[0].Doc, &sealed); err != nil {
		t.Fatal(err)
	}
	if !w.opensWithAnyStoredKey(sealed, info) {
		t.Fatal("the test can't open a card while its key is stored")
	}
	for range 2 * 24 {
		w.skip(time.Hour)
		w.sweep()
	}
	if w.opensWithAnyStoredKey(sealed, info) {
		t.Error("the card opens")
	}
	if got := w.keyDays(); !slices.Equal(got, []string{"2030-03-05", "2030-03-06", "2030-03-07"}) {
		t.Errorf("keys of %v are stored", got)
	}
}

// opensWithAnyStoredKey tries to decrypt a card with every stored key.
func (w *World) opensWithAnyStoredKey(sealed card.Sealed, info string) bool {
	w.t.Helper()
	for _, record := range w.vaulted("private") {
		var key card.DayKey
		if err := json.Unmarshal(record.Doc, &key); err != nil {
			w.t.Fatalf("%v: %v", record.Key, err)
		}
		private, err := w.app.Runner.Vault.OpenDayKey(context.Background(), key)
		if err != nil {
			w.t.Fatalf("%v: %v", record.Key, err)
		}
		if card, err := private.Open(sealed, info); err == nil && card.Number == TestCard {
			return true
		}
	}
	return false
}

// A page needs no access to the vault. A sweep without it does the rest of its work.
func TestVaultThatIsNotReachable(t *testing.T) {
	w := open(t)
	w.skip(w.timeUntil("00:30")) // the sweep has made no key of the day after
	payer := w.shop.visits("pen-1")
	vault, maker := w.app.Runner.Vault, w.app.Sweeper.Maker
	fails := func() { w.app.Runner.Vault, w.app.Sweeper.Maker = brokenVault{}, brokenVault{} }
	works := func() { w.app.Runner.Vault, w.app.Sweeper.Maker = vault, maker }
	fails()
	payer.sees("form")
	works()
	w.queue.lose = failAll
	payer.send(payer.attempt("01/38"))
	w.queue.lose = nil
	fails()
	w.skip(time.Minute)
	if err := w.app.Sweeper.Sweep(context.Background()); err == nil || !strings.Contains(err.Error(), "no vault") {
		t.Errorf("the sweep returned %v", err)
	}
	w.work() // the connector can't open the card
	payer.is("prepare")
	w.sealedAre(1)
	works()
	w.pass(time.Minute)
	payer.is("settled")
}

type brokenVault struct{ card.Vault }

func (brokenVault) NewDayKey(context.Context, string) (card.DayKey, error) {
	return card.DayKey{}, fmt.Errorf("no vault")
}

func (brokenVault) OpenDayKey(context.Context, card.DayKey) (card.PrivateKey, error) {
	return nil, fmt.Errorf("no vault")
}

// A payment and its card are read in one request, but not at the same moment. The card may be gone because another
// worker has redirected the payer to 3-D Secure meanwhile: that is no reason to decline.
func TestCardThatIsGoneBetweenTwoReads(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("05/38"))
	w.app.Core.Store = &tornStore{Store: w.store, between: w.work}
	if err := payer.runs(); err != nil {
		t.Error(err)
	}
	w.app.Core.Store = w.store
	payer.is("3ds")
	payer.comesBack(payer.presses("confirm"))
	w.work()
	payer.is("settled")
	w.shop.told("3ds success 3ds", "sale success settled")
}

// tornStore calls between once, between the reads of the two tables.
type tornStore struct {
	store.Store
	between func()
}

func (s *tornStore) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	card := slices.IndexFunc(keys, store.Key.InVault)
	if card < 0 || len(keys) == 1 || s.between == nil {
		return s.Store.Get(ctx, now, keys...)
	}
	records, err := s.Store.Get(ctx, now, keys...)
	if err != nil {
		return nil, err
	}
	between := s.between
	s.between = nil
	between()
	late, err := s.Store.Get(ctx, now, keys[card])
	if err == nil {
		records[card] = late[0]
	}
	return records, err
}
