package story

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/merchant"
)

// The payment object as the merchant gets it, with and without "extended data".
func TestStatusObject(t *testing.T) {
	for _, setting := range []func(*merchant.Merchant){func(*merchant.Merchant) {}, extended} {
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
			want["transactions"] = []any{map[string]any{"type": "sale", "status": "success", "date": "2030-03-04 10:00:03", "amount": "10.00"}}
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

	want := []string{"settled", "decline The payer refused.", "decline Declined by processing."} // newest first
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
	other := w.newShop("-2")
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	unused := w.shop.visits("pen-2").paymentID()
	id := payer.paymentID()
	key := w.shop.merchant.TestKey
	hash := w.shop.hash
	tests := []struct {
		name string
		body map[string]any
		want string
	}{
		{"payment_id", map[string]any{"merchant_key": key, "payment_id": id, "hash": hash(id)}, "200 settled"},
		{"order_id", map[string]any{"merchant_key": key, "order_id": "pen-1", "hash": hash("pen-1")}, "200 settled"},
		{"hash in capitals", map[string]any{"merchant_key": key, "order_id": "pen-1", "hash": strings.ToUpper(hash("pen-1"))}, "200 settled"},
		{"a promised id", map[string]any{"merchant_key": key, "payment_id": unused, "hash": hash(unused)}, "200 prepare"},
		{"both, hash over payment_id", map[string]any{"merchant_key": key, "payment_id": id, "order_id": "pen-2", "hash": hash(id)}, "200 settled"},
		{"both, hash over order_id", map[string]any{"merchant_key": key, "payment_id": id, "order_id": "pen-1", "hash": hash("pen-1")}, "401 hash: Hash is not valid."},
		{"hash over the other part", map[string]any{"merchant_key": key, "order_id": "pen-1", "hash": hash(id)}, "401 hash: Hash is not valid."},
		{"neither", map[string]any{"merchant_key": key, "hash": hash("")}, "400 payment_id: This value should not be blank."},
		{"no hash", map[string]any{"merchant_key": key, "order_id": "pen-1"}, "400 hash: This value should not be blank."},
		{"size 0", map[string]any{"merchant_key": key, "order_id": "pen-1", "size": 0, "hash": hash("pen-1")}, "400 size: This value is not valid. It should be a whole number from 1 to 100."},
		{"size 101", map[string]any{"merchant_key": key, "order_id": "pen-1", "size": 101, "hash": hash("pen-1")}, "400 size: This value is not valid. It should be a whole number from 1 to 100."},
		{"unknown payment", map[string]any{"merchant_key": key, "payment_id": "x", "hash": hash("x")}, "404 Payment not found"},
		{"unknown order", map[string]any{"merchant_key": key, "order_id": "pen-9", "hash": hash("pen-9")}, "404 Order does not exist"},
		{"unknown order, a list", map[string]any{"merchant_key": key, "order_id": "pen-9", "size": 5, "hash": hash("pen-9")}, "404 Order does not exist"},
		{"another merchant's payment", map[string]any{"merchant_key": other.merchant.TestKey, "payment_id": id, "hash": hash(id)}, "404 Payment not found"},
		{"another merchant's promised id", map[string]any{"merchant_key": other.merchant.TestKey, "payment_id": unused, "hash": hash(unused)}, "404 Payment not found"},
		{"another merchant's order", map[string]any{"merchant_key": other.merchant.TestKey, "order_id": "pen-1", "hash": hash("pen-1")}, "404 Order does not exist"},
		{"the live key for a test payment", map[string]any{"merchant_key": "live-key", "payment_id": id, "hash": hash(id)}, "404 Payment not found"},
		{"the live key for a test order", map[string]any{"merchant_key": "live-key", "order_id": "pen-1", "hash": hash("pen-1")}, "404 Order does not exist"},
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

// An order's session is forgotten 7 days after its end, its payments never.
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
