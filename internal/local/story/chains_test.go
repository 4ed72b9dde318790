package story

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"checkout/internal/checkout/payment"
	"checkout/internal/operator/chains"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// supports gives Sue the role support for all merchants.
func (w *World) supports() {
	w.grants(grant.Grant{Who: "sue", Role: grant.Support, Mode: grant.Both, Merchants: []string{grant.AllMerchants}})
}

// sue makes an act as Sue, with a new key, and returns the status and the text or the fault of the response.
func (w *World) sue(path string, members ...string) string {
	w.t.Helper()
	return w.sueSends(store.NewUUID(w.app.Core.Random(16)), path, because(members...))
}

func (w *World) sueSends(key, path string, body map[string]any) string {
	w.t.Helper()
	out := w.admin(apiCall{who: "sue", method: "POST", path: "/admin/v1" + path, body: body, key: key})
	var said struct {
		Text    string `json:"text"`
		Message string `json:"error_message"`
		Errors  []struct {
			Message string `json:"error_message"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(out.Body.Bytes(), &said); err != nil {
		w.t.Fatalf("%s: %d %s", path, out.Code, out.Body)
	}
	text := said.Text + said.Message
	if len(said.Errors) > 0 {
		text = said.Errors[0].Message
	}
	return fmt.Sprint(out.Code, " ", text)
}

// sees reads what Sue sees under a path.
func (w *World) sees(path string, into any) {
	w.t.Helper()
	out := w.admin(apiCall{who: "sue", method: "GET", path: "/admin/v1" + path})
	if err := json.Unmarshal(out.Body.Bytes(), into); err != nil || out.Code != http.StatusOK {
		w.t.Fatalf("%s: %d %s", path, out.Code, out.Body)
	}
}

// stops has the shop stop a chain's schedule.
func (c chain) stops() string {
	c.shop.w.t.Helper()
	return inWords(c.shop.w.post("/api/v1/payment/recurring/stop", c.stopBody()))
}

func (c chain) stopBody() map[string]any {
	return map[string]any{
		"merchant_key": c.shop.key(), "recurring_init_trans_id": c.initial, "recurring_token": c.token,
		"hash": c.shop.Hash(c.initial, c.token),
	}
}

// chargedOrders are the order numbers of scheduled charges with what became of them.
func (s *Shop) chargedOrders() (all []string) {
	for _, c := range s.charged() {
		all = append(all, c[11:])
	}
	return all
}

// The life of a schedule: it is stopped, resumed, moved and lowered. What Sue is told is true of what is charged.
func TestChainActs(t *testing.T) {
	w := open(t, daily(nil))
	w.supports()
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	path := "/chains/" + c.initial
	w.pass(25 * time.Hour)
	day := func(days int) string { return w.clock.Now().AddDate(0, 0, days).Format(time.DateOnly) }
	expect := func(got, want string) {
		t.Helper()
		if !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	expect(w.sue(path+"/resume"), "The schedule is not stopped.")
	expect(w.sue(path+"/stop"), "200 The schedule is stopped. It charges nothing more.")
	expect(w.sue(path+"/stop"), "200 Nothing was due")
	expect(w.sue(path+"/move", "day", day(3)), "The schedule is stopped: resume it first.")
	w.pass(72 * time.Hour)
	if got := w.shop.chargedOrders(); !slices.Equal(got, []string{"pen-1-1 10.00 settled"}) {
		t.Fatalf("while it is stopped: %q", got)
	}
	expect(w.sue(path+"/resume"), "200 The schedule goes on. The next charge of 10.00 USD is due on "+day(1))
	for _, wrong := range []struct{ act, name, value, want string }{
		{"move", "day", day(0), "It should be a day in the future."},
		{"move", "day", "soon", "It should be a day such as"},
		{"move", "day", day(400), "It should be a day of the next 366 days."},
		{"lower", "amount", "10.00", "It should be less than 10.00 USD: the payer has agreed to that"},
		{"lower", "amount", "11", "It should be less than 10.00 USD"},
		{"lower", "amount", "0", "greater than 0"},
		{"lower", "amount", "1.005", "USD has 2 decimals"},
	} {
		expect(w.sue(path+"/"+wrong.act, wrong.name, wrong.value), wrong.want)
	}
	expect(w.sue(path+"/lower", "amount", "8.50"), "200 Each charge is lowered. The next charge of 8.50 USD is due on")
	expect(w.sue(path+"/move", "day", day(3)), "200 The next charge is moved")
	expect(w.sue(path+"/lower", "amount", "9.00"), "It should be less than 8.50 USD")
	w.pass(5 * 24 * time.Hour)
	want := []string{"pen-1-1 10.00 settled", "pen-1-2 8.50 settled", "pen-1-3 8.50 settled"}
	if got := w.shop.chargedOrders(); !slices.Equal(got, want) {
		t.Errorf("charged %q, want %q", got, want)
	}
	w.ledgerIs("1 x 10.00 USD approved", "1 x 10.00 USD approved", "1 x 8.50 USD approved", "1 x 8.50 USD approved")
	if err := w.app.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	var v chains.Chain
	w.sees(path, &v)
	if v.State != chains.Running || v.Amount != "8.50" || len(v.Charges) != 4 || len(v.Events) != 5 || len(v.Next) != 3 {
		t.Errorf("view %+v", v)
	}
	if got := fmt.Sprint(v.Terms); !strings.Contains(got, "411111******1111, expires 01/2038") ||
		!strings.Contains(got, "8.50 USD, every day") {
		t.Errorf("terms %s", got)
	}
	var list chains.ChainList
	w.sees("/chains?mode=test", &list)
	if len(list.Chains) != 1 || list.Chains[0].ID != c.initial || list.Cursor != "" {
		t.Errorf("list %+v", list)
	}
	var audited []string
	for _, line := range w.acted() {
		if strings.Contains(line, "chain/"+c.initial) {
			audited = append(audited, line)
		}
	}
	const lowered = "each charge is lowered from 10.00 USD to 8.50 USD"
	if len(audited) != 4 || !strings.Contains(strings.Join(audited, ""), lowered) {
		t.Errorf("audit log %q", audited)
	}
}

// A stop by the shop is signed, a success also for a schedule that is stopped, and nothing is charged after it. Another
// merchant's chain does not exist.
func TestShopStops(t *testing.T) {
	w := open(t, daily(nil))
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	badHash := c.stopBody()
	badHash["hash"] = w.shop.Hash(c.initial)
	blank := c.stopBody()
	blank["recurring_token"] = ""
	for _, test := range []struct{ name, got, want string }{
		{"hash", inWords(w.post("/api/v1/payment/recurring/stop", badHash)), "401 100000 hash: Hash is not valid."},
		{
			"blank", inWords(w.post("/api/v1/payment/recurring/stop", blank)),
			"400 100000 recurring_token: This value should not be blank.",
		},
		{"another token", chain{c.shop, c.initial, "x"}.stops(), "404 208001 Payment not found"},
		{"unknown chain", chain{c.shop, "x", c.token}.stops(), "404 208001 Payment not found"},
		{"stop", c.stops(), "200 stopped"}, {"again", c.stops(), "200 already_stopped"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
	_, response := w.post("/api/v1/payment/recurring/stop", c.stopBody())
	if response["result"] != "already_stopped" || response["recurring_init_trans_id"] != c.initial {
		t.Errorf("response %v", response)
	}
	w.pass(72 * time.Hour)
	w.ledgerIs("1 x 10.00 USD approved")
	if got := inWords(c.charge("pen-2", "5.00")); got != "200 settled" {
		t.Errorf("a charge that the shop requests: %s", got)
	}
}

// A payment that the shop requested before a stop does not start the schedule after it; one that it requests later
// does.
func TestStopAgainstStart(t *testing.T) {
	w := open(t, daily(nil))
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	starts := func(number string) {
		body := w.shop.RecurringBody(c.initial, c.token, number, "7.00")
		body["schedule_id"] = "monthly"
		if code, response := w.post("/api/v1/payment/recurring", body); code != http.StatusOK {
			t.Fatal(code, response)
		}
	}
	pause := w.app.Core.Pause
	w.Pauses(func(context.Context, time.Duration) error { return context.Canceled })
	starts("pen-2") // not decided yet
	if got := c.stops(); got != "200 stopped" {
		t.Fatal(got)
	}
	w.Pauses(pause)
	w.pass(72 * time.Hour)
	if got := w.shop.chargedOrders(); !slices.Equal(got, []string{"pen-2 7.00 settled"}) {
		t.Fatalf("charged %q", got)
	}
	starts("pen-3")
	w.pass(25 * time.Hour)
	if got := w.shop.chargedOrders(); !slices.Equal(got[1:], []string{"pen-3 7.00 settled", "pen-1-1 7.00 settled"}) {
		t.Errorf("charged %q", got)
	}
}

// Stops of both sides at the moment when a charge is due, with several runs of its message: the date is charged once or
// not at all, and none after it.
func TestStopAgainstDueCharge(t *testing.T) {
	charged := 0
	for i := range 12 {
		w := open(t, daily(nil))
		w.supports()
		c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
		w.skip(24*time.Hour + time.Minute)
		due := payment.JobMessage{PaymentID: c.initial, Chain: true, Test: true, Merchant: w.shop.merchant.ID}
		w.atOnce(6, func(n int) {
			switch {
			case n == i%6:
				if got := c.stops(); !strings.HasSuffix(got, "stopped") {
					t.Errorf("the shop's stop: %s", got)
				}
			case n == (i+1)%6:
				if got := w.sueSends(fmt.Sprint(n), "/chains/"+c.initial+"/stop", because()); !strings.HasPrefix(got, "200 ") {
					t.Errorf("the operator's stop: %s", got)
				}
			default:
				if err := w.app.Runner.RunJob(context.Background(), due); err != nil {
					t.Error(err)
				}
			}
		})
		w.pass(96 * time.Hour)
		if n := len(w.ledger()); n != 1 && n != 2 {
			t.Errorf("%d charges", n)
		} else {
			charged += n - 1
		}
		w.CheckOrders()
	}
	t.Logf("%d of 12 dates were charged before the stop", charged)
}

// A declined scheduled charge is charged again by several people, the shop's retry and a run of the schedule's message
// at once: once. After that nobody can.
func TestRetryNow(t *testing.T) {
	for range 6 {
		w := open(t, daily(nil))
		w.supports()
		c := w.shop.begins("pen-1", "02/41", with("schedule_id", "monthly")) // its first later payment is softly declined
		w.pass(24*time.Hour + 2*time.Minute)
		if got := w.shop.chargedOrders(); !slices.Equal(got, []string{"pen-1-1 10.00 decline"}) {
			t.Fatalf("charged %q", got)
		}
		declined := w.shop.last("recurring").Fields.Get("id")
		var v query.View
		w.sees("/payments/"+declined, &v)
		can := slices.ContainsFunc(v.Possible, func(p query.Possible) bool { return p.Act == "retry" && p.Allowed })
		if !can || v.Chain == nil || v.Chain.ID != c.initial || v.Summary.Turn != "service" ||
			v.Summary.Next != "The schedule charges 10.00 USD again." {
			t.Errorf("view %+v", v)
		}
		var made atomic.Int32
		w.atOnce(8, func(i int) {
			switch {
			case i < 5:
				if strings.HasPrefix(w.sueSends(fmt.Sprint("retry ", i), "/payments/"+declined+"/retry", because()), "200 ") {
					made.Add(1)
				}
			case i == 5:
				if w.shop.retries(declined) == "200 accepted" {
					made.Add(1)
				}
			default:
				due := payment.JobMessage{PaymentID: c.initial, Chain: true, Test: true, Merchant: w.shop.merchant.ID}
				_ = w.app.Runner.RunJob(context.Background(), due)
			}
		})
		w.work()
		if made.Load() != 1 {
			t.Errorf("%d retries", made.Load())
		}
		w.ledgerIs("1 x 10.00 USD approved", "1 x 10.00 USD declined", "1 x 10.00 USD approved")
		if got := w.sue("/payments/" + declined + "/retry"); !strings.Contains(got, "It was charged again: see payment ") {
			t.Errorf("again: %s", got)
		}
		w.pass(24 * time.Hour)
		if got := w.shop.chargedOrders(); got[len(got)-1] != "pen-1-2 10.00 settled" || len(got) != 3 {
			t.Errorf("the day after: %q", got)
		}
	}
}

// A function dies before or after any write of a retry, and the call is repeated with its key: one charge is made.
func TestRetryNowDies(t *testing.T) {
	for n := range 8 {
		w := open(t, daily(nil))
		w.supports()
		w.shop.begins("pen-1", "02/41", with("schedule_id", "monthly"))
		w.pass(24*time.Hour + 2*time.Minute)
		path := "/payments/" + w.shop.last("recurring").Fields.Get("id") + "/retry"
		func() {
			defer func() { _ = recover() }()
			w.store.next(append(slices.Repeat([]string{"ok"}, n/2), []string{"dies before", "dies after"}[n%2])...)
			w.sueSends("one", path, because())
		}()
		w.store.next()
		w.pass(5 * time.Minute)
		if got := w.sueSends("one", path, because()); !strings.HasPrefix(got, "200 10.00 USD was charged.") {
			t.Errorf("fault %d: %s", n, got)
		}
		w.pass(5 * time.Minute)
		w.ledgerIs("1 x 10.00 USD approved", "1 x 10.00 USD declined", "1 x 10.00 USD approved")
		w.CheckOrders()
	}
}

// Why a payment is not charged again, in sentences. Nothing is charged.
func TestRetryNowRefused(t *testing.T) {
	w := open(t, daily(nil))
	w.supports()
	c := w.shop.begins("pen-1", "02/41", with("schedule_id", "monthly"))
	w.pass(24*time.Hour + 2*time.Minute)
	declined := w.shop.last("recurring").Fields.Get("id")
	refused := func(id, want string) {
		t.Helper()
		if got := w.sue("/payments/" + id + "/retry"); !strings.HasSuffix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	refused(c.initial, "The payer made this payment: only later payments of a recurring chain are charged again.")
	w.sue("/chains/" + c.initial + "/stop")
	refused(declined, "The schedule is stopped: resume it first.")
	w.sue("/chains/" + c.initial + "/resume")
	w.skip(24 * time.Hour)
	refused(declined, "and two are not made at once. Look again in a minute.")
	w.ledgerIs("1 x 10.00 USD approved", "1 x 10.00 USD declined")
	w.pass(2 * time.Minute)
	w.skip(time.Minute)
	if got := inWords(c.charge("pen-1-1", "10.00")); got != "200 settled" { // the shop has charged for that date itself
		t.Fatal(got)
	}
	var paid string
	for _, r := range w.shop.Taken() {
		if f := r.Fields; f.Get("order_number") == "pen-1-1" && f.Get("order_status") == "settled" {
			paid = f.Get("id")
		}
	}
	w.skip(time.Minute)
	refused(declined, "Another payment of this order is settled: see "+paid+".")
	other := w.shop.begins("pen-2", "01/38", with("schedule_id", "monthly"))
	if got := w.shop.voids(other.initial); got != "200 SUCCESS void" {
		t.Fatal(got)
	}
	w.work()
	if got := w.sue("/chains/" + other.initial + "/resume"); !strings.Contains(got, "was voided or disputed") {
		t.Errorf("resume: %s", got)
	}
}

// A refund of the last charge may stop the schedule in the same write, whatever fails on the way. The response and the
// view say what becomes of the schedule.
func TestRefundAndStop(t *testing.T) {
	for i, stops := range []bool{false, true, true, true, true, true} {
		w := open(t, daily(nil))
		w.supports()
		w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
		w.pass(25 * time.Hour)
		id := w.shop.last("recurring").Fields.Get("id")
		body := because()
		want := "Nothing is left to refund. The schedule goes on: the next charge of 10.00 USD is due on "
		if stops {
			body["stop_schedule"] = true
			want = "Nothing is left to refund. The schedule is stopped: it charges nothing more."
		}
		if i > 1 { // a function dies around one of its writes, and the call is repeated
			func() {
				defer func() { _ = recover() }()
				faults := slices.Repeat([]string{"ok"}, (i-2)/2)
				w.store.next(append(faults, []string{"dies before", "dies after"}[i%2])...)
				w.sueSends("one", "/payments/"+id+"/refund", body)
			}()
			w.store.next()
			w.pass(10 * time.Minute)
		}
		if got := w.sueSends("one", "/payments/"+id+"/refund", body); !strings.HasPrefix(got, "200 10.00 USD was refunded") ||
			!strings.Contains(got, want) {
			t.Errorf("fault %d: %s", i, got)
		}
		w.pass(time.Minute)
		var v query.View
		w.sees("/payments/"+id, &v)
		if over := v.Summary.Turn == "nobody"; over != stops {
			t.Errorf("%+v", v.Summary)
		}
		w.pass(48 * time.Hour)
		refunds := 0
		for _, r := range w.shop.Taken() {
			if r.Fields.Get("type") == "refund" {
				refunds++
			}
		}
		if charged := len(w.shop.charged()); refunds != 1 || stops && charged != 1 || !stops && charged != 3 {
			t.Errorf("fault %d: %d refunds, %d charges", i, refunds, charged)
		}
	}
}

// Whatever people and the shop do with a schedule, and whenever the service is away: no date is charged twice, nothing
// is charged while the schedule is stopped, and no charge takes more than the payer has agreed to.
func TestChainProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := open(t, daily(func(s *settings.Schedule) {
			s.IntervalLength = rapid.IntRange(1, 3).Draw(r, "interval")
			s.PaymentsCount = rapid.SampledFrom([]int{0, 0, 4}).Draw(r, "payments_count")
		}))
		w.supports()
		card := rapid.SampledFrom([]string{"01/38", "02/41"}).Draw(r, "card")
		c := w.shop.begins("pen-1", card, with("schedule_id", "monthly"))
		path := "/chains/" + c.initial
		agreed, stopped := 1000, false
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			before := w.ledger()
			retried := false
			switch do := rapid.SampledFrom([]string{"pass", "pass", "away", "stop", "shop", "resume", "move", "lower", "retry"}).
				Draw(r, "do"); do {
			case "pass":
				w.pass(time.Duration(rapid.IntRange(1, 80).Draw(r, "hours")) * time.Hour)
			case "away":
				w.skip(time.Duration(rapid.IntRange(1, 200).Draw(r, "hours")) * time.Hour)
			case "stop":
				w.sue(path + "/stop")
			case "shop":
				c.stops()
			case "resume":
				w.sue(path + "/resume")
			case "move":
				day := w.clock.Now().AddDate(0, 0, rapid.IntRange(-1, 9).Draw(r, "days"))
				w.sue(path+"/move", "day", day.Format(time.DateOnly))
			case "lower":
				to := rapid.IntRange(1, 1200).Draw(r, "cents")
				got := w.sue(path+"/lower", "amount", fmt.Sprintf("%d.%02d", to/100, to%100))
				if done := strings.HasPrefix(got, "200 "); done && to >= agreed {
					r.Fatalf("raised to %d: %s", to, got)
				} else if done {
					agreed = to
				}
			case "retry":
				if last := w.shop.charged(); len(last) > 0 {
					got := w.sue("/payments/" + w.shop.last("recurring").Fields.Get("id") + "/retry")
					retried = strings.HasPrefix(got, "200 ")
				}
				w.work()
			}
			lines := w.ledger()
			if made := len(lines) - len(before); stopped && made > 0 {
				r.Fatalf("%d charges while it was stopped (retry %v)", made, retried)
			}
			for reference, line := range lines {
				if before[reference] != "" {
					continue
				}
				if most := map[bool]int{true: 1000, false: agreed}[retried]; cents(line) > most {
					r.Fatalf("%s, though the payer has agreed to %d cents", line, most)
				}
			}
			var v chains.Chain
			w.sees(path, &v)
			stopped = v.State == chains.Stopped
		}
		w.pass(time.Hour)
		checkCharges(r, w.shop.charged())
		w.CheckOrders()
	})
}

// checkCharges checks that no order number, and so no date, has two payments that are settled.
func checkCharges(t *rapid.T, charged []string) {
	settled := map[string]bool{}
	for _, line := range charged {
		parts := strings.Fields(line) // date, order number, amount, status
		if parts[3] != "settled" {
			continue
		}
		if settled[parts[1]] {
			t.Fatalf("%s is charged twice: %q", parts[1], charged)
		}
		settled[parts[1]] = true
	}
}

// cents is the amount of a line of the ledger, such as 1 x 10.00 USD approved.
func cents(line string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(strings.Fields(line)[2], ".", ""))
	if err != nil {
		panic(line)
	}
	return n
}
