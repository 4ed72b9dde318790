package settings

import "time"

// Schedule is a merchant's plan of recurring charges (protocol.md, Recurring payments). The first charge is due on
// schedule_start_date, or 1 + Delays intervals after the initial payment. Each further charge is due one interval after
// the one before.
type Schedule struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Interval
	PaymentsCount int  `json:"payments_count,omitempty"` // charges in all, without the initial payment; 0: no end
	Delays        int  `json:"delays,omitempty"`         // intervals that are skipped before the first charge
	Paused        bool `json:"paused,omitempty"`         // no charges; dates that pass are skipped and not counted
}

// Interval is the time between two charges of a schedule.
type Interval struct {
	IntervalLength int          `json:"interval_length"` // 1 or more
	IntervalUnit   IntervalUnit `json:"interval_unit"`   // day or month
	// DayOfMonth is 1..31 with unit month, in a shorter month its last day; 0: the day of the start.
	DayOfMonth int `json:"day_of_month,omitempty"`
}

// IntervalUnit is the unit of a schedule's interval.
type IntervalUnit string

// The units.
const (
	UnitDay   IntervalUnit = "day"
	UnitMonth IntervalUnit = "month"
)

// Start returns the time from which the dates of a chain of charges are counted, and how many intervals after it the
// first charge is due. With a schedule_start_date (yyyy-mm-dd) that is noon UTC of this day, or of the first
// DayOfMonth on or after it, and 0 intervals. Otherwise it is now, and 1 + Delays intervals.
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

// Date returns the time n intervals after from.
func (i Interval) Date(from time.Time, n int) time.Time {
	switch {
	case n == 0:
		return from
	case i.IntervalUnit == UnitDay:
		return from.AddDate(0, 0, n*i.IntervalLength)
	}
	return i.inMonth(from, n*i.IntervalLength)
}

// inMonth returns the interval's day of the month, some months after from, at the same time of day.
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
