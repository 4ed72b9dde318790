package worker

import (
	"testing"
	"time"

	"checkout/internal/checkout/blocklist"
	"checkout/internal/fault"
)

// While the key of fingerprints can't be opened, as after a restore without the key that wraps it, charges go on. Where
// a card is blocked they wait: each could be that card.
func TestWithoutFingerprints(t *testing.T) {
	for _, kind := range []blocklist.Kind{"", blocklist.IP, blocklist.Card} {
		s := sending{make: saved(), before: keeps()}
		w := s.begin(t)
		w.Vault = openVault{fails: "open the key of fingerprints"}
		if kind != "" {
			list, _ := blocklist.List{}.With(blocklist.Entry{Kind: kind, Until: storedAt.Add(time.Hour)}, storedAt)
			if err := w.core.Store.Save(t.Context(), storedAt, list.Record(fault.Owner{Merchant: "shop"})); err != nil {
				t.Fatal(err)
			}
		}
		err := s.send(w, false)
		if waits := kind == blocklist.Card; (err != nil) != waits || (len(w.requests) == 0) != waits {
			t.Errorf("with %q on the list: %q, %v", kind, w.requests, err)
		}
	}
}
