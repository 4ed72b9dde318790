package story

import (
	"slices"
	"sync"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/settings"
)

// A recurring payment that was softly declined can be retried once. A hard decline and an initial transaction can't.
func TestRetry(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "02/41") // its first recurring payment is softly declined
	if got := w.shop.retries(c.initial); got != "400 100000 Retry is not allowed." {
		t.Errorf("retry of an initial transaction: %s", got)
	}
	code, response := c.charge("pen-2", "5.00")
	if got := inWords(code, response); got != "200 decline" {
		t.Fatalf("recurring: %s", got)
	}
	declined := response["payment_id"].(string)
	var again []string
	var mu sync.Mutex
	w.atOnce(6, func(int) {
		got := w.shop.retries(declined)
		mu.Lock()
		defer mu.Unlock()
		again = append(again, got)
	})
	slices.Sort(again)
	if again[0] != "200 accepted" || again[1] != "400 100000 Retry is not allowed." {
		t.Errorf("retries: %q", again)
	}
	w.work()
	w.shop.told("sale success settled", "recurring fail decline", "recurring success settled")
	w.ledgerIs("1 x 10.00 USD approved", "1 x 5.00 USD declined", "1 x 5.00 USD approved")
	if last := w.shop.last("recurring").Fields; last.Get("id") == declined || last.Get("order_number") != "pen-2" {
		t.Errorf("the retry is %v", last)
	}
	if _, status := w.shop.status("order_id", "pen-2"); status["status"] != "settled" {
		t.Errorf("status of the order: %v", status)
	}
	hard := w.shop.begins("pen-3", "01/38")
	w.shop.set(func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Credentials = map[string]string{"sandbox": "declines"}
	})
	w.skip(time.Minute)
	_, response = hard.charge("pen-4", "5.00")
	if got := w.shop.retries(response["payment_id"].(string)); got != "400 100000 Retry is not allowed." {
		t.Errorf("retry of a hard decline: %s, which was %v", got, response)
	}
}

// Retries that are refused, each with its error. Nothing is charged.
func TestRetryRefused(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "02/41")
	_, response := c.charge("pen-2", "5.00")
	declined := response["payment_id"].(string)
	unused := w.shop.visits("pen-3").paymentID()
	badHash := w.shop.AmountBody(declined, "")
	badHash["hash"] = w.shop.Hash(c.initial)
	unknown := "0aa0a0a0-0000-8000-8000-000000000000"
	for _, test := range []struct{ name, got, want string }{
		{"hash of another payment", w.shop.asks("retry", badHash), "401 100000 hash: Hash is not valid."},
		{"unknown payment", w.shop.retries(unknown), "404 208001 Payment not found"},
		{"no payment id", w.shop.retries("x"), "404 208001 Payment not found"},
		{"blank", w.shop.retries(""), "400 100000 payment_id: This value should not be blank."},
		{"a session without an attempt", w.shop.retries(unused), "400 100000 Retry is not allowed."},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
	w.shop.set(disabled)
	w.skip(time.Minute)
	if got := w.shop.retries(declined); got != "403 100000 Access denied." {
		t.Errorf("disabled: %s", got)
	}
	if got := w.shop.asks("retry", badHash); got != "401 100000 hash: Hash is not valid." {
		t.Errorf("disabled, by somebody else: %s", got)
	}
	w.ledgerIs("1 x 10.00 USD approved", "1 x 5.00 USD declined")
}

// A chain that has expired with its card takes no retry and no charge.
func TestRetryOfAnExpiredChain(t *testing.T) {
	w := open(t, operations)
	w.retain(400)
	c := w.shop.begins("pen-1", "02/41")
	w.skip(time.Date(2041, 2, 20, 0, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	_, response := c.charge("pen-2", "5.00")
	w.skip(100 * day)
	if _, _, chains := w.retained(); chains != 0 {
		t.Fatalf("%d chains are stored", chains)
	}
	if got := w.shop.retries(response["payment_id"].(string)); got != "400 100000 Retry is not allowed." {
		t.Errorf("retry: %s", got)
	}
	if got := inWords(c.charge("pen-3", "5.00")); got != "404 208001 Payment not found" {
		t.Errorf("recurring: %s", got)
	}
	w.ledgerIs("1 x 10.00 USD approved", "1 x 5.00 USD declined")
}

// Two retries that both find the payment declined: one is made.
func TestRetryOvertaken(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "02/41")
	_, response := c.charge("pen-2", "5.00")
	declined := response["payment_id"].(string)
	var overtaking string
	w.app.Core.Store = &hookedStore{Store: w.store, prefix: "order/", do: func() {
		w.app.Core.Store = w.store
		overtaking = w.shop.retries(declined)
	}}
	if got := w.shop.retries(declined); got != "400 100000 Retry is not allowed." || overtaking != "200 accepted" {
		t.Errorf("retries: %s and %s", overtaking, got)
	}
	w.work()
	w.shop.told("sale success settled", "recurring fail decline", "recurring success settled")
	w.ledgerIs("1 x 10.00 USD approved", "1 x 5.00 USD declined", "1 x 5.00 USD approved")
}

// A retry and another charge with the same order number within 15 seconds: one is made, at one moment, too
// (protocol.md, Idempotency).
func TestRetryIsOneOfAll(t *testing.T) {
	const refused = "400 400 Duplicate request."
	for _, first := range []string{"retry", "charge", "at once", "charge overtakes"} {
		w := open(t, operations)
		c := w.shop.begins("pen-1", "02/41")
		_, response := c.charge("pen-2", "5.00")
		declined := response["payment_id"].(string)
		w.skip(time.Minute)
		got := [2]string{}
		retries := func() { got[0] = w.shop.retries(declined) }
		charges := func() {
			code, response := c.charge("pen-2", "5.00")
			if got[1] = inWords(code, response); code == 200 {
				got[1] = "200 accepted"
			}
		}
		switch first {
		case "retry":
			retries()
			charges()
		case "charge":
			charges()
			retries()
		case "at once":
			w.atOnce(2, func(i int) { []func(){retries, charges}[i]() })
		default:
			w.app.Core.Store = &hookedStore{Store: w.store, prefix: "order/", do: func() {
				w.app.Core.Store = w.store
				charges()
			}}
			retries()
		}
		w.work()
		if slices.Sort(got[:]); got != [2]string{"200 accepted", refused} {
			t.Errorf("%s: %q", first, got)
		}
		w.ledgerIs("1 x 10.00 USD approved", "1 x 5.00 USD declined", "1 x 5.00 USD approved")
	}
}

// A retry that was refused as a duplicate is possible once the window has passed.
func TestRetryWithinTheWindow(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "02/41")
	_, response := c.charge("pen-2", "5.00")
	declined := response["payment_id"].(string)
	w.skip(checkout.DuplicateWindow)
	w.shop.visits("pen-2")
	if got := w.shop.retries(declined); got != "400 400 Duplicate request." {
		t.Errorf("after a session: %s", got)
	}
	w.skip(checkout.DuplicateWindow)
	for _, want := range []string{"200 accepted", "400 100000 Retry is not allowed."} {
		if got := w.shop.retries(declined); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	w.work()
	w.ledgerIs("1 x 10.00 USD approved", "1 x 5.00 USD declined", "1 x 5.00 USD approved")
}
