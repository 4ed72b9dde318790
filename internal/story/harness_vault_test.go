package story

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"checkout/internal/checkout"
	"checkout/internal/store"
)

// vaulted is what the vault table holds: the keys that begin with what, "card" or "key".
func (w *world) vaulted(what string) []store.Record {
	var found []store.Record
	for _, record := range w.app.Store.Dump() {
		if strings.HasPrefix(record.Key.Partition, "vault/"+what+"/") {
			found = append(found, record)
		}
	}
	return found
}

// sealedAre checks how many sealed cards wait.
func (w *world) sealedAre(want int) {
	w.t.Helper()
	if got := len(w.vaulted("card")); got != want {
		w.t.Errorf("%d sealed cards are stored, want %d", got, want)
	}
	for _, record := range w.app.Store.Dump() {
		if record.Key.InVault() && record.ExpiresAt.IsZero() {
			w.t.Errorf("%v stays for ever", record.Key)
		}
	}
}

// keyDays are those that the vault table has a key of.
func (w *world) keyDays() []string {
	var days []string
	for _, record := range w.vaulted("key") {
		days = append(days, strings.TrimPrefix(record.Key.Partition, "vault/key/"))
	}
	return days
}

// sealedJSON is how a sealed card begins in any document.
var sealedJSON = regexp.MustCompile(`"key_id":"[^"]*","enc":"`)

// findSealedCards looks for what payers sealed: in the main table, or in the vault's although nobody needs it any more.
func (w *world) findSealedCards() {
	needed := map[string]bool{}
	for _, record := range w.app.Store.Dump() {
		if !record.Key.InVault() && sealedJSON.Match(record.Doc) {
			w.t.Errorf("a sealed card is in the main table: %v", record.Key)
		}
		var p checkout.Payment
		if strings.HasSuffix(record.Key.Sort, "/payment") && json.Unmarshal(record.Doc, &p) == nil && len(p.Jobs) > 0 {
			needed[p.ID] = p.Jobs[0].Sealed
		}
	}
	for _, record := range w.vaulted("card") {
		if id := strings.TrimPrefix(record.Key.Partition, "vault/card/"); !needed[id] {
			w.t.Errorf("the sealed card of payment %s is left over", id)
		}
	}
}

// restore has the main table's orders be as they were copied before. The vault's documents are gone.
func (w *world) restore(copied []store.Record) {
	w.t.Helper()
	var records []store.Record
	for _, now := range w.app.Store.Dump() {
		was := slices.IndexFunc(copied, func(r store.Record) bool { return r.Key == now.Key })
		switch {
		case now.Key.InVault() || was < 0 && strings.HasPrefix(now.Key.Partition, "order/"):
			records = append(records, store.Record{Key: now.Key, Delete: true})
		case was >= 0 && strings.HasPrefix(now.Key.Partition, "order/"):
			before := copied[was]
			before.Version = now.Version
			records = append(records, before)
		}
	}
	if err := w.app.Store.Save(context.Background(), w.clock.Now(), records...); err != nil {
		w.t.Errorf("restore: %v", err)
	}
}
