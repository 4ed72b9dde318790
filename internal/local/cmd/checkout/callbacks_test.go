package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/client"
	"checkout/internal/payer"
	"checkout/internal/store"
)

// pay pays a session with the test card that is settled, and returns the payment's id.
func pay(t *testing.T, e *app.Embedded, session string) string {
	t.Helper()
	screen, err := e.Payer.NextScreen(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	testCard, err := client.Card("01/38")
	if err != nil {
		t.Fatal(err)
	}
	attempt, err := client.Fill(screen, testCard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Payer.Pay(t.Context(), session, attempt, payer.Payer{IP: "203.0.113.9"}); err != nil {
		t.Fatal(err)
	}
	id := e.Queue.Pending()[0].Job.PaymentID
	e.Queue.Deliver(t.Context())
	return id
}

func TestUndeliveredCallbacks(t *testing.T) {
	_, table := newTable(t)
	m := shop()
	e := tableService(t, table, m)
	id := pay(t, e, newSession(t, e))
	does := func(args ...string) (string, error) {
		var out bytes.Buffer
		err := run(t.Context(), append([]string{"callbacks", args[0], "-table", table}, args[1:]...), none, &out)
		return out.String(), err
	}
	lists := func(want string, args ...string) {
		t.Helper()
		if out, err := does(append([]string{"list"}, args...)...); err != nil || !strings.Contains(out, want) {
			t.Errorf("list %v: %v\n%s, want %q", args, err, out, want)
		}
	}
	lists("0 tries    no notification_url\n0 waiting, 1 parked\n")
	lists("0 waiting, 0 parked", "-since", time.Now().Add(time.Hour).Format(time.RFC3339))
	lists("0 waiting, 0 parked", "-url", "https://shop.example/callback")
	if _, err := does("send", id, "1"); err == nil || !strings.Contains(err.Error(), "no notification_url") {
		t.Errorf("without an address: %v", err)
	}
	m.TestNotificationURL = "https://shop.example/callback?key=secret"
	if err := e.Merchants.Save(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	lists("shop.example/callback\n0 waiting, 1 parked\n", "-url", m.TestNotificationURL, "-since", "2020-01-01T00:00:00Z")
	if out, err := does("send", id, "1"); err != nil || !strings.HasPrefix(out, "1 callbacks are due;") {
		t.Errorf("send one: %v %s", err, out)
	}
	lists("waiting, next try ")
	lists("1 waiting, 0 parked\n")
	if out, err := does("send", "-since", "2020-01-01T00:00:00Z"); err != nil || !strings.HasPrefix(out, "0 callbacks") {
		t.Errorf("send all: %v %s", err, out)
	}
	due, err := e.Core.Store.Due(t.Context(), time.Now(), dueCallback(t, id))
	if err != nil || len(due) != 1 {
		t.Errorf("due: %v %v", due, err)
	}
}

// dueCallback is the listing in which the first callback of a payment is due.
func dueCallback(t *testing.T, id string) store.DueQuery {
	t.Helper()
	digits := strings.ReplaceAll(id, "-", "")
	key := store.Key{Partition: "order/" + digits[:12] + digits[13:16], Sort: "callback/" + digits[16:] + "/000001"}
	kind := store.DueCallback.Of(true)
	return store.DueQuery{Kind: kind, Shard: store.DueShard(kind, key), Limit: 10}
}

func TestCallbacksRefuses(t *testing.T) {
	for _, test := range []struct {
		want string
		args []string
	}{
		{"use: checkout callbacks list", []string{"list", "-table", "t", "x"}},
		{"no table", []string{"list"}},
		{"-since", []string{"list", "-table", "t", "-since", "yesterday"}},
		{"-since", []string{"send", "-table", "t", "-since", "yesterday"}},
		{"name either", []string{"send", "-table", "t"}},
		{"name either", []string{"send", "-table", "t", "-url", "https://shop.example", "p", "1"}},
		{"use: checkout callbacks send", []string{"send", "-table", "t", "p"}},
		{"is no number", []string{"send", "-table", "t", "p", "first"}},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), append([]string{"callbacks"}, test.args...), none, &out); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.args, err, test.want)
		}
	}
}
