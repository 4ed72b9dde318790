package merchant

import "time"

// Schedule is a merchant's plan of recurring charges (decisions.md 9). The
// first charge is due one interval and Delays more after the chain's first
// payment, or on schedule_start_date; the others an interval after one another.
type Schedule struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Interval
	PaymentsCount int  `json:"payments_count,omitempty"` // charges in all, the first payment not counted; 0: no end
	Delays        int  `json:"delays,omitempty"`         // intervals left out before the first charge
	Paused        bool `json:"paused,omitempty"`         // nothing is charged; dates that pass are left out and not counted
}

// Interval is the time between two charges of a schedule.
type Interval struct {
	IntervalLength int          `json:"interval_length"`        // 1 or more
	IntervalUnit   IntervalUnit `json:"interval_unit"`          // day or month
	DayOfMonth     int          `json:"day_of_month,omitempty"` // 1..31 with unit month, clipped to the month's last day; 0: that of the start
}

// IntervalUnit is what a schedule's interval is counted in.
type IntervalUnit string

// The units.
const (
	UnitDay   IntervalUnit = "day"
	UnitMonth IntervalUnit = "month"
)

// Start returns the instant that a chain's dates are counted from, and the
// number of the first date: schedule_start_date (yyyy-mm-dd, at noon UTC)
// itself, or the first day_of_month from it on; else now, and one interval and
// the delays after it.
func (s *Schedule) Start(now time.Time, startDate string) (from time.Time, first int) {
	if day, err := time.Parse(time.DateOnly, startDate); err == nil {
		noon := day.Add(12 * time.Hour)
		if s.IntervalUnit == UnitMonth && s.DayOfMonth > 0 {
			noon = s.inMonth(noon, 0)
			if noon.Before(day) {
				noon = s.inMonth(noon, 1)
			}
		}
		return noon, 0
	}
	return now.UTC(), 1 + s.Delays
}

// Date returns the nth date of a chain: n intervals after from, and from itself for 0.
func (i Interval) Date(from time.Time, n int) time.Time {
	switch {
	case n == 0:
		return from
	case i.IntervalUnit == UnitDay:
		return from.AddDate(0, 0, n*i.IntervalLength)
	}
	return i.inMonth(from, n*i.IntervalLength)
}

// inMonth is the interval's day of the month that many months after from, at the same time of day.
func (i Interval) inMonth(from time.Time, months int) time.Time {
	year, month, day := from.Date()
	month += time.Month(months)
	if i.DayOfMonth > 0 {
		day = i.DayOfMonth
	}
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	clock := from.Sub(from.Truncate(24 * time.Hour))
	return time.Date(year, month, min(day, last), 0, 0, 0, 0, time.UTC).Add(clock)
}
