package preview

import (
	"cmp"
	"maps"
	"slices"
)

// whole is the share of all sessions of a method, in hundredths of a per cent. certain is the probability of a sure
// first MID, in as fine a measure as weights need.
const (
	whole   = 100_00
	certain = 1_000_000_000
)

// midOf names a MID that takes a method.
type midOf struct{ method, mapping, mid string }

// tally has the probabilities of MIDs to be tried first, added up over sessions.
type tally struct {
	first  map[midOf]int
	offers map[string]int // sessions by method
}

// tallyOf adds up one side of the comparison.
func (d draft) tallyOf(side func(compared) outcome) tally {
	t := tally{map[midOf]int{}, map[string]int{}}
	for _, c := range d.sessions {
		o := side(c)
		for i, id := range o.methods {
			t.offers[id]++
			sum := 0
			for _, try := range o.first[i] {
				sum += max(try.Weight, 1) // one without a weight is the only one
			}
			for _, try := range o.first[i] {
				t.first[midOf{id, o.mapping, try.MID}] += certain * max(try.Weight, 1) / sum
			}
		}
	}
	return t
}

// share returns the share of a MID, rounded.
func (t tally) share(of midOf) int {
	n := t.offers[of.method]
	if n == 0 {
		return 0
	}
	return (t.first[of]/n*whole + certain/2) / certain
}

// shares returns the share of each MID before and after.
func (d draft) shares() []Share {
	before := d.tallyOf(func(c compared) outcome { return c.before })
	after := d.tallyOf(func(c compared) outcome { return c.after })
	all := maps.Clone(before.first)
	maps.Copy(all, after.first)
	shares := []Share{}
	for of := range all {
		shares = append(shares, Share{of.method, of.mapping, of.mid, before.share(of), after.share(of)})
	}
	slices.SortFunc(shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Mapping, b.Mapping), cmp.Compare(a.MID, b.MID))
	})
	return shares
}
