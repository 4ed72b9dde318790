package e2e

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"checkout/internal/local/cloud/endpoint"
)

// sealedJSON is how a sealed card begins in any document.
var sealedJSON = regexp.MustCompile(`"key_id":"[^"]*","enc":"`)

// sealedAre checks how many sealed cards wait, all of them in the vault table and for a while only.
func (w *world) sealedAre(want int) {
	w.t.Helper()
	for _, one := range w.items() {
		if sealedJSON.MatchString(one.doc) {
			w.t.Errorf("a sealed card is in the main table: %s %s", one.pk, one.sk)
		}
	}
	cards := w.vaulted("card")
	if len(cards) != want {
		w.t.Errorf("%d sealed cards are stored, want %d", len(cards), want)
	}
	for _, one := range append(cards, w.vaulted("key")...) {
		if one.ttl == "" {
			w.t.Errorf("%s stays for ever", one.pk)
		}
	}
}

// stopConnector has every message to the connector fail before it reads a payment, until the answer is called.
func (w *world) stopConnector() (start func()) {
	stopped := w.cloud.Inject(endpoint.Fault{Function: "connector", Operation: "dynamodb:BatchGetItem", Times: 1000, Do: endpoint.Refuse})
	return stopped.Cancel
}

// While the connector is stopped, what payers sealed is in the vault table alone; and in none once it has worked.
func TestSealedCardsAreInTheVaultAlone(t *testing.T) {
	t.Parallel()
	w := open(t)
	start := w.stopConnector()
	expiries := []string{"01/38", "02/38", "05/38", "12/38"}
	visits := make([]*visit, len(expiries))
	for i, expiry := range expiries {
		visits[i] = w.visit()
		visits[i].send(visits[i].fill(expiry))
	}
	w.sealedAre(len(expiries))
	w.until("the connector was called", func() bool { return w.cloud.Logs("connector") != "" })
	w.sealedAre(len(expiries))
	w.leakFree()
	start()
	w.rest()
	w.sealedAre(0)
	for i, want := range []string{"settled", "decline", "3ds", "redirect"} {
		visits[i].is(want)
	}
	if keys := w.vaulted("key"); len(keys) != 1 {
		t.Errorf("%d keys of the day are stored", len(keys))
	}
}

// After two days the keys are gone that the cards of today were sealed to, and a form of then, with a key of then, pays.
func TestKeysOfTheDayTurn(t *testing.T) {
	t.Parallel()
	w := open(t)
	start := time.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour) // tomorrow's noon: no day ends while this runs
	day := func(days int) string { return "vault/key/" + start.AddDate(0, 0, days).Format(time.DateOnly) }
	w.setClock(start)
	w.sweep()
	w.visit().pays("01/38")
	w.keysAre(day(0), day(1))
	for days := 1; days <= 3; days++ {
		w.setClock(start.AddDate(0, 0, days))
		w.sweep()
		w.keysAre(day(days-1), day(days), day(days+1))
		v := w.visit()
		v.pays("01/38")
		v.is("settled")
	}
	w.sealedAre(0)
	if made := w.cloud.Snapshot()["sweep"].AWS.Requests["kms:GenerateDataKeyPairWithoutPlaintext"]; made != 4 {
		t.Errorf("the sweep made %d keys in four days", made)
	}
	connector := w.cloud.Snapshot()["connector"]                                                      // which unwraps its data keys at each start, too
	if opened := connector.AWS.Requests["kms:Decrypt"] - 2*int64(connector.ColdStarts); opened != 4 { // once for each day's first environment
		t.Errorf("the connector unwrapped %d keys in four days", opened)
	}
}

func (w *world) keysAre(want ...string) {
	w.t.Helper()
	var got []string
	for _, one := range w.vaulted("key") {
		got = append(got, one.pk)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		w.t.Errorf("the keys %v are stored, want %v", got, want)
	}
}
