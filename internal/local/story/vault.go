package story

import (
	"context"
	"regexp"
	"strings"

	"checkout/internal/checkout"
	"checkout/internal/store"
	"checkout/internal/worker"
)

// vaulted returns the documents of the vault table of one kind: "card", "public" or "private".
func (w *World) vaulted(what string) []store.Record {
	var found []store.Record
	for _, record := range w.app.Store.Dump() {
		if strings.HasPrefix(record.Key.Partition, "vault/"+what+"/") {
			found = append(found, record)
		}
	}
	return found
}

// sealedAre checks how many sealed cards are stored.
func (w *World) sealedAre(want int) {
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

// keyDays returns the days whose key the vault table has.
func (w *World) keyDays() []string {
	var days []string
	for _, record := range w.vaulted("private") {
		days = append(days, strings.TrimPrefix(record.Key.Partition, "vault/private/"))
	}
	return days
}

// sealedJSON matches the beginning of a sealed card in any document.
var sealedJSON = regexp.MustCompile(`"key_id":"[^"]*","enc":"`)

// FindSealedCards searches for sealed cards that are in the main table, or in the vault table without a job that needs
// them.
func (w *World) FindSealedCards() {
	needed := map[string]bool{}
	for _, record := range w.app.Store.Dump() {
		if !record.Key.InVault() && sealedJSON.Match(record.Doc) {
			w.t.Errorf("a sealed card is in the main table: %v", record.Key)
		}
	}
	for _, p := range w.Stored(w.t) {
		if len(p.Jobs) > 0 {
			needed[p.ID] = p.Jobs[0].Sealed
		}
	}
	for _, record := range w.vaulted("card") {
		if id := strings.TrimPrefix(record.Key.Partition, "vault/card/"); !needed[id] {
			w.t.Errorf("the sealed card of payment %s is left over", id)
		}
	}
}

// rotateElsewhere rotates keys in a process that has none in memory.
func (w *World) rotateElsewhere() error {
	core := &checkout.Core{Store: w.app.Store, Now: w.clock.Now}
	return worker.NewSweeper(core, nil, nil, w.app.Sweeper.Maker).RotateDayKeys(context.Background())
}
