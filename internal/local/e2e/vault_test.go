package e2e

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"checkout/internal/local/cloud/endpoint"
)

// encryptedJSON finds the beginning of a payer's encrypted card in a document.
var encryptedJSON = regexp.MustCompile(`"key_id":"[^"]*","enc":"`)

// encryptedAre checks how many encrypted cards are stored, all of them in the vault table and with a TTL.
func (w *world) encryptedAre(want int) {
	w.t.Helper()
	for _, one := range w.items() {
		if encryptedJSON.MatchString(one.doc) {
			w.t.Errorf("a sealed card is in the main table: %s %s", one.pk, one.sk)
		}
	}
	cards := w.vaulted("card")
	if len(cards) != want {
		w.t.Errorf("%d sealed cards are stored, want %d", len(cards), want)
	}
	for _, one := range append(cards, append(w.vaulted("public"), w.vaulted("private")...)...) {
		if one.ttl == "" {
			w.t.Errorf("%s has no TTL", one.pk)
		}
	}
}

// stopConnector makes every message to the connector fail before it reads a payment, until start is called.
func (w *world) stopConnector() (start func()) {
	stopped := w.cloud.Inject(endpoint.Fault{Function: "connector", Operation: "dynamodb:BatchGetItem", Times: 1000,
		Do: endpoint.Refuse})
	return stopped.Cancel
}

// While the connector is stopped, payers' encrypted cards are in the vault table alone; after it has run there are
// none.
func TestEncryptedCardsAreInTheVaultAlone(t *testing.T) {
	t.Parallel()
	w := open(t)
	start := w.stopConnector()
	expiries := []string{"01/38", "02/38", "05/38", "12/38"}
	visits := make([]*visit, len(expiries))
	for i, expiry := range expiries {
		visits[i] = w.visit()
		visits[i].send(visits[i].fill(expiry))
	}
	w.encryptedAre(len(expiries))
	w.until("the connector was called", func() bool { return w.cloud.Logs("connector") != "" })
	w.encryptedAre(len(expiries))
	w.leakFree()
	start()
	w.rest()
	w.encryptedAre(0)
	for i, want := range []string{"settled", "decline", "3ds", "redirect"} {
		visits[i].is(want)
	}
	if keys := w.vaulted("private"); len(keys) != 2 {
		t.Errorf("%d keys of the day are stored", len(keys))
	}
}

// Keys of the day are deleted after two days, and a form of a later day pays with a later key.
func TestKeysOfTheDayTurn(t *testing.T) {
	t.Parallel()
	w := open(t)
	start := time.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour) // tomorrow's noon: no day ends while this runs
	day := func(days int) string { return "vault/private/" + start.AddDate(0, 0, days).Format(time.DateOnly) }
	w.setClock(start)
	w.sweep()
	w.visit().pays("01/38")
	w.keysAre(day(-1), day(0), day(1))
	for days := 1; days <= 3; days++ {
		w.setClock(start.AddDate(0, 0, days))
		w.sweep()
		w.keysAre(day(days-1), day(days), day(days+1))
		v := w.visit()
		v.pays("01/38")
		v.is("settled")
	}
	w.encryptedAre(0)
	if made := w.cloud.Snapshot()["sweep"].AWS.Requests["kms:GenerateDataKeyPairWithoutPlaintext"]; made != 6 {
		t.Errorf("the sweep made %d keys in five days", made)
	}
	connector := w.cloud.Snapshot()["connector"] // it unwraps those of its MID and of fingerprints after each start, too
	if opened := connector.AWS.Requests["kms:Decrypt"] - 2*int64(connector.ColdStarts); opened != 4 {
		t.Errorf("the connector unwrapped %d keys in four days", opened)
	}
}

func (w *world) keysAre(want ...string) {
	w.t.Helper()
	var got []string
	for _, one := range w.vaulted("private") {
		got = append(got, one.pk)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		w.t.Errorf("the keys %v are stored, want %v", got, want)
	}
}
