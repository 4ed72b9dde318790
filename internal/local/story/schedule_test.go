package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
)

// beginsSchedule begins a schedule with a payment on that day, at 13:00 UTC.
func (w *World) beginsSchedule(day string, changes ...func(map[string]any)) chain {
	w.t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		w.t.Fatalf("day: %v", err)
	}
	w.skip(at.Add(13 * time.Hour).Sub(w.clock.Now()))
	return w.shop.begins("pen-1", "01/38", append(changes, with("schedule_id", "monthly"))...)
}

// chargedOn lists the dates and statuses of the recurring payments that the shop was told of.
func (s *Shop) chargedOn() string {
	var days []string
	for _, charge := range s.charged() {
		words := strings.Fields(charge)
		days = append(days, words[0]+" "+words[3])
	}
	return strings.Join(days, ", ")
}

// A monthly schedule charges on the schedule's day, or on the last day of a shorter month, from the start date that the
// shop requested.
func TestDaysOfASchedule(t *testing.T) {
	month := func(day int) func(*settings.Schedule) {
		return func(s *settings.Schedule) { s.DayOfMonth = day }
	}
	for _, test := range []struct {
		name, begun, start string
		schedule           func(*settings.Schedule)
		want               string
	}{
		{"as it began", "2031-01-31", "", nil, "2031-02-28 settled, 2031-03-31 settled, 2031-04-30 settled"},
		{"named day", "2031-01-10", "", month(31), "2031-02-28 settled, 2031-03-31 settled, 2031-04-30 settled"},
		{"named start", "2031-01-10", "2031-01-20", nil, "2031-01-20 settled, 2031-02-20 settled, 2031-03-20 settled"},
		{
			"start before the day", "2031-01-10", "2031-01-12", month(15),
			"2031-01-15 settled, 2031-02-15 settled, 2031-03-15 settled",
		},
		{
			"start after the day", "2031-01-10", "2031-01-20", month(15),
			"2031-02-15 settled, 2031-03-15 settled, 2031-04-15 settled",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, monthly(test.schedule))
			w.beginsSchedule(test.begun, with("schedule_start_date", test.start))
			w.days(130)
			if got := w.shop.chargedOn(); got != test.want {
				t.Errorf("charged %s, want %s", got, test.want)
			}
		})
	}
}

// The operator ends a schedule by removing it, or by a count that is already reached.
func TestScheduleEnded(t *testing.T) {
	for name, change := range map[string]func(*settings.Merchant){
		"removed": func(m *settings.Merchant) { m.Schedules = nil },
		"renamed": func(m *settings.Merchant) { m.Schedules[0].ID = "another" },
		"count":   func(m *settings.Merchant) { m.Schedules[0].PaymentsCount = 2 },
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, daily(nil))
			c := w.beginsSchedule("2031-01-10")
			w.pass(2*24*time.Hour + time.Hour)
			w.shop.set(change)
			w.pass(3 * 24 * time.Hour)
			if got, want := w.shop.chargedOn(), "2031-01-11 settled, 2031-01-12 settled"; got != want {
				t.Errorf("charged %s, want %s", got, want)
			}
			if got := inWords(c.charge("pen-2", "5.00")); got != "200 settled" {
				t.Errorf("a charge by the shop: %s", got)
			}
		})
	}
}

// The dates of a schedule are skipped while its merchant, mapping or MID is disabled. Later it goes on.
func TestScheduleWhileDisabled(t *testing.T) {
	for name, set := range map[string]func(m *settings.Merchant, off bool){
		"merchant": func(m *settings.Merchant, off bool) { m.Disabled = off },
		"mapping":  func(m *settings.Merchant, off bool) { m.Mappings[0].Disabled = off },
		"MID":      func(m *settings.Merchant, off bool) { m.Mappings[0].MIDs[0].Disabled = off },
		"MID gone": func(m *settings.Merchant, off bool) {
			m.Mappings[0].MIDs[0].Name = map[bool]string{true: "another", false: "mid-1"}[off]
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, daily(nil))
			w.beginsSchedule("2031-01-10")
			w.shop.set(func(m *settings.Merchant) { set(m, true) })
			w.pass(2*24*time.Hour + time.Hour)
			w.shop.set(func(m *settings.Merchant) { set(m, false) })
			w.pass(2 * 24 * time.Hour)
			if got, want := w.shop.chargedOn(), "2031-01-13 settled, 2031-01-14 settled"; got != want {
				t.Errorf("charged %s, want %s", got, want)
			}
		})
	}
}

// A recurring payment with a schedule settles although its chain expired before the outcome was known.
func TestScheduleOfAnExpiredChain(t *testing.T) {
	w := open(t, daily(nil))
	w.retain(400)
	bank := &provider{}
	w.goesLive(bank)
	c := w.shop.begins("pen-1", "02/41")
	w.skip(time.Date(2041, 2, 20, 0, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	bank.charge = noResponse
	body := w.shop.RecurringBody(c.initial, c.token, "pen-2", "5.00")
	body["schedule_id"] = "monthly"
	if got := inWords(w.post("/api/v1/payment/recurring", body)); got != "200 prepare" {
		t.Errorf("recurring: %s", got)
	}
	w.skip(100 * day)
	if _, _, chains := w.retained(); chains != 0 {
		t.Fatalf("%d chains are stored", chains)
	}
	bank.lookUp = onFollowUp(approved)
	w.pass(2 * time.Hour)
	w.shop.told("sale success settled", "recurring undefined prepare", "recurring success settled")
	w.pass(3 * day)
	if len(bank.charges) != 2 {
		t.Errorf("charged %d times", len(bank.charges))
	}
	if _, response := w.shop.status("order_id", "pen-2"); response["status"] != "settled" {
		t.Errorf("status %v", response)
	}
}

// daily adds a schedule with a payment every day, without an end.
func daily(change func(*settings.Schedule)) func(*settings.Merchant) {
	return monthly(func(s *settings.Schedule) {
		s.IntervalUnit, s.PaymentsCount = settings.UnitDay, 0
		if change != nil {
			change(s)
		}
	})
}

// days lets days go by with one sweep each.
func (w *World) days(n int) {
	w.t.Helper()
	for range n {
		w.pass(time.Minute)
		w.skip(24*time.Hour - time.Minute)
	}
}

// A schedule whose interval changes goes on from its next date.
func TestScheduleChanged(t *testing.T) {
	every := func(n int, unit settings.IntervalUnit) settings.Interval {
		return settings.Interval{IntervalLength: n, IntervalUnit: unit}
	}
	for _, test := range []struct {
		name          string
		before, after settings.Interval
		days, passed  int // before the change and after it
		least, most   int // charges after it
	}{
		{"30 days to 7", every(30, settings.UnitDay), every(7, settings.UnitDay), 130, 31, 2, 3},
		{"days to months", every(1, settings.UnitDay), every(1, settings.UnitMonth), 30, 70, 2, 3},
	} {
		w := open(t, daily(func(s *settings.Schedule) { s.Interval = test.before }))
		w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
		w.days(test.days)
		before := len(w.shop.charged())
		w.shop.set(func(m *settings.Merchant) { m.Schedules[0].Interval = test.after })
		w.skip(time.Minute)
		w.days(test.passed)
		charged := w.shop.charged()[before:]
		declined := strings.Contains(strings.Join(charged, " "), "decline")
		if len(charged) < test.least || len(charged) > test.most || declined {
			t.Errorf("%s: charged %q", test.name, charged)
		}
	}
}

// A recurring payment can begin its chain's schedule again. Order numbers are never used twice.
func TestScheduleBegunAgain(t *testing.T) {
	w := open(t, daily(nil))
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	w.pass(25 * time.Hour)
	body := w.shop.RecurringBody(c.initial, c.token, "extra", "3.00")
	body["schedule_id"] = "monthly"
	if got := inWords(w.post("/api/v1/payment/recurring", body)); got != "200 settled" {
		t.Fatalf("recurring: %s", got)
	}
	w.pass(25 * time.Hour)
	var numbers []string
	for _, r := range w.shop.Taken() {
		numbers = append(numbers, r.Fields.Get("order_number")+" "+r.Fields.Get("order_amount"))
	}
	if got := strings.Join(numbers, ", "); got != "pen-1 10.00, pen-1-1 10.00, extra 3.00, pen-1-2 3.00" {
		t.Errorf("orders %s", got)
	}
}

// Captured after schedule_start_date: the dates before the capture are skipped, and no charge is lost.
func TestCapturedAfterStartDate(t *testing.T) {
	w := open(t, daily(func(s *settings.Schedule) { s.PaymentsCount = 3 }))
	payer := w.shop.visits("pen-1", with("recurring_init", true), with("auth", true),
		with("schedule_id", "monthly"), with("schedule_start_date", "2030-03-05"))
	payer.pays("01/38")
	w.skip(7 * 24 * time.Hour)
	if got := w.shop.captures(payer.paymentID(), ""); got != "200 SUCCESS settled" {
		t.Fatalf("capture: %s", got)
	}
	w.pass(5 * 24 * time.Hour)
	want := "2030-03-11 pen-1-1 10.00 settled, 2030-03-12 pen-1-2 10.00 settled, 2030-03-13 pen-1-3 10.00 settled"
	if got := strings.Join(w.shop.charged(), ", "); got != want {
		t.Errorf("charged %s, want %s", got, want)
	}
}

// A void of the initial transaction ends its schedule.
func TestVoidEndsSchedule(t *testing.T) {
	w := open(t, daily(nil))
	c := w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	if got := w.shop.voids(c.initial); got != "200 SUCCESS void" {
		t.Fatalf("void: %s", got)
	}
	w.pass(49 * time.Hour)
	w.shop.told("sale success settled", "void success void")
}

// Two sessions of one order number each begin a schedule, at one moment. Both are charged, since each payer has agreed
// to one, by order numbers of their own.
func TestSchedulesOfOneOrderNumber(t *testing.T) {
	w := open(t, daily(nil))
	w.beginsSchedule("2031-01-10")
	w.pass(16 * time.Second)
	w.shop.begins("pen-1", "01/38", with("schedule_id", "monthly"))
	w.pass(2*24*time.Hour + time.Hour)
	if got := w.shop.chargedOn(); strings.Count(got, "settled") != 4 {
		t.Errorf("charged %s", got)
	}
	numbers, chains := map[string]int{}, map[string][]string{}
	for _, told := range w.shop.Taken() {
		if told.Fields.Get("type") == "recurring" {
			number, chain := told.Fields.Get("order_number"), told.Fields.Get("recurring_init_trans_id")
			numbers[number]++
			chains[chain] = append(chains[chain], number)
		}
	}
	for _, want := range []string{"pen-1-1", "pen-1-2", "pen-1-s2-1", "pen-1-s2-2"} {
		if numbers[want] != 1 {
			t.Errorf("%s was charged %d times: %v", want, numbers[want], chains)
		}
	}
	w.CheckOrders()
}
