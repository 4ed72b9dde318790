package story

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/store"
)

// 200 equal requests at once make one session (protocol.md, Idempotency).
func TestSameOrderManyTimesAtOnce(t *testing.T) {
	w := open(t)
	body := w.shop.Sign(w.shop.Order("pen-1"))
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	var made atomic.Int32
	w.atOnce(200, func(int) {
		code, response := w.call("POST", "/api/v1/session", string(text))
		switch {
		case code == http.StatusOK:
			made.Add(1)
		case code != http.StatusBadRequest || string(response) != duplicate:
			t.Errorf("%d %s", code, response)
		}
	})
	if made.Load() != 1 {
		t.Errorf("%d sessions were made", made.Load())
	}
	sessions := 0
	for _, record := range w.app.Store.Dump() {
		if len(record.Key.Sort) > 2 && record.Key.Sort[:2] == "o/" {
			sessions++
		}
	}
	if sessions != 1 {
		t.Errorf("%d sessions are stored", sessions)
	}
}

const duplicate = `{"error_code":400,"error_message":"Duplicate request.",` +
	`"errors":[{"error_code":400,"error_message":"Duplicate request."}],"status":"error"}` + "\n"

// The window is exactly 15 seconds, and belongs to merchant_key and order.number together.
func TestDuplicateWindow(t *testing.T) {
	w := open(t, liveSandbox)
	other := w.newShop("-2")
	create := func(s *Shop, number string, changes ...func(map[string]any)) string {
		code, body := w.call("POST", "/api/v1/session", s.Sign(s.Order(number, changes...)))
		return map[bool]string{true: "made", false: fmt.Sprint(code, " ", string(body))}[code == http.StatusOK]
	}
	refused := "400 " + duplicate
	steps := []struct {
		after  time.Duration // since the step before
		shop   *Shop
		number string
		change func(map[string]any)
		want   string
	}{
		{0, w.shop, "pen-1", nil, "made"},
		{0, w.shop, "pen-1", nil, refused},
		{0, w.shop, "pen-1", with("session_expiry", 5), refused}, // other fields don't matter
		{0, w.shop, "pen-1", with("merchant_key", "live-key"), "made"},
		{0, w.shop, "PEN-1", nil, "made"},
		{0, other, "pen-1", nil, "made"},
		{14999 * time.Millisecond, w.shop, "pen-1", nil, refused},
		{time.Millisecond, w.shop, "pen-1", nil, "made"}, // 15 s: refused requests don't restart them
		{14999 * time.Millisecond, w.shop, "pen-1", nil, refused},
		{time.Millisecond, w.shop, "pen-1", nil, "made"},
	}
	for i, step := range steps {
		w.skip(step.after)
		change := step.change
		if change == nil {
			change = func(map[string]any) {}
		}
		if got := create(step.shop, step.number, change); got != step.want {
			t.Errorf("step %d: %s, want %s", i, got, step.want)
		}
	}
}

// The first session of an order is gone when the next one takes its place: its address opens no page, and what comes of
// its payment changes the payment alone.
func TestFirstSessionIsFollowedByAnother(t *testing.T) {
	w := open(t)
	old := w.shop.visits("pen-1")
	old.pays("01/38")
	id := old.paymentID()
	w.skip(7*24*time.Hour + time.Hour + 2*time.Minute)
	next := w.shop.visits("pen-1")
	if old.Session == next.Session || store.FirstSessionID(next.Session) != next.Session {
		t.Errorf("%s is followed by %s", old.Session, next.Session)
	}
	if code, _ := w.call("GET", old.Path(""), nil); code != http.StatusNotFound {
		t.Errorf("the old page: %d", code)
	}
	if got := w.shop.refunds(id, "1.00"); got != "200 accepted" {
		t.Errorf("refund: %s", got)
	}
	next.sees("form")
	if _, response := w.shop.status("order_id", "pen-1", "size", "10"); len(response["list"].([]any)) != 2 ||
		response["list"].([]any)[1].(map[string]any)["payment_id"] != id {
		t.Errorf("payments of the order, the newest first: %v", response["list"])
	}
	next.pays("01/38")
	if next.paymentID() == id {
		t.Error("both sessions have one payment")
	}
}

// A refused request doesn't use up its order number.
func TestRefusedRequestIsNoDuplicate(t *testing.T) {
	w := open(t)
	body := w.shop.Sign(w.shop.Order("pen-1"))
	body["hash"] = "0"
	if code, _ := w.call("POST", "/api/v1/session", body); code != http.StatusUnauthorized {
		t.Errorf("a wrong hash: %d", code)
	}
	w.shop.visits("pen-1").sees("form")
}
