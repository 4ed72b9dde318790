package story

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/page/form"
	"checkout/internal/settings"
	"checkout/internal/store"

	operatorwords "checkout/internal/operator/words"
	"github.com/google/uuid"
)

// largestFile is the largest file of a mobile account, in base-64. No two parts of it are the same.
var largestFile = func() string {
	var file bytes.Buffer
	for i := 0; file.Len() < 64<<10; i++ {
		sum := sha512.Sum512([]byte(fmt.Sprint(i)))
		file.Write(sum[:])
	}
	return base64.StdEncoding.EncodeToString(file.Bytes())
}()

// neverReceived is the look-up of a provider that has not received the request.
func neverReceived(connector.ProviderRequest) (connector.Result, error) {
	return connector.Result{Outcome: connector.OutcomeUnknown}, nil
}

// sendsFile opens a visit whose merchant has sent the largest file.
func sendsFile(t *testing.T, bank *provider) (*World, *Visit) {
	t.Helper()
	w := open(t, mids("", ""), func(m *settings.Merchant) {
		for i := range m.Mappings[0].MIDs {
			m.Mappings[0].MIDs[i].Methods = []string{"mobile_account"}
		}
	})
	w.connects(settings.SandboxConnector, bank)
	return w, w.shop.visits("pen-1", withFile)
}

func withFile(body map[string]any) {
	body["parameters"] = map[string]any{"mobile_account": map[string]any{
		"NarrativeFileName": "file.pdf", "NarrativeFileBase64": largestFile, "AccountProviderCode": "7",
	}}
}

func (v *Visit) paysByMobile() {
	v.w.t.Helper()
	v.send(form.Request{Attempt: uuid.NewString(), Method: "mobile_account"})
	v.w.work()
}

// filesOf returns the documents that have the file.
func (w *World) filesOf() (all []store.Record) {
	for _, r := range w.app.Store.Dump() {
		if bytes.Contains(r.Doc, []byte(largestFile)) {
			all = append(all, r)
		}
	}
	return all
}

// Every charge has the file that the merchant sent: a repeated one, one of the next MID, one of the next attempt, and
// the second form. Once a charge is decided, its payment has no file.
func TestFileIsSentWithEveryCharge(t *testing.T) {
	for _, test := range []struct {
		name    string
		results []connector.Result
		errs    []error
		faults  []string // of the saves after the click
		want    int      // charges
		tries   int      // of the payer
		form    bool     // the payer sends a second form
	}{
		{"approved", []connector.Result{approved}, nil, nil, 1, 1, false},
		{"not sent", []connector.Result{{}, approved}, []error{connector.ErrNotSent}, nil, 2, 1, false},
		{"next MID", []connector.Result{soft, approved}, nil, nil, 2, 1, false},
		{"next attempt", []connector.Result{declined, approved}, nil, nil, 2, 2, false},
		{"never received", []connector.Result{undecided, approved}, nil, nil, 2, 1, false},
		{"second form", []connector.Result{asksFor(aCode)}, nil, nil, 1, 1, true},
		{"ends before it is sent", []connector.Result{approved}, nil, []string{"ok", "dies before"}, 1, 1, false},
		{"ends after it was sent", []connector.Result{approved, approved}, nil, []string{"ok", "ok", "before"}, 1, 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			bank := &provider{lookUp: neverReceived}
			n := 0
			bank.charge = func(connector.Charge) (connector.Result, error) {
				n++
				var err error
				if n <= len(test.errs) {
					err = test.errs[n-1]
				}
				return test.results[min(n, len(test.results))-1], err
			}
			w, payer := sendsFile(t, bank)
			w.store.next(test.faults...)
			for range test.tries {
				payer.paysByMobile()
			}
			if test.form {
				payer.submits("1", nil)
			}
			w.pass(10 * time.Minute)
			if len(bank.charges) < test.want || test.form != (len(bank.continued) > 0) {
				t.Fatalf("%d charges, want %d; %d second forms", len(bank.charges), test.want, len(bank.continued))
			}
			for i, c := range append(bank.charges, bank.continued...) {
				if got := textAt(c.Parameters, "NarrativeFileBase64"); got != largestFile {
					t.Errorf("request %d has a file of %d bytes", i+1, len(got))
				}
				if textAt(c.Parameters, "NarrativeFileName") != "file.pdf" || textAt(c.Parameters, "AccountProviderCode") != "7" {
					t.Errorf("request %d lacks other parameters", i+1)
				}
			}
			w.showsNoFile(payer)
		})
	}
}

// showsNoFile looks for parts of the file where nothing of it may be.
func (w *World) showsNoFile(payer *Visit) {
	w.t.Helper()
	history, err := operatorwords.PaymentHistory(context.Background(), w.app.Store, w.clock.Now(), payer.paymentID())
	if err != nil {
		w.t.Fatalf("history: %v", err)
	}
	_, explained := w.call("POST", "/api/v1/session/explain", w.shop.Sign(w.shop.Order("pen-2", withFile)))
	places := map[string]string{
		"log": w.log.String(), "history": history.String(), "explanation": string(explained), "queues": w.queue.messages(),
	}
	for _, r := range w.shop.Received() {
		places["callbacks"] += string(r.Body)
	}
	for place, text := range places {
		if strings.Contains(text, largestFile[100:140]) {
			w.t.Errorf("the %s has the file", place)
		}
	}
	for _, r := range w.filesOf() {
		if store.IsPayment(r.Key) && !strings.Contains(string(r.Doc), `"kind":"charge"`) {
			w.t.Errorf("a payment whose charge is decided has the file: %s", r.Key.Sort)
		}
	}
}
