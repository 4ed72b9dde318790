package callback

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// A callback that is stored shortened comes back whole.
func TestCallbackComesBackWhole(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	random := []byte("0123456789abcdefghijklmn")
	id := store.NewPaymentID(store.OrderHash(request.Owner{Merchant: "m"}.Text(), "order-1"), at, random)
	c := Callback{
		ID: "msg_" + id + "_12", PaymentID: id, Seq: 12, CreatedAt: at, State: Waiting, NextAt: at,
		Fields: Fields{{Name: "id", Value: id}, {Name: "custom_data[a]", Value: "<&>\""}, {Name: "z", Value: "1"}, {Name: "custom_data[a]", Value: "again"}},
	}
	later := c
	later.NextAt = at.Add(time.Minute)
	for _, c := range []Callback{c, later} {
		r := c.Record(at)
		r.Version = 1
		var told Callback
		c.version, c.dueAt = r.Version, r.DueAt
		if err := r.Decode(&told); err != nil || !reflect.DeepEqual(told, c) {
			t.Errorf("%v\n%+v\n%+v", err, told, c)
		}
	}
	if want := `"fields":{"custom_data[a]":"<&>\"","z":"1","custom_data[a]":"again"}`; !strings.Contains(string(c.Record(at).Doc), want) {
		t.Errorf("%s lacks %s", c.Record(at).Doc, want)
	}
	var fields Fields
	for _, text := range []string{`[]`, `"x"`, `{"a":1}`, `null`} {
		if fields.UnmarshalJSON([]byte(text)) == nil {
			t.Errorf("%s was read", text)
		}
	}
}
