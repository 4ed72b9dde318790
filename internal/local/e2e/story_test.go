package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/oauth2-proxy/mockoidc"

	"checkout/internal/local/client"
	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/store"
)

// Payments by cards that lead to every kind of outcome, tries after a decline, and a payer who leaves.
func TestPayments(t *testing.T) {
	t.Parallel()
	w := open(t)
	const success, declined = "go https://shop.example/paid", "form: declined (Declined by processing.)"
	for _, story := range []struct {
		card, press string
		status      string
		sees        string
		reported    []string
	}{
		{"01/38", "", "settled", success, []string{"sale success settled"}},
		{"04/39", "", "settled", success, []string{"sale undefined prepare", "sale success settled"}},
		{"05/38", "confirm", "settled", success, []string{"3ds success 3ds", "sale success settled"}},
		{"05/38", "refuse", "decline", "form: declined (The payer refused.)",
			[]string{"3ds success 3ds", "sale fail decline"}},
		{"12/39", "confirm", "decline", declined, []string{"redirect success redirect", "sale fail decline"}},
	} {
		v := w.visit()
		v.sees("form")
		v.pays(story.card)
		if story.press != "" {
			v.presses(story.press)
			w.rest()
		}
		v.is(story.status)
		v.sees(story.sees)
		v.reported(story.reported...)
		if charged := w.ledger()[store.PublicID(v.Session)]; len(charged) != 1 {
			t.Errorf("%s: charged %v", story.card, charged)
		}
	}
	v := w.visit()
	v.pays("02/38")
	v.pays("01/38")
	v.is("settled")
	v.reported("sale fail decline", "sale success settled")
	v = w.visit()
	for range 3 {
		v.pays("02/38")
	}
	v.sees("message: too_many_declines (Declined by processing.)")
	v = w.visit()
	if code, body := w.call("POST", v.Path("cancel"), nil); code != http.StatusOK {
		t.Fatalf("%d %s", code, body)
	}
	v.sees("go https://shop.example/cart")
	v.reported()
	if charged := w.ledger()[store.PublicID(v.Session)]; len(charged) != 0 {
		t.Errorf("charged %v", charged)
	}
	w.leakFree()
}

// If no message can be sent, the sweep sends them all.
func TestSweepFindsWhatWasNotSent(t *testing.T) {
	t.Parallel()
	w := open(t)
	refusal := endpoint.Fault{Operation: "sqs:SendMessage", Do: endpoint.Refuse, Status: http.StatusForbidden,
		Body: `{"__type":"AccessDenied","message":"refused by a test"}`}
	refusal.Function = "page"
	job := w.cloud.Inject(refusal)
	refusal.Function = "connector"
	callback := w.cloud.Inject(refusal)
	v := w.visit()
	v.pays("01/38")
	v.is("prepare")
	v.sees("wait: processing")
	w.sweep() // not due yet
	w.rest()
	v.is("prepare")
	w.settle()
	if job.Hits() != 1 || callback.Hits() != 1 {
		t.Errorf("refused %d and %d messages", job.Hits(), callback.Hits())
	}
	v.is("settled")
	v.reported("sale success settled")
	w.leakFree()
}

// Of many equal requests at once one takes effect: of sessions, recurring charges and payouts with a saved card.
func TestEqualRequestsAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	first := w.visit(client.Object{"req_token": true, "recurring_init": true})
	first.pays("01/38")
	first.is("settled")
	id, chain := first.payment(), first.callbackField("recurring_token")
	payOut := client.Object{"operation": "credit", "card_token": []string{first.callbackField("card_token")}}
	w.oneOf(100, "pen-100", func(number string) (string, client.Object) {
		return "/api/v1/session", w.request(number)
	})
	for i := range 10 {
		w.oneOf(4, fmt.Sprint("later-", i), func(number string) (string, client.Object) {
			order := map[string]any{"number": number, "amount": "3.00", "description": "A pen again"}
			return "/api/v1/payment/recurring", tests.Recurring(id, chain, order)
		})
		w.oneOf(4, fmt.Sprint("out-", i), func(number string) (string, client.Object) {
			return "/api/v1/session", w.request(number, payOut)
		})
	}
	w.settle()
	w.noDeadMessages()
	w.leakFree()
}

// oneOf makes n equal requests of an order at once, of which one is accepted.
func (w *world) oneOf(n int, number string, request func(number string) (path string, body client.Object)) {
	w.t.Helper()
	var group sync.WaitGroup
	var accepted atomic.Int32
	for range n {
		group.Go(func() {
			path, body := request(number)
			code, response, err := w.try("POST", path, body)
			switch {
			case err != nil:
				w.t.Error(err)
			case code == http.StatusOK:
				accepted.Add(1)
			case code != http.StatusBadRequest || !strings.Contains(string(response), `"Duplicate request."`):
				w.t.Errorf("%d %s", code, response)
			}
		})
	}
	group.Wait()
	if accepted.Load() != 1 {
		w.t.Errorf("%d of %d equal requests of %s were accepted", accepted.Load(), n, number)
	}
}

// Every sample event is handled by its function.
func TestEvents(t *testing.T) {
	t.Parallel()
	provider, err := mockoidc.Run()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Shutdown() })
	w := open(t, func(c *cloud.Config) {
		c.Parameters = map[string]string{
			"OriginCheck": "off", "AdminLogin": "oidc", "AdminLoginIssuer": "https://login.example",
			"AdminLoginClientId": provider.ClientID, "AdminLoginSecret": provider.ClientSecret,
		}
		c.Environment = map[string]string{"OIDC_ISSUER": provider.Issuer()} // the template takes no address without TLS
	})
	files, err := filepath.Glob(filepath.Join(root, "events", "*", "*.json"))
	if err != nil || len(files) < 10 {
		t.Fatalf("events %v: %v", files, err)
	}
	for _, file := range files {
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		result, err := w.cloud.Invoke(t.Context(), filepath.Base(filepath.Dir(file)), payload)
		var reply struct {
			StatusCode        int               `json:"statusCode"`
			BatchItemFailures []json.RawMessage `json:"batchItemFailures"`
		}
		if err == nil && strings.HasPrefix(string(result.Payload), "{") {
			err = json.Unmarshal(result.Payload, &reply)
		}
		if err != nil || result.FunctionError != "" || reply.StatusCode >= 500 || len(reply.BatchItemFailures) > 0 {
			t.Errorf("%s: %v %s %s", file, err, result.FunctionError, result.Payload)
		}
	}
}
