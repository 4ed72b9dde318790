package callback

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/signature"
	"checkout/internal/store/storetest"
)

// of is a callback of another merchant, with the address of its session.
func of(merchant, url string) Callback {
	return Callback{Owner: fault.Owner{Merchant: merchant}, URL: url}
}

func (w *shop) deliver(id string, seq int) {
	w.t.Helper()
	if err := w.Deliver(w.t.Context(), Message{PaymentID: id, Seq: seq}); err != nil {
		w.t.Error(err)
	}
}

// Only a 2xx response is a delivery, after which the payment's next callback is sent. Anything else is repeated.
func TestResponses(t *testing.T) {
	const delivered, repeated = "delivered, delivered", "waiting 1m0s (callback 2m0s), waiting 0s (callback 1m0s)"
	for _, test := range []struct {
		server server
		want   string
		try    string // without its time
	}{
		{server{status: 200}, delivered, "200"}, {server{status: 204}, delivered, "204"},
		{server{status: 299, body: "not read"}, delivered, "299"},
		{server{status: 199, body: "wait"}, repeated, "199 wait"},
		{server{status: 302}, repeated, "302"}, {server{status: 300}, repeated, "300"},
		{server{status: 404, body: " no\nroute "}, repeated, "404 no route"}, {server{status: 410}, repeated, "410"},
		{server{status: 500, body: "of ann@pens.example"}, repeated, "500 of ******"},
		{server{err: ErrTimeout}, repeated, "0 no answer in time"}, {server{err: ErrAddress}, repeated, "0 " +
			ErrAddress.Error()},
		{server{err: errors.New("refused\n")}, repeated, "0 refused"},
		{server{status: 200, err: errors.New("broken")}, repeated, "200 broken"},
	} {
		w := newShop(t)
		w.server = test.server
		w.server.shop = w
		id := w.add(1, Callback{Fields: Fields{{Name: "customer_email", Value: "ann@pens.example"}}}, Callback{})
		w.deliver(id, 1)
		all, got := w.all(id)
		wantQueue := map[string]string{delivered: "[]", repeated: "[1 1m0s]"}[test.want]
		if got != test.want || fmt.Sprint(w.queued) != wantQueue {
			t.Errorf("%d, %v: %s, messages %q", test.server.status, test.server.err, got, w.queued)
		}
		try := all[0].Tries[0]
		if text := strings.TrimSpace(fmt.Sprint(try.Status, " ", try.Error+try.Response)); text != test.try ||
			len(all[0].Tries) != 1 || !try.At.Equal(began) {
			t.Errorf("%d, %v: the try is %q, %+v", test.server.status, test.server.err, text, all[0].Tries)
		}
	}
}

// A callback is sent nine times in all. Repeats within 15 minutes have a message and are due a minute later, in case it
// is lost; the sweep sends the others. A parked callback lets the next one pass, and has a new schedule if it is sent
// again.
func TestSchedule(t *testing.T) {
	schedule := []string{
		"waiting 1m0s (callback 2m0s) [1 1m0s]", "waiting 5m0s (callback 6m0s) [1 5m0s]",
		"waiting 15m0s (callback 16m0s) [1 15m0s]", "waiting 1h0m0s (callback 1h0m0s) []",
		"waiting 3h0m0s (callback 3h0m0s) []", "waiting 6h0m0s (callback 6h0m0s) []",
		"waiting 12h0m0s (callback 12h0m0s) []", "waiting 24h0m0s (callback 24h0m0s) []",
	}
	w := newShop(t)
	id := w.add(1, Callback{}, Callback{})
	for round := range 2 {
		for n, want := range schedule {
			w.queued, w.server.status = nil, 503
			w.deliver(id, 1)
			all, states := w.all(id)
			if got := strings.Split(states, ",")[0] + fmt.Sprintf(" %s", w.queued); got != want {
				t.Fatalf("schedule %d, try %d: %s", round, n+1, got)
			}
			w.now = all[0].NextAt
		}
		w.queued = nil
		w.server.during = func() { w.server.during = func() { w.server.status = 200 } } // the second arrives
		w.deliver(id, 1)
		all, got := w.all(id)
		tried := (round + 1) * (len(schedule) + 1)
		if got != "parked (parked 0s), delivered" || len(all[0].Tries) != tried || len(w.queued) > 0 {
			t.Fatalf("schedule %d: %s after %d tries, messages %s", round, got, len(all[0].Tries), w.queued)
		}
		if strings.Count(w.log.String(), "parked_callbacks=1") != round+1 ||
			strings.Count(w.log.String(), "callback_tries=1") != tried+1 {
			t.Errorf("schedule %d: the log has other tries and parked callbacks:\n%s", round, w.log.String())
		}
		w.now = w.now.Add(24 * time.Hour)
		if w.deliver(id, 1); len(w.server.posted) != tried+1 {
			t.Errorf("schedule %d: a parked callback was sent", round)
		}
		if err := w.SendAgain(t.Context(), id, 1); err != nil {
			t.Fatal(err)
		}
	}
	w.server.status = 200
	w.deliver(id, 1)
	first, last := w.server.posted[0].Header["webhook-id"], w.server.posted[len(w.server.posted)-1].Header["webhook-id"]
	if _, got := w.all(id); got != "delivered, delivered" || first != WebhookID(id, 1) || last != first {
		t.Errorf("sent again: %s as %s, before as %s", got, last, first)
	}
}

// The callbacks of a payment are sent in their order, and none before an earlier one that is neither delivered nor
// parked.
func TestOrderOfCallbacks(t *testing.T) {
	at := func(d time.Duration) time.Time { return began.Add(d) }
	withheld := func(session string) Callback { return Callback{SessionID: session, NextAt: at(time.Hour)} }
	now, later := Callback{}, Callback{NextAt: at(time.Hour)}
	const due, waits = "waiting 0s (callback 1m0s)", "waiting 1h0m0s (callback 1h0m0s)"
	for name, test := range map[string]struct {
		callbacks          []Callback
		message            int
		posted, want, sent string
	}{
		"all are due": {[]Callback{now, now, now}, 1, "[1 2 3]", "delivered, delivered, delivered", "[]"},
		"the later one is not due, its predecessor was delivered": {[]Callback{now, later}, 1, "[1 2]",
			"delivered, delivered", "[]"},
		"the first is about to be sent": {[]Callback{now, now}, 2, "[]", due + ", " + due, "[2 3s]"},
		"the first is being sent": {[]Callback{{NextAt: at(leaseTTL)}, now}, 2, "[]",
			"waiting 15s (callback 1m0s), " + due, "[2 3s]"},
		"the first waits for its repeat": {[]Callback{later, now}, 2, "[]",
			"waiting 1h0m0s (callback 1m0s), waiting 1h0m0s (callback 1h1m0s)", "[]"},
		"the message comes early": {[]Callback{{NextAt: at(clocksDiffer + 1)}}, 1, "[]",
			"waiting 5.000000001s (callback 1m0s)", "[]"},
		"by another clock it comes in time": {[]Callback{{NextAt: at(clocksDiffer)}}, 1, "[1]", "delivered", "[]"},
		"the first was delivered":           {[]Callback{{State: Delivered}, now}, 2, "[2]", "delivered, delivered", "[]"},
		"the first is parked": {[]Callback{{State: Parked}, now}, 2, "[2]",
			"parked (parked 0s), delivered", "[]"},
		"its message comes twice": {[]Callback{{State: Delivered}, now}, 1, "[]", "delivered, " + due, "[]"},
		"the session is open":     {[]Callback{withheld("open"), now}, 2, "[]", waits + ", " + due, "[]"},
		"the session's end waits for a payment": {[]Callback{{SessionID: "open"}, now}, 1, "[]",
			"waiting 0s (callback 0s), " + due, "[]"},
		"the session is over":        {[]Callback{withheld("over"), now}, 2, "[1 2]", "delivered, delivered", "[]"},
		"the payer tried again":      {[]Callback{withheld("again"), now}, 2, "[2]", waits + ", delivered", "[]"},
		"the session is not found":   {[]Callback{withheld("fails"), now}, 2, "[] fails", waits + ", " + due, "[]"},
		"there is nothing to notify": {[]Callback{of("bare", ""), now}, 1, "[2]", "parked (parked 0s), delivered", "[]"},
		"the merchant is gone":       {[]Callback{of("gone", "")}, 1, "[]", "parked (parked 0s)", "[]"},
		"the merchant is gone, but the session named an address": {[]Callback{of("gone", hook)}, 1, "[]",
			"parked (parked 0s)", "[]"},
	} {
		w := newShop(t)
		w.Release = func(_ context.Context, now time.Time, c *Callback) (bool, error) {
			switch c.SessionID {
			case "open":
				return false, nil
			case "over":
				c.SessionID, c.NextAt = "", now
			case "again":
				c.State = Dropped
				return false, nil
			case "fails":
				return false, errors.New("fails")
			}
			return true, nil
		}
		id := w.add(1, test.callbacks...)
		err := w.Deliver(t.Context(), Message{PaymentID: id, Seq: test.message})
		posted := fmt.Sprint(w.server.numbers)
		if err != nil {
			posted += " " + err.Error()
		}
		if _, got := w.all(id); posted != test.posted || got != test.want || fmt.Sprint(w.queued) != test.sent {
			t.Errorf("%s: posted %s, %s, messages %s", name, posted, got, w.queued)
		}
	}
	w := newShop(t)
	id := w.add(1, now, now)
	all, _ := w.all(id)
	unreadable := all[0].Record(began)
	unreadable.Doc = []byte("{")
	w.save(unreadable)
	for _, id := range []string{id, "1"} {
		if err := w.Deliver(t.Context(), Message{PaymentID: id, Seq: 2}); err == nil || len(w.server.posted) > 0 {
			t.Errorf("payment %s can't be read: %d posted, %v", id, len(w.server.posted), err)
		}
	}
}

// Of two runs at one moment only one sends a callback, but for a payment's first one, which has no lease until an
// operator sends it again. A run that dies leaves the callback due.
func TestLease(t *testing.T) {
	done := Callback{State: Delivered}
	second := func(due time.Duration) []Callback { return []Callback{done, {dueAt: began.Add(due)}} }
	for name, test := range map[string]struct {
		callbacks   []Callback
		when        string // the other run comes
		posted      int
		want, error string
	}{
		"while the second is posted":        {second(time.Hour), "posted", 1, "delivered", ""},
		"before the second has its lease":   {second(time.Hour), "save 1", 1, "delivered", ""},
		"while the first is posted":         {[]Callback{{}}, "posted", 2, "delivered", "conflict"},
		"while the first is sent again":     {[]Callback{{SentAgainAt: began}}, "posted", 1, "delivered", ""},
		"the run dies, due after the lease": {second(time.Hour), "dies", 1, "waiting 15s (callback 1h0m0s)", "fails"},
		"the run dies, due with the lease":  {second(leaseTTL), "dies", 1, "waiting 15s (callback 15s)", "fails"},
		"the run dies, due before":          {second(leaseTTL - 1), "dies", 1, "waiting 15s (callback 1m15s)", "fails"},
		"another run has the lease": {[]Callback{done, {}, {}}, "leased", 0, "waiting 15s (callback 15s), " +
			"waiting 0s (callback 1m0s)", ""},
		"the lease can't be stored": {second(time.Hour), "fails", 0, "waiting 0s (callback 1h0m0s)", "fails"},
	} {
		w := newShop(t)
		id, saves := w.add(1, test.callbacks...), 0
		w.know(breaker{FastUntil: began.Add(time.Hour)})
		message := Message{PaymentID: id, Seq: min(2, len(test.callbacks))}
		run := func() {
			w.script.Before = nil
			other := w.process()
			if err := other.Deliver(t.Context(), message); err != nil {
				t.Errorf("%s: the other run: %v", name, err)
			}
		}
		if test.when == "posted" {
			w.server.during = run
		}
		w.script.Before = func(request string) error {
			if request != "save callback" {
				return nil
			}
			switch saves++; {
			case test.when == fmt.Sprint("save ", saves):
				run()
			case test.when == "leased":
				all, _ := w.all(id)
				all[1].NextAt = began.Add(leaseTTL)
				w.save(all[1].Record(all[1].NextAt))
			case test.when == "fails", test.when == "dies" && saves == 2:
				return storetest.ErrFails
			}
			return nil
		}
		err := w.Deliver(t.Context(), message)
		all, states := w.all(id)
		if got := strings.TrimPrefix(states, "delivered, "); len(w.server.posted) != test.posted || got != test.want ||
			(err == nil) != (test.error == "") || err != nil && !strings.Contains(err.Error(), test.error) {
			t.Errorf("%s: posted %s, %s, %v", name, w.server.numbers, states, err)
		}
		if last := all[len(all)-1]; last.State == Delivered && len(last.Tries) != 1 {
			t.Errorf("%s: %+v", name, last.Tries)
		}
	}
}

// A callback goes to the address of the session or of the key, signed for that moment, as the merchant wants it.
func TestPosted(t *testing.T) {
	fields := Fields{
		{Name: "order_number", Value: "7"}, {Name: "order_amount", Value: "3.00"}, {Name: "order_currency", Value: "EUR"},
		{Name: "order_description", Value: "Pens"}, {Name: "date", Value: "today"}, {Name: "custom_data[a]", Value: "1"},
	}
	json := func(m *settings.Merchant) { yes := true; m.CallbackJSON = &yes }
	const form, asJSON = "application/x-www-form-urlencoded", "application/json"
	for name, test := range map[string]struct {
		Callback
		change            func(m *settings.Merchant)
		url, format, body string
		cause             string
	}{
		"a form": {Callback{Fields: fields, Cause: "own"}, func(m *settings.Merchant) { no := false; m.CallbackJSON = &no },
			hook, form, "id=ID&order_number=7&order_amount=3.00&order_currency=EUR&order_description=Pens&date=today" +
				"&hash=HASH&custom_data%5Ba%5D=1", "own"},
		"JSON": {Callback{Fields: fields[4:]}, json, hook, asJSON,
			`{"id":"ID","date":"today","hash":"HASH","custom_data":{"a":"1"}}`, "message"},
		"with the test key": {Callback{Owner: fault.Owner{Test: true}}, json, hook + "/test", asJSON,
			`{"hash":"HASH","id":"ID"}`, "message"},
		"of a session with an address": {Callback{URL: hook + "/own"}, json, hook + "/own", asJSON,
			`{"hash":"HASH","id":"ID"}`, "message"},
	} {
		w := newShop(t, test.change)
		id := w.add(1, test.Callback)
		if err := w.Deliver(t.Context(), Message{PaymentID: id, Seq: 1, Cause: "message"}); err != nil {
			t.Fatal(err)
		}
		value := func(name string) string {
			i := slices.IndexFunc(test.Fields, func(f request.Field) bool { return f.Name == name })
			if i < 0 {
				return ""
			}
			return test.Fields[i].Value
		}
		hash := signature.Key{Password: "password"}.Sign(id, value("order_number"), value("order_amount"),
			value("order_currency"), value("order_description"))
		want := strings.NewReplacer("ID", id, "HASH", hash).Replace(test.body)
		out := w.server.posted[0]
		if out.URL != test.url || out.ContentType != test.format || string(out.Body) != want ||
			w.server.causes[0] != test.cause {
			t.Errorf("%s: %s to %s because of %s:\n%s\nwant\n%s", name, out.ContentType, out.URL, w.server.causes, out.Body,
				want)
		}
		signed, err := signature.Webhook(secret, WebhookID(id, 1), w.now, out.Body)
		if err != nil || out.Header["webhook-signature"] != signed ||
			out.Header["webhook-timestamp"] != fmt.Sprint(w.now.Unix()) || out.Header["webhook-id"] != WebhookID(id, 1) {
			t.Errorf("%s: %v", name, out.Header)
		}
	}
	w := newShop(t, func(m *settings.Merchant) { m.CallbackSecret = "" })
	id := w.add(1, Callback{})
	w.deliver(id, 1)
	if all, got := w.all(id); len(w.server.posted) > 0 || got != "waiting 1m0s (callback 2m0s)" ||
		!strings.HasPrefix(all[0].Tries[0].Error, "sign callback: ") {
		t.Errorf("without a secret: %d posted, %s, %+v", len(w.server.posted), got, all[0].Tries)
	}
	id = w.add(2, of("bare", ""))
	w.deliver(id, 1)
	if all, _ := w.all(id); all[0].Tries[0] != (Try{At: began, Error: "the merchant has no notification_url"}) ||
		!strings.Contains(w.log.String(), "parked_callbacks=1") {
		t.Errorf("without an address: %+v\n%s", all[0].Tries, w.log.String())
	}
}

// A try has the time from its request to its end. The result is stored although the run has to end.
func TestTry(t *testing.T) {
	w := newShop(t)
	id := w.add(1, Callback{})
	ctx, end := context.WithCancel(t.Context())
	w.server.takes, w.server.during = 1500*time.Millisecond, end
	err := w.Deliver(ctx, Message{PaymentID: id, Seq: 1})
	all, got := w.all(id)
	if err != nil || got != "delivered" || all[0].Tries[0].Millis != 1500 ||
		!all[0].Tries[0].At.Equal(began.Add(1500*time.Millisecond)) {
		t.Errorf("%s, %+v, %v", got, all[0].Tries, err)
	}
}

// A message that can't be sent is left to the sweep. One of what is delivered or withheld is not sent.
func TestSend(t *testing.T) {
	for name, test := range map[string]struct {
		c    *Callback
		want string
	}{
		"waiting": {&Callback{Seq: 1, State: Waiting}, "[1 1s]"}, "none": {nil, "[]"},
		"delivered": {&Callback{Seq: 1, State: Delivered}, "[]"}, "parked": {&Callback{Seq: 1, State: Parked}, "[]"},
		"withheld": {&Callback{Seq: 1, State: Waiting, SessionID: "s"}, "[]"},
		"test":     {&Callback{Seq: 1, State: Waiting, Owner: fault.Owner{Test: true}}, "[1 test 1s]"},
	} {
		w := newShop(t)
		w.full = errors.New("full")
		test.c.Send(t.Context(), w.Log, w.Queue, time.Second)
		if got := fmt.Sprint(w.queued); got != test.want ||
			strings.Contains(w.log.String(), "left to sweep") != (test.want != "[]") {
			t.Errorf("%s: %s, %s", name, got, w.log.String())
		}
	}
	w := newShop(t)
	if (&Callback{State: Waiting}).Send(t.Context(), w.Log, w.Queue, 0); w.log.Len() > 0 {
		t.Errorf("sent, and logged %s", w.log.String())
	}
}

// Whatever request to the store fails, the message comes again, unless it only tells how fast the address is.
func TestStoreFailsWhileDelivering(t *testing.T) {
	deliver := func(status int) {
		storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
			w := newShop(t)
			w.server.status, w.server.takes = status, time.Second
			id := w.add(1, Callback{State: Delivered}, Callback{}, of("bare", ""))
			return w.script, func() error { return w.Deliver(t.Context(), Message{PaymentID: id, Seq: 2}) }
		}, "7 get callback-circuit", "8 save callback-circuit")
	}
	deliver(200)
	deliver(500)
	storetest.EachFails(t, func() (*storetest.Scripted, func() error) { // the second waits until the first is repeated
		w := newShop(t)
		id := w.add(1, Callback{NextAt: began.Add(time.Hour)}, Callback{})
		return w.script, func() error { return w.Deliver(t.Context(), Message{PaymentID: id, Seq: 2}) }
	})
	w := newShop(t)
	id := w.add(1, Callback{NextAt: began.Add(time.Hour)}, Callback{})
	w.script.Before = func(request string) error {
		if request == "save callback" { // another message of the second has been faster
			w.add(1, Callback{NextAt: began.Add(time.Hour)}, Callback{})
		}
		return nil
	}
	w.deliver(id, 2)
}
