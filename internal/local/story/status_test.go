package story

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
)

// The payment object as the merchant gets it, with and without "extended data".
func TestStatusObject(t *testing.T) {
	for _, setting := range []func(*settings.Merchant){func(*settings.Merchant) {}, extended} {
		w := open(t, setting)
		payer := w.shop.visits("pen-1", customer)
		w.skip(3 * time.Second)
		payer.pays("01/38")
		id := payer.paymentID()
		want := map[string]any{
			"payment_id": id, "date": "2030-03-04 10:00:03", "status": "settled",
			"order":    map[string]any{"number": "pen-1", "amount": "10.00", "currency": "USD", "description": "A pen"},
			"customer": map[string]any{"name": "Ada Lovelace", "email": "ada@example.org"},
		}
		if w.shop.merchant.Mappings[0].ExtendedData {
			want["card"], want["card_expiration_date"] = "411111******1111", "01/2038"
			want["connector_name"], want["mid_name"] = "sandbox", "mid-1"
			want["transactions"] = []any{map[string]any{
				"type": "sale", "status": "success", "date": "2030-03-04 10:00:03", "amount": "10.00",
			}}
		}
		for _, by := range [][2]string{{"payment_id", id}, {"order_id", "pen-1"}} {
			code, got := w.shop.status(by[0], by[1])
			for _, name := range []string{"rrn", "approval_code"} {
				if _, has := got[name]; has != w.shop.merchant.Mappings[0].ExtendedData {
					t.Errorf("%s: %v", name, got[name])
				}
				delete(got, name)
			}
			if code != http.StatusOK || !reflect.DeepEqual(got, want) {
				t.Errorf("by %s: %d\n%v, want\n%v", by[0], code, got, want)
			}
		}
	}
}

// The whole life of an order, as status shows it.
func TestStatusOfAnOrder(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.is("prepare")
	payer.send(payer.attempt("02/38"))
	payer.is("prepare")
	w.work()
	payer.is("decline (Declined by processing.)")
	w.skip(time.Second)
	payer.send(payer.attempt("05/38"))
	payer.is("prepare") // the attempt that is under way, not the declined one
	w.work()
	payer.is("3ds")
	payer.presses("refuse")
	payer.is("decline (The payer refused.)")
	w.skip(time.Second)
	payer.pays("01/38")
	payer.is("settled")

	// The newest comes first.
	want := []string{"settled", "decline The payer refused.", "decline Declined by processing."}
	_, response := w.shop.status("order_id", "pen-1", "size", "100")
	var got []string
	for _, p := range response["list"].([]any) {
		payment := p.(map[string]any)
		got = append(got, strings.TrimSuffix(fmt.Sprintf("%v %v", payment["status"], payment["reason"]), " <nil>"))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("payments %q, want %q", got, want)
	}
	for size, n := range map[string]int{"1": 1, "2": 2, "3": 3, "4": 3} {
		if _, response := w.shop.status("order_id", "pen-1", "size", size); len(response["list"].([]any)) != n {
			t.Errorf("size %s: %d payments", size, len(response["list"].([]any)))
		}
	}
}

func TestStatusRequests(t *testing.T) {
	w := open(t, liveSandbox)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	unused := w.shop.visits("pen-2").paymentID()
	id := payer.paymentID()
	type fields = map[string]any
	hash := w.shop.Hash
	const (
		badHash       = "401 hash: Hash is not valid."
		badSize       = "400 size: This value is not valid. It should be a whole number from 1 to 100."
		noPayment     = "404 Payment not found"
		noOrder       = "404 Order does not exist"
		noPaymentID   = "400 payment_id: This value should not be blank."
		noHash        = "400 hash: This value should not be blank."
		live, testKey = "live-key", "test-key"
	)
	tests := []struct {
		name string
		body fields
		want string
	}{
		{"payment_id", w.shop.Body(fields{"payment_id": id}, id), "200 settled"},
		{"order_id", w.shop.Body(fields{"order_id": "pen-1"}, "pen-1"), "200 settled"},
		{
			"hash in capitals",
			w.shop.Body(fields{"order_id": "pen-1", "hash": strings.ToUpper(hash("pen-1"))}), "200 settled",
		},
		{"a promised id", w.shop.Body(fields{"payment_id": unused}, unused), "200 prepare"},
		{
			"both, hash over payment_id",
			w.shop.Body(fields{"payment_id": id, "order_id": "pen-2"}, id), "200 settled",
		},
		{
			"both, hash over order_id",
			w.shop.Body(fields{"payment_id": id, "order_id": "pen-1"}, "pen-1"), badHash,
		},
		{"hash over the other part", w.shop.Body(fields{"order_id": "pen-1"}, id), badHash},
		{"neither", w.shop.Body(nil), noPaymentID},
		{"no hash", fields{"merchant_key": testKey, "order_id": "pen-1"}, noHash},
		{"size 0", w.shop.Body(fields{"order_id": "pen-1", "size": 0}, "pen-1"), badSize},
		{"size 101", w.shop.Body(fields{"order_id": "pen-1", "size": 101}, "pen-1"), badSize},
		{"unknown payment", w.shop.Body(fields{"payment_id": "x"}, "x"), noPayment},
		{"unknown order", w.shop.Body(fields{"order_id": "pen-9"}, "pen-9"), noOrder},
		{"unknown order, a list", w.shop.Body(fields{"order_id": "pen-9", "size": 5}, "pen-9"), noOrder},
	}
	for _, test := range tests {
		code, response := w.post("/api/v1/payment/status", test.body)
		got := fmt.Sprint(code, " ", response["status"])
		if list, ok := response["errors"].([]any); ok {
			got = fmt.Sprint(code, " ", list[0].(map[string]any)["error_message"])
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A session expires 7 days after its end, a payment never.
func TestStatusAfterAWeek(t *testing.T) {
	w := open(t)
	paid, unused := w.shop.visits("pen-1"), w.shop.visits("pen-2")
	paid.pays("01/38")
	w.skip(7*24*time.Hour + time.Hour - time.Millisecond)
	unused.sees("go https://shop.example/late")
	unused.is("decline (Session expired.)")
	w.skip(time.Millisecond)
	if code, _ := w.shop.status("order_id", "pen-2"); code != http.StatusNotFound {
		t.Errorf("after 7 days: %d", code)
	}
	paid.is("settled")
}
