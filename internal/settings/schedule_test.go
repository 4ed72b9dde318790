package settings

import (
	"slices"
	"testing"
	"time"
)

// TestScheduleDates are the first dates of chains that began at the given time.
func TestScheduleDates(t *testing.T) {
	month := func(change func(*Schedule)) Schedule {
		s := Schedule{Interval: Interval{IntervalLength: 1, IntervalUnit: UnitMonth}}
		if change != nil {
			change(&s)
		}
		return s
	}
	for _, test := range []struct {
		name     string
		schedule Schedule
		begun    string
		start    string // schedule_start_date
		want     []string
	}{
		{"every month", month(nil), "2030-01-15T10:30:00Z", "",
			[]string{"2030-02-15T10:30", "2030-03-15T10:30", "2030-04-15T10:30"}},
		{"from the 31st", month(nil), "2030-01-31T10:30:00Z", "",
			[]string{"2030-02-28T10:30", "2030-03-31T10:30", "2030-04-30T10:30"}},
		{"from the 31st of a leap year", month(nil), "2032-01-31T10:30:00Z", "",
			[]string{"2032-02-29T10:30", "2032-03-31T10:30", "2032-04-30T10:30"}},
		{"over the year's end", month(func(s *Schedule) { s.IntervalLength = 3 }), "2030-11-30T23:59:00Z", "",
			[]string{"2031-02-28T23:59", "2031-05-30T23:59", "2031-08-30T23:59"}},
		{"on a day of the month", month(func(s *Schedule) { s.DayOfMonth = 31 }), "2030-01-05T08:00:00Z", "",
			[]string{"2030-02-28T08:00", "2030-03-31T08:00", "2030-04-30T08:00"}},
		{"delayed", month(func(s *Schedule) { s.Delays = 2 }), "2030-01-15T10:30:00Z", "",
			[]string{"2030-04-15T10:30", "2030-05-15T10:30", "2030-06-15T10:30"}},
		{"every ten days", Schedule{Interval: Interval{IntervalLength: 10, IntervalUnit: UnitDay}}, "2030-02-20T10:30:00Z",
			"", []string{"2030-03-02T10:30", "2030-03-12T10:30", "2030-03-22T10:30"}},
		{"days, delayed", Schedule{Interval: Interval{IntervalLength: 1, IntervalUnit: UnitDay}, Delays: 1},
			"2030-02-27T10:30:00Z", "", []string{"2030-03-01T10:30", "2030-03-02T10:30", "2030-03-03T10:30"}},
		{"with a start date", month(nil), "2030-01-15T10:30:00Z", "2030-03-31",
			[]string{"2030-03-31T12:00", "2030-04-30T12:00", "2030-05-31T12:00"}},
		{"a start date and a day of the month", month(func(s *Schedule) { s.DayOfMonth = 1 }), "2030-01-15T10:30:00Z",
			"2030-03-31", []string{"2030-04-01T12:00", "2030-05-01T12:00", "2030-06-01T12:00"}},
		{"a start date on the day of the month", month(func(s *Schedule) { s.DayOfMonth = 31 }), "2030-01-15T10:30:00Z",
			"2030-02-28", []string{"2030-02-28T12:00", "2030-03-31T12:00", "2030-04-30T12:00"}},
		{"of another time zone", month(nil), "2030-01-31T23:30:00-05:00", "",
			[]string{"2030-03-01T04:30", "2030-04-01T04:30", "2030-05-01T04:30"}},
	} {
		begun, err := time.Parse(time.RFC3339, test.begun)
		if err != nil {
			t.Fatal(err)
		}
		from, first := test.schedule.Start(begun, test.start)
		var got []string
		for n := range 3 {
			got = append(got, test.schedule.Date(from, first+n).Format("2006-01-02T15:04"))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
