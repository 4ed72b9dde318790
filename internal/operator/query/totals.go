package query

import (
	"context"
	"sync"
	"time"

	"checkout/internal/operator/listing"
	"checkout/internal/store"
)

// The most that one request sums up.
const (
	mostSummed  = 50_000 // lines
	summedPage  = 2_500  // lines of a partition that are read at once
	mostOfDays  = 60     // sums of days that are read at once
	summedAhead = 31     // days of which they are
)

// totaller adds up the lines that a filter chooses.
type totaller struct {
	*dayReader
	filter Filter
	adder  *listing.Adder
	days   listing.Days
	ahead  map[store.Key]listing.OwnerDay // what was read of them
}

func newTotaller(f Filter, r *dayReader) *totaller {
	core := r.reads.core
	t := &totaller{
		dayReader: r, filter: f, adder: listing.NewAdder(f.zone()),
		days: listing.Days{Store: core.Store, Now: core.Now}, ahead: map[store.Key]listing.OwnerDay{},
	}
	t.of, t.before, t.timeOf, t.page, t.most = store.LinesOf, store.LinesBefore, store.LineTime, summedPage, mostSummed
	t.take, t.dayReader.sumUp = t.takeLine, t.sumUp
	return t
}

func (t *totaller) takeLine(record store.Record) (bool, error) {
	var line listing.Line
	err := record.Decode(&line)
	if err == nil && t.filter.takesLine(line) {
		err = t.adder.Add(line)
	}
	return true, err
}

// sumUp adds the sums of owners and a day. It returns those owners of which none can be stored yet, or is because of
// too many lines. A day that the filter's time splits within a quarter of an hour is read line by line.
func (t *totaller) sumUp(ctx context.Context, at time.Time, owners []string) (others []string, err error) {
	zone := t.filter.zone()
	if listing.SplitsDay(at, t.from.In(zone)) || listing.SplitsDay(at, t.until.In(zone)) ||
		listing.SplitsDay(at, at.In(zone)) || !t.days.Now().After(at.Add(day)) {
		return owners, nil
	}
	days, err := t.stored(ctx, at, owners)
	if err != nil {
		return nil, err
	}
	if err := t.storeDays(ctx, days); err != nil {
		return nil, err
	}
	for _, d := range days {
		if !d.Summed {
			others = append(others, d.Owner)
		} else if err := t.adder.AddDay(&d, t.from, t.until, t.filter.takesLine); err != nil {
			return nil, err
		}
	}
	return others, nil
}

// stored returns what is stored of owners and a day. It reads some days before it, too.
func (t *totaller) stored(ctx context.Context, at time.Time, owners []string) ([]listing.OwnerDay, error) {
	var missing []string
	for _, owner := range owners {
		if _, ok := t.ahead[store.SumsKey(owner, at)]; !ok {
			missing = append(missing, owner)
		}
	}
	if len(missing) > 0 {
		days := []time.Time{at}
		for n := min(summedAhead, mostOfDays/len(missing)); len(days) < n && days[len(days)-1].After(t.from); {
			days = append(days, days[len(days)-1].Add(-day))
		}
		read, err := t.days.Read(ctx, missing, days)
		if err != nil {
			return nil, err
		}
		t.requests += (len(read)-1)/mostActive + 1
		for _, d := range read {
			t.ahead[store.SumsKey(d.Owner, d.Date)] = d
		}
	}
	all := make([]listing.OwnerDay, len(owners))
	for i, owner := range owners {
		all[i] = t.ahead[store.SumsKey(owner, at)]
	}
	return all, nil
}

// storeDays sums up and stores those days of which it is possible and not done yet.
func (t *totaller) storeDays(ctx context.Context, days []listing.OwnerDay) error {
	var mutex sync.Mutex
	return store.Concurrently(len(days), func(i int) error {
		d := &days[i]
		mutex.Lock()
		may := !d.Summed && d.MaySumUp(t.days.Now()) && t.documents < t.most
		mutex.Unlock()
		if !may {
			return nil
		}
		read, err := t.days.SumUp(ctx, d)
		mutex.Lock()
		defer mutex.Unlock()
		t.requests, t.documents = t.requests+store.ListingShards, t.documents+read
		return err
	})
}
