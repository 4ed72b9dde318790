package callback

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// A callback that is stored shortened is complete when it is read.
func TestCallbackIsReadWhole(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	random := []byte("0123456789abcdefghijklmn")
	id := store.NewPaymentID(store.OrderHash(fault.Owner{Merchant: "m"}.Text(), "order-1"), at, random)
	c := Callback{
		ID: "msg_" + id + "_12", PaymentID: id, Seq: 12, CreatedAt: at, State: Waiting, NextAt: at,
		Fields: Fields{
			{Name: "id", Value: id}, {Name: "custom_data[a]", Value: "<&>\""}, {Name: "z", Value: "1"},
			{Name: "custom_data[a]", Value: "again"},
		},
	}
	later := c
	later.NextAt = at.Add(time.Minute)
	for _, c := range []Callback{c, later} {
		r := c.Record(at)
		r.Version = 1
		var decoded Callback
		c.version, c.dueAt = r.Version, r.DueAt
		if err := r.Decode(&decoded); err != nil || !reflect.DeepEqual(decoded, c) {
			t.Errorf("%v\n%+v\n%+v", err, decoded, c)
		}
		if strings.Contains(string(r.Doc), "next_at") == c.NextAt.Equal(at) {
			t.Errorf("next_at is stored although it is created_at, or missing: %s", r.Doc)
		}
	}
	want, doc := `"fields":{"custom_data[a]":"<&>\"","z":"1","custom_data[a]":"again"}`, c.Record(at).Doc
	if !strings.Contains(string(doc), want) {
		t.Errorf("%s lacks %s", doc, want)
	}
	var fields Fields
	for _, text := range []string{`[]`, `"x"`, `{"a":1}`, `null`, `{1:"a"}`} {
		if fields.UnmarshalJSON([]byte(text)) == nil {
			t.Errorf("%s was read", text)
		}
	}
}
