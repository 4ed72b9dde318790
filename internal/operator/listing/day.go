package listing

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Day is the sums of an owner's lines of a UTC day, as they are stored. A line that comes after its day's sums may have
// been stored is put in one write with a Day without sums, which says from when on they may be stored again.
type Day struct {
	From   time.Time  `json:"from,omitzero"` // when sums may be stored; zero: some time after the day's end
	Summed bool       `json:"summed,omitempty"`
	Groups []dayGroup `json:"groups,omitempty"`
}

const (
	// settles is how long after its end the sums of a day may be stored.
	settles = 2 * time.Hour
	// reopens is how long after a late line they may be stored again.
	reopens = 30 * time.Minute
	// margin is longer than a line takes to be put by somebody who has seen that sums can't be stored yet, with the
	// difference of two clocks.
	margin = 10 * time.Minute

	// quarter is what days are split into: the offset of each zone is a multiple of it.
	quarter = 15 * time.Minute
)

// dayGroup is the lines of a day that have a currency, a method, a MID and a type in common. The other lists have an
// element for each of Quarters, which are counted from midnight.
type dayGroup struct {
	Currency  string                `json:"currency"`
	Method    string                `json:"method"`
	MID       string                `json:"mid,omitempty"`
	Type      payment.EventType     `json:"type"`
	Quarters  []int                 `json:"quarters"`
	Succeeded []int                 `json:"succeeded"`
	Failed    []int                 `json:"failed"`
	Amounts   []string              `json:"amounts"`
	Moved     []string              `json:"moved,omitempty"` // absent: Amounts
	Declines  []map[reason.Code]int `json:"declines,omitempty"`
}

// from returns from when on the sums of a UTC day may be stored.
func (d *Day) from(day time.Time) time.Time {
	if d.From.IsZero() {
		return day.Add(24*time.Hour + settles)
	}
	return d.From
}

// isOpen reports whether a line of a day that is put now is there before its sums are.
func (d *Day) isOpen(day, now time.Time) bool {
	return !d.Summed && !now.Add(margin).After(d.from(day))
}

// OwnerDay is the sums of an owner and a UTC day as they were read.
type OwnerDay struct {
	Owner string
	Date  time.Time
	Day
	version int64
}

// MaySumUp reports whether the sums of the day may be stored by now.
func (d *OwnerDay) MaySumUp(now time.Time) bool { return !now.Before(d.from(d.Date)) }

// quarterKey is a group of lines of a quarter of an hour.
type quarterKey struct {
	Group
	quarter int
}

// sumUpDay sums up all lines of an owner and a UTC day.
func sumUpDay(lines []Line) (*Day, error) {
	sums, declines := map[quarterKey]*groupSum{}, map[quarterKey]map[reason.Code]int{}
	for _, line := range lines {
		n := int(line.At.Sub(line.At.UTC().Truncate(24*time.Hour)) / quarter)
		key := quarterKey{Group{Currency: line.Currency, Method: line.Method, MID: line.MID, Type: line.Type}, n}
		if sums[key] == nil {
			currency, _ := money.Find(line.Currency)
			sums[key] = &groupSum{amount: newBalance(currency), moved: newBalance(currency)}
		}
		of := cellOf(line)
		if err := sums[key].add(of); err != nil {
			return nil, err
		}
		for code := range of.Declines {
			if declines[key] == nil {
				declines[key] = map[reason.Code]int{}
			}
			declines[key][code]++
		}
	}
	day := &Day{Summed: true}
	for _, key := range slices.SortedFunc(maps.Keys(sums), compareQuarters) {
		day.add(key, sums[key], declines[key])
	}
	for i := range day.Groups {
		day.Groups[i].shorten()
	}
	return day, nil
}

func compareQuarters(a, b quarterKey) int {
	return cmp.Or(strings.Compare(a.Currency, b.Currency), strings.Compare(a.Method, b.Method),
		strings.Compare(a.MID, b.MID), cmp.Compare(a.Type, b.Type), a.quarter-b.quarter)
}

// add adds the sums of a quarter, in the order of compareQuarters.
func (d *Day) add(key quarterKey, sum *groupSum, declines map[reason.Code]int) {
	n := len(d.Groups)
	if n == 0 || d.Groups[n-1].key() != key.Group {
		d.Groups = append(d.Groups, dayGroup{Currency: key.Currency, Method: key.Method, MID: key.MID, Type: key.Type})
		n++
	}
	g := &d.Groups[n-1]
	g.Quarters = append(g.Quarters, key.quarter)
	g.Succeeded, g.Failed = append(g.Succeeded, sum.Succeeded), append(g.Failed, sum.Failed)
	g.Amounts, g.Moved = append(g.Amounts, sum.amount.String()), append(g.Moved, sum.moved.String())
	if isCharge(key.Type) {
		g.Declines = append(g.Declines, declines)
	}
}

// shorten leaves out what the group of most payments doesn't need.
func (g *dayGroup) shorten() {
	if slices.Equal(g.Moved, g.Amounts) {
		g.Moved = nil
	}
	if !slices.ContainsFunc(g.Declines, func(codes map[reason.Code]int) bool { return len(codes) > 0 }) {
		g.Declines = nil
	}
}

// key returns what the lines of the group have in common.
func (g *dayGroup) key() Group {
	return Group{Currency: g.Currency, Method: g.Method, MID: g.MID, Type: g.Type}
}

// AddDay adds those sums of a day that are from a time on and before another, both at quarters of an hour, and of the
// groups that takes chooses by their currency, method and MID.
func (a *Adder) AddDay(of *OwnerDay, from, until time.Time, takes func(Line) bool) error {
	for _, g := range of.Groups {
		if !takes(Line{Currency: g.Currency, Method: g.Method, MID: g.MID}) {
			continue
		}
		for i, n := range g.Quarters {
			at := of.Date.Add(time.Duration(n) * quarter)
			if at.Before(from) || !at.Before(until) {
				continue
			}
			key, sum := g.key(), cell{g.Succeeded[i], g.Failed[i], g.Amounts[i], g.Amounts[i], nil}
			if g.Moved != nil {
				sum.Moved = g.Moved[i]
			}
			if g.Declines != nil {
				sum.Declines = g.Declines[i]
			}
			key.Day = at.In(a.zone).Format(time.DateOnly)
			if err := a.add(key, sum); err != nil {
				return err
			}
		}
	}
	return nil
}

// SplitsDay reports whether the sums of a UTC day can't be cut at a time, or by the days of its zone.
func SplitsDay(day, at time.Time) bool {
	_, offset := at.Zone()
	inDay := at.After(day) && at.Before(day.Add(24*time.Hour))
	return time.Duration(offset)*time.Second%quarter != 0 || inDay && at.Sub(day)%quarter != 0
}
