package story

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/connector"
	"checkout/internal/local/simulator/raw"
	"checkout/internal/settings"
)

// A receiver that responds with 63 KiB of control characters gets its callback as often as any other, then the callback
// is parked. Its response is cut in the document and in the log.
func TestReceiverCannotFillACallback(t *testing.T) {
	url := raw.Server(t, func(conn net.Conn) { _, _ = io.WriteString(conn, strings.Repeat("\x01", 63<<10)+"\r\n") })
	w := open(t, func(m *settings.Merchant) { m.NotificationURL, m.TestNotificationURL = url, url })
	w.shop.visits("pen-1").pays("01/38")
	w.pass(48 * time.Hour)
	callbacks := w.Callbacks()
	if len(callbacks) != 1 || callbacks[0].State != callback.Parked || len(callbacks[0].Tries) != 9 {
		t.Fatalf("%d callbacks; the first is %s, tried %d times", len(callbacks), callbacks[0].State, len(callbacks[0].Tries))
	}
	for _, try := range callbacks[0].Tries {
		if !strings.Contains(try.Error, "malformed HTTP response") || len(try.Error) > 200 {
			t.Errorf("the error has %d bytes: %.300q", len(try.Error), try.Error)
		}
	}
	w.staysSmall()
}

// staysSmall checks that no stored document and no line of the log is long.
func (w *World) staysSmall() {
	w.t.Helper()
	for _, record := range w.app.Store.Dump() {
		if strings.HasPrefix(record.Key.Partition, "order/") && len(record.Doc) > 5000 {
			w.t.Errorf("a document has %d bytes: %.300s", len(record.Doc), record.Doc)
		}
	}
	for line := range strings.Lines(w.log.String()) {
		if len(line) > 1500 {
			w.t.Errorf("a line of log has %d bytes: %.300s", len(line), line)
		}
	}
}

// Texts of a provider that are too long are cut or left out; its outcome counts nevertheless.
func TestProviderCannotFillAPayment(t *testing.T) {
	w := open(t)
	w.connects(settings.SandboxConnector, &provider{charge: func(c connector.Charge) (connector.Result, error) {
		r, err := w.bank.Charge(t.Context(), c)
		r.Reason, r.ProviderID, r.RRN = strings.Repeat("No\x00 ", 100_000), strings.Repeat("7", 400_000), "rrn-1"
		return r, err
	}})
	w.shop.visits("pen-1").pays("01/38")
	w.shop.visits("pen-2").pays("02/38")
	if got := w.shop.Taken(); len(got) != 2 || len(got[1].Fields.Get("reason")) != 255 {
		t.Errorf("%d callbacks", len(got))
	}
	w.staysSmall()
}
