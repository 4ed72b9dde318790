package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
)

// beginsSchedule begins a schedule with a payment on that day, at 13:00 UTC.
func (w *world) beginsSchedule(day string, changes ...func(map[string]any)) chain {
	w.t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		w.t.Fatalf("day: %v", err)
	}
	w.skip(at.Add(13 * time.Hour).Sub(w.clock.Now()))
	return w.shop.begins("pen-1", "01/38", append(changes, with("schedule_id", "monthly"))...)
}

// chargedOn lists the dates and statuses of the recurring payments that the shop was told of.
func (s *shop) chargedOn() string {
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
	body := w.shop.recurringBody(c.initial, c.token, "pen-2", "5.00")
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
