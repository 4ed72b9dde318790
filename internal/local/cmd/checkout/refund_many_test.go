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
	"checkout/internal/app"
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
  all that is left is refunded of 2 payments
  recurring chains that go on: 1; checkout chains stop ends one
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
		!strings.Contains(got.notes, "left out: 2: Its status is decline: only settled payments can be refunded. (x, y)\n") ||
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

// listService is the whole service with its admin API, which a command may not survive.
type listService struct {
	*app.Embedded
	t    *testing.T
	url  string
	who  string
	kill kill
	seen int // posts of the command that runs
	end  context.CancelFunc
}

// kill ends a command at one of its refunds: before the service has it, or after. 0: at none.
type kill struct {
	at     int
	before bool
}

// startList starts a service with test payments of 10.00 each, and returns their ids.
func startList(t *testing.T, payments int) (s *listService, ids []string) {
	t.Helper()
	newAPI(t) // for the credentials
	s = &listService{Embedded: openEmbedded(t), t: t}
	for i := range payments {
		ids = append(ids, pays(t, s.Embedded, "test", fmt.Sprintf("pen-%d", i)))
	}
	s.list()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	server := httptest.NewServer(s)
	s.url = server.URL
	t.Cleanup(func() {
		server.Close()
		stop()
		running.Wait()
	})
	return s, ids
}

func (s *listService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	dies := false
	if r.Method == http.MethodPost {
		s.seen++
		dies = s.seen == s.kill.at
	}
	if dies && s.kill.before {
		s.end()
		return
	}
	// What the service has begun goes on after the caller is gone.
	ctx := api.WithCaller(context.WithoutCancel(r.Context()), s.who, "command")
	s.Admin().ServeHTTP(w, r.WithContext(ctx))
	if dies {
		s.end()
	}
}

// list has all payments listed.
func (s *listService) list() {
	s.t.Helper()
	if err := s.IndexChanges(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// do types a command, and returns what it prints, its notes, and the flag of its key if it prints one.
func (s *listService) do(who, line string) (out, notes, key string, err error) {
	s.t.Helper()
	ctx, end := context.WithCancel(s.t.Context())
	defer end()
	s.who, s.seen, s.end = who, 0, end
	var printed, noted bytes.Buffer
	c := &call{getenv: func(name string) string { return map[string]string{"CHECKOUT_URL": s.url}[name] },
		config: filepath.Join(s.t.TempDir(), "config.json"), out: &printed, notes: &noted,
		pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	err = run(ctx, c, words(line))
	return printed.String(), noted.String(), regexp.MustCompile(` --idempotency-key \S+`).FindString(noted.String()), err
}

// Of fifty payments each is refunded once and the money is right, however often the command ends in the middle of a
// refund, before or after the service has it, and is repeated. A repeat without the key refunds nothing twice either.
func TestRefundsOfAKilledList(t *testing.T) {
	s, ids := startList(t, 50)
	text, want := "payment_id,amount\n", map[string]string{}
	for i, id := range ids {
		want[id] = []string{"4.00", "10.00"}[i%2]
		text += id + "," + []string{"4.00", ""}[i%2] + "\n"
	}
	refunds, key := "payments refund --yes --reason why --file "+written(t, text), ""
	for _, s.kill = range []kill{{7, true}, {20, false}, {}} {
		out, notes, printed, err := s.do("local/support", refunds+key)
		if again := (repeatable{}); errors.As(err, &again) != (s.kill.at > 0) || printed == "" ||
			key != "" && key != printed {
			t.Fatalf("%+v: %v %s", s.kill, err, notes)
		}
		if key = printed; s.kill.at == 0 && strings.Count(out, `"result":"refunded"`) != len(want) {
			t.Errorf("the last one: %s %s", out, notes)
		}
	}
	out, notes, _, err := s.do("local/support", refunds)
	if err == nil || strings.Count(out, `"result":"left out"`) != len(want) || s.seen > 0 {
		t.Errorf("without the key: %v, %s %s", err, out, notes)
	}
	for id, amount := range want {
		if out, _, _, _ := s.do("local/support", "payments show "+id); !strings.Contains(out, `"refunded":"`+amount+`"`) {
			t.Errorf("%s: %s", id, out)
		}
	}
	s.list()
	const sum = `"type":"refund","succeeded":50,"failed":0,"amount":"350.00","moved":"-350.00"`
	if out, _, _, err := s.do("local/admin", "totals"); !strings.Contains(out, sum) {
		t.Errorf("%v %s", err, out)
	}
}

// What goes beyond the limits of the person waits for another one, and a repeat does not ask for it again, with the
// key of the list or without.
func TestRefundListBeyondLimits(t *testing.T) {
	s, ids := startList(t, 3)
	text := "payment_id,amount\n"
	for _, id := range ids {
		text += id + ",4.00\n"
	}
	if _, _, _, err := s.do("local/admin", "operators limit --yes --reason why support USD 5.00 8.00"); err != nil {
		t.Fatal(err)
	}
	refunds := "payments refund --yes --reason why --file " + written(t, text)
	key := ""
	for range 2 {
		out, notes, printed, err := s.do("local/support", refunds+key)
		if key = printed; err != nil || strings.Count(out, `"result":"refunded"`) != 2 ||
			!strings.Contains(notes, "refunded: 2, 8.00 USD\nwaiting: 1, 4.00 USD\n  1: ") {
			t.Errorf("%s %s, %v", out, notes, err)
		}
	}
	_, notes, _, _ := s.do("local/support", refunds+" --again")
	const left = "left out: 1: A refund waits for the approval of another person. (line 4)"
	if s.seen != 2 || !strings.Contains(notes, left) {
		t.Errorf("without the key: %s", notes)
	}
	out, _, _, err := s.do("local/admin", "approvals list")
	if n := strings.Count(out, `"state":"waiting"`); n != 3 || err != nil { // two of them by --again
		t.Errorf("%d approvals: %s, %v", n, out, err)
	}
}

// An export is refunded as it is: all that is left of each payment, once.
func TestRefundOfAnExport(t *testing.T) {
	s, ids := startList(t, 3)
	if _, _, _, err := s.do("local/support", "payments refund --yes --reason why --amount 4.00 "+ids[0]); err != nil {
		t.Fatal(err)
	}
	s.list()
	for _, format := range []string{"csv", "jsonl"} {
		export, _, _, err := s.do("local/admin", "export --format "+format)
		if err != nil {
			t.Fatal(err)
		}
		file := written(t, export)
		_, notes, _, _ := s.do("local/support", "payments refund --reason why --file "+file)
		if want := "3 payments: 3 to refund, 0 left out\n  26.00 USD of 3 payments\n" +
			"  the file is an export of transactions: its amounts are left alone\n"; !strings.HasPrefix(notes, want) {
			t.Errorf("%s: %s", format, notes)
		}
		if format == "csv" {
			continue
		}
		_, notes, _, err = s.do("local/support", "payments refund --yes --reason why --file "+file)
		if err != nil || !strings.HasSuffix(notes, "\nrefunded: 3, 26.00 USD\n") {
			t.Errorf("%s: %s, %v", format, notes, err)
		}
	}
}
