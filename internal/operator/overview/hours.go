package overview

import (
	"context"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/store"
)

// Hours are the charges of a day by the hour, beside those of the same day a week before, without payouts.
type Hours struct {
	Hours []Hour `json:"hours"` // until now, the first one first
	// CountedFrom says that the hours before it were not counted, because there are too many charges.
	CountedFrom time.Time `json:"counted_from,omitzero"`
}

// Hour is what has ended in an hour of the day, and in the same hour a week before. What begins now is compared with as
// many minutes.
type Hour struct {
	At         time.Time `json:"at"` // its beginning
	Charges    Charges   `json:"charges"`
	WeekBefore Charges   `json:"week_before"`
}

// Charges are charges that have ended.
type Charges struct {
	Ended    int `json:"ended"`
	Accepted int `json:"accepted"`
}

const (
	daysOfWeek = 7
	// mostPages is how many pages of the journal are read of each of the two days, of up to 5,000 lines each, and mostTime
	// how long more are begun.
	mostPages = 4
	mostTime  = time.Second
)

// hours counts charges by the hour, nil if the person may not or the filter has no day.
func (r reading) hours(ctx context.Context) (*Hours, error) {
	if r.f.From.IsZero() || !r.by.Has(grant.Sums) {
		return nil, nil
	}
	until := r.f.Until
	if r.now.Before(until) {
		until = r.now
	}
	hours := make([]Hour, max(0, (until.Sub(r.f.From)+time.Hour-1)/time.Hour))
	for i := range hours {
		hours[i].At = r.f.From.Add(time.Duration(i) * time.Hour).UTC()
	}
	starts := []time.Time{r.f.From, r.f.From.AddDate(0, 0, -daysOfWeek)}
	var counted [2]time.Duration
	err := store.Concurrently(len(starts), func(i int) (err error) {
		counted[i], err = r.count(ctx, starts[i], until.Sub(r.f.From), func(hour int) *Charges {
			if i == 0 {
				return &hours[hour].Charges
			}
			return &hours[hour].WeekBefore
		})
		return err
	})
	of := &Hours{Hours: hours}
	if first := max(counted[0], counted[1]); first > 0 {
		n := min(int((first+time.Hour-1)/time.Hour), len(hours))
		of.Hours, of.CountedFrom = hours[n:], r.f.From.Add(time.Duration(n)*time.Hour).UTC()
	}
	return of, err
}

// count counts charges from the beginning of a day on, and returns how long after that all were counted.
func (r reading) count(
	ctx context.Context, start time.Time, length time.Duration, of func(hour int) *Charges,
) (time.Duration, error) {
	if length <= 0 {
		return 0, nil
	}
	f := query.Filter{Merchant: r.f.Merchant, Mode: r.f.Mode, From: start, Until: start.Add(length)}
	for pages := 1; ; pages++ {
		page, err := r.reader.Journal(ctx, r.by, f)
		if err != nil {
			return 0, err
		}
		for _, line := range page.Lines {
			hour := int(line.At.Sub(start) / time.Hour)
			if line.At.Before(start) || line.At.Sub(start) >= length || !line.IsPayIn() {
				continue
			}
			of(hour).Ended++
			if line.Status == payment.Success {
				of(hour).Accepted++
			}
		}
		if f.Cursor = page.Cursor; f.Cursor == "" {
			return 0, nil
		}
		if pages == mostPages || r.core.Now().Sub(r.now) > mostTime {
			return page.SearchedTo.Sub(start), nil
		}
	}
}
