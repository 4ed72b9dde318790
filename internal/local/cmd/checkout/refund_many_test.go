package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/api"
)

// hasPayment makes the API have a payment of a list. left is what can be refunded, or why nothing can.
func (f *fakeAPI) hasPayment(id, left, money string) {
	can := `"allowed":true,"amount":"` + left + `"`
	if strings.Contains(left, " ") {
		can = `"allowed":false,"why":"` + left + `"`
	}
	f.has["GET /payments/"+id] = `{"row":{"merchant":"pens","mode":"test","id":"` + id + `","order":"o-` + id +
		`","amount":"10.00","currency":"EUR"},"money":{` + money + `},"possible":[{"act":"refund",` + can + `}]}`
	f.has["POST /payments/"+id+"/refund"] = `{"text":"Done.","decided":true,"amount":"` + left + `"}`
}

func newList(t *testing.T) *fakeAPI {
	t.Helper()
	f := newAPI(t)
	f.has["GET /approvals"] = `{"approvals":[{"state":"waiting","do":"refund","payment_id":"asked","amount":"10.00",
		"currency":"EUR"},{"state":"rejected","do":"refund","payment_id":"a"},{"state":"waiting","do":"void",
		"payment_id":"a"}]}`
	for id, of := range map[string][2]string{
		"a": {"10.00", ""}, "b": {"10.00", ""}, "c": {"6.00", `"refunded":"4.00"`}, "none": {"Nothing is left.", ""},
		"late": {"5.00", `"returning":"5.00"`}, "asked": {"10.00", ""},
	} {
		f.hasPayment(id, of[0], of[1])
	}
	return f
}

// A list is counted before a person agrees: what is refunded in each currency, and what is left out and why. Each
// refund has a key of its own, and the file's reason and amount.
func TestRefundList(t *testing.T) {
	f := newList(t)
	file := written(t, "payment_id,amount,reason\na,1.50,own\nb,,\nc,1.00,\nnone,,\nlate,,\nasked,,\nc2,10.01,\nc3,,\n")
	f.hasPayment("c2", "10.00", "")
	f.hasPayment("c3", "6.00", `"refunded":"4.00"`)
	f.has["GET /payments/b"] = strings.Replace(f.has["GET /payments/b"], `"money"`,
		`"chain":{"state":"running"},"money"`, 1)
	f.has["POST /payments/a/refund"] = `{"text":"Done.","decided":true,"amount":"1.50"}`
	f.has["POST /payments/c3/refund"] = `{"text":"Another person.","amount":"6.00","approval":"ap-1"}`
	const counted = `8 payments: 3 to refund, 5 left out
  17.50 EUR of 3 payments
  of 2 payments all that is left is refunded
  1 belong to recurring chains that go on: checkout chains stop ends them
  left out: 1: Something was refunded before: a list that was stopped goes on with its --idempotency-key, ` +
		`and --again refunds the amount beside it. (line 4)
  left out: 1: Nothing is left. (line 5)
  left out: 1: Wait: an earlier refund or void has no outcome yet. (line 6)
  left out: 1: A refund waits for the approval of another person. (line 7)
  left out: 1: At most 10.00 EUR can be refunded, less than the list has. (line 8)
`
	line := "payments refund --reason all --file " + file
	for reply, want := range map[string]struct {
		by   typing
		code int
	}{"n\n": {typing{true, "n\n"}, exitFailed}, "nobody": {typing{}, exitMisused}} {
		if got := f.do(want.by, "%s", line); got.code != want.code || !strings.HasPrefix(got.notes, counted) ||
			len(f.posts()) != 0 {
			t.Errorf("%q: %+v", reply, got)
		}
	}
	got := f.do(typing{}, "%s --yes", line)
	key := regexp.MustCompile(`with --idempotency-key (\d{8}T\d{6}Z-[A-Z2-7]{26})\n`).FindStringSubmatch(got.notes)
	if got.code != exitDone || key == nil || strings.Count(got.out, "\n") != 8 ||
		!strings.HasSuffix(got.notes, "refunded: 2, 11.50 EUR\nwaiting: 1, 6.00 EUR\n  1: Another person.\nleft out: 5\n") {
		t.Fatalf("%+v", got)
	}
	want := []string{`a/refund {"amount":"1.50","reason":"own"}`, `b/refund {"reason":"all"}`,
		`c3/refund {"reason":"all"}`}
	for i, post := range f.posts() {
		id, _, _ := strings.Cut(want[i], "/")
		if post.line+" "+post.body != "POST /payments/"+want[i] || post.key != key[1]+"."+id {
			t.Errorf("%+v, want %s", post, want[i])
		}
	}
	f.seen = nil
	if got := f.do(typing{}, "%s --yes --again", line); !strings.Contains(got.notes, "8 payments: 4 to refund") ||
		len(f.posts()) != 4 || f.posts()[2].body != `{"amount":"1.00","reason":"all"}` {
		t.Errorf("%+v", got)
	}
}

// What is refunded is named in one way, and a key that does not count any more repeats nothing.
func TestRefundIsOfOneOrOfAList(t *testing.T) {
	f := newAPI(t)
	for line, want := range map[string]string{
		"p --merchant m": "name either", "--file f --status settled": "name either", "--live": "name either",
		"--file f --amount 1": "are of one payment", "--status settled --stop-schedule": "are of one payment",
		"--status settled --again": "--again is of a file", "--file f --idempotency-key k": "is no key of a list",
		"--file f --idempotency-key 20260101T000000Z-ABCDEFGHIJKLMNOPQRSTUVWXYZ": "older than 23 hours",
	} {
		if got := f.do(typing{}, "payments refund --yes --reason x %s", line); got.code != exitMisused ||
			!strings.Contains(got.notes, want) || len(f.seen) != 0 {
			t.Errorf("%s: %+v, want %s", line, got, want)
		}
	}
}

// What can't be meant is told with its line, all of it, before anything is refunded.
func TestRefundListIsChecked(t *testing.T) {
	f := newList(t)
	f.has["GET /payments/live"] = strings.ReplaceAll(f.has["GET /payments/a"], `"test"`, `"live"`)
	file := written(t, "payment_id,amount\na,1.000\nnix,\nb,10.00\nlive,\nc,-1.00\nlate,0.00\nasked,1e3\nnone,x\n")
	got := f.do(typing{}, "payments refund --yes --reason x --file %s", file)
	for _, want := range []string{
		"nothing was refunded:\n  line 2: \"1.000\" is no amount of EUR, such as 10.00\n",
		"  line 3: there is no payment nix that you may see\n",
		"  line 5: o-a of pens (live, payment a): the command is about test payments\n",
		"  line 6: \"-1.00\" is no", "  line 7: \"0.00\" is no", "  line 8: \"1e3\" is no", "  line 9: \"x\" is no",
	} {
		if got.code != exitMisused || !strings.Contains(got.notes, want) || strings.Contains(got.notes, "line 4") ||
			len(f.posts()) != 0 {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

// A filter chooses from all its pages. Those that are not settled are not read.
func TestRefundFilter(t *testing.T) {
	f := newList(t)
	f.handled = func(call sentCall) {
		f.has["GET /payments"] = `{"rows":[{"id":"a","state":"settled"},{"id":"x","state":"decline"}],"cursor":"next"}`
		if strings.Contains(call.query, "cursor=next") {
			f.has["GET /payments"] = `{"rows":[{"id":"c","state":"settled"},{"id":"y","state":"decline"}]}`
		}
	}
	got := f.do(typing{terminal: true, reply: "y\n"}, "payments refund --reason all --merchant pens --from 2030-01-02")
	if got.code != exitDone || len(f.posts()) != 2 ||
		!strings.HasPrefix(got.out, "refunded   10.00 EUR  a  o-a  Done.\n") ||
		f.seen[0].query != "from=2030-01-02&limit=500&merchant=pens&mode=test" ||
		!strings.Contains(got.notes, "16.00 EUR of 2 payments\n") ||
		!strings.Contains(got.notes, "left out: 2: It is decline: only settled payments can be refunded. (x, y)\n") ||
		!strings.Contains(got.notes, "Refund 2 payments (test)? [y/N]") {
		t.Errorf("%+v %+v", got, f.seen)
	}
	f.handled, f.has["GET /payments"] = nil, `{"rows":[]}`
	if got := f.do(typing{}, "payments refund --yes --reason x --status settled"); got.code != exitNotFound {
		t.Errorf("%+v", got)
	}
	f.has["GET /payments"] = `{"rows":[{"id":"x","state":"decline"}]}`
	if got := f.do(typing{}, "payments refund --yes --reason x --status decline"); got.code != exitFailed ||
		!strings.Contains(got.notes, "nothing of it can be refunded now") {
		t.Errorf("%+v", got)
	}
}

// What the service refuses is told, and the list goes on. It waits where there are too many calls. Where nobody knows
// what became of a refund it stops, and a repeat is the same calls.
func TestRefundListFails(t *testing.T) {
	const all = "payment_id\na\nb\nc\n"
	refusal := `{"error_message":"Request data is invalid.","errors":[{"error_code":1,"error_message":"amount: No."}]}`
	for name, test := range map[string]struct {
		status int
		body   string
		posts  int // of b
		rest   int // posts of c
		print  string
		notes  string
	}{
		"refused": {400, refusal, 1, 1, `"payment_id":"b","order":"o-b","merchant":"pens","result":"refused"`,
			"refused: 1, 10.00 EUR\n  1: amount: No.\ncheckout: 1 of the refunds failed\n"},
		"declined": {0, `{"decided":true,"text":"The bank says no."}`, 1, 1, `"result":"refused"`,
			"  1: The bank says no.\n"},
		"rejected": {0, `{"decided":true,"text":"Bob has rejected it.","approval":"x","amount":"1.00"}`, 1, 1,
			`"result":"refused"`, "  1: Bob has rejected it.\n"},
		"approved": {0, `{"text":"Bob has approved it.","approval":"x","reference":"r","amount":"1.00"}`, 1, 1,
			`"result":"undecided"`, "undecided: 1, 1.00 EUR\n"},
		"undecided": {0, `{"text":"No outcome yet.","amount":"10.00"}`, 1, 1, `"result":"undecided"`,
			"undecided: 1, 10.00 EUR\n"},
		"lost":        {lost, "", 3, 0, `"result":"unknown"`, "unknown: 1, 10.00 EUR\nnot tried: 1, 6.00 EUR\n"},
		"failed":      {500, "", 3, 0, `"result":"unknown"`, "\nrepeat with --idempotency-key 2"},
		"too many":    {429, "", mostTries, 0, `"result":"unknown"`, "\nrepeat with --idempotency-key 2"},
		"not allowed": {403, `{"message":"Forbidden"}`, 1, 0, `"result":"not tried"`, "not tried: 2, 16.00 EUR\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newList(t)
			f.header.Set("Retry-After", "7")
			f.has["POST /payments/b/refund"], f.fails["POST /payments/b/refund"] = test.body, test.status
			got := f.do(typing{}, "payments refund --yes --reason x --file %s", written(t, all))
			posts := map[string]int{}
			for _, post := range f.posts() {
				posts[post.line]++
			}
			fails := test.status != 0 || strings.Contains(test.notes, "refused") || strings.Contains(test.print, "refused")
			if (got.code != exitDone) != fails || posts["POST /payments/a/refund"] != 1 ||
				posts["POST /payments/b/refund"] != test.posts || posts["POST /payments/c/refund"] != test.rest ||
				!strings.Contains(got.out, test.print) || !strings.Contains(got.notes, test.notes) {
				t.Errorf("%+v, %v", got, posts)
			}
			if wait := 7 * time.Second; test.status == 429 && (len(f.paused) != mostTries-1 || f.paused[0] != wait) {
				t.Errorf("waits %v", f.paused)
			}
		})
	}
}

// killing serves the admin API, and ends the command at its nth refund: before the service has it, or after.
type killing struct {
	at     int
	before bool
	end    context.CancelFunc
	seen   int
}

func (k *killing) serve(w http.ResponseWriter, r *http.Request, admin http.Handler) {
	dies := false
	if r.Method == http.MethodPost {
		k.seen++
		dies = k.seen == k.at
	}
	if dies && k.before {
		k.end()
		return
	}
	admin.ServeHTTP(w, r)
	if dies {
		k.end()
	}
}

// Of fifty payments each is refunded once and the money is right, however often the command ends in the middle of a
// refund, before or after the service has it, and is repeated. A repeat without the key refunds nothing twice either.
func TestRefundsOfAKilledList(t *testing.T) {
	const number = 50
	e, f := openEmbedded(t), newAPI(t)
	text, want := "payment_id,amount\n", map[string]string{}
	for i := range number {
		id := pays(t, e, "test", fmt.Sprintf("pen-%d", i))
		want[id] = "10.00"
		if i%2 == 0 {
			want[id] = "4.00"
			text += id + ",4.00\n"
			continue
		}
		text += id + ",\n"
	}
	file := written(t, text)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { e.Run(ctx) })
	defer running.Wait()
	defer stop()
	k, who := &killing{}, "local/support"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// What the service has begun goes on after the caller is gone.
		k.serve(w, r.WithContext(api.WithCaller(context.WithoutCancel(r.Context()), who, "command")), e.Admin())
	}))
	defer server.Close()
	refunds, key := "payments refund --yes --reason why --file "+file, ""
	do := func(line string, at int, before bool) (string, string, error) {
		ended, end := context.WithCancel(t.Context())
		defer end()
		*k = killing{at: at, before: before, end: end}
		var out, notes bytes.Buffer
		c := &call{getenv: func(name string) string { return map[string]string{"CHECKOUT_URL": server.URL}[name] },
			config: filepath.Join(t.TempDir(), "config.json"), out: &out, notes: &notes, pause: f.pause}
		err := run(ended, c, words(line))
		return out.String(), notes.String(), err
	}
	for i, at := range []int{7, 20, 0} {
		out, notes, err := do(refunds+key, at, i == 0)
		if (err != nil) != (at > 0) {
			t.Fatalf("%d: %v %s", i, err, notes)
		}
		if again := (repeatable{}); at > 0 && !errors.As(err, &again) {
			t.Fatalf("%d: no key: %v", i, err)
		} else if at > 0 {
			key = " --idempotency-key " + again.key
		}
		if at == 0 && strings.Count(out, `"result":"refunded"`) != number {
			t.Errorf("the last one: %s %s", out, notes)
		}
	}
	if out, notes, err := do(refunds, 0, false); err == nil || strings.Count(out, `"result":"left out"`) != number {
		t.Errorf("without the key: %v, %s %s", err, out, notes)
	}
	for id, amount := range want {
		if out, _, err := do("payments show "+id, 0, false); !strings.Contains(out, `"refunded":"`+amount+`"`) {
			t.Errorf("%s: %v %s", id, err, out)
		}
	}
	if err := e.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	who = "local/admin"
	const sum = `"type":"refund","succeeded":50,"failed":0,"amount":"350.00","moved":"-350.00"`
	if out, _, err := do("totals", 0, false); !strings.Contains(out, sum) {
		t.Errorf("%v %s", err, out)
	}
}
