package preview

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"checkout/internal/method"
	"checkout/internal/settings"
)

// warnings returns what is hardly meant in the draft, in the order of its settings, and then the lost payment paths. A
// country that does not exist is a fault of the check.
func (d draft) warnings() []Warning {
	warnings := []Warning{}
	for i := range d.after.Mappings {
		m := &d.after.Mappings[i]
		if m.Disabled {
			continue
		}
		w := mappingWarnings{m, "mappings[" + m.Name + "]", nil, &warnings}
		for _, c := range d.sessions {
			if c.Mapping == m.Name {
				w.took = append(w.took, c)
			}
		}
		w.add()
	}
	return append(warnings, d.lostPaths()...)
}

const textNoMID = "No enabled MID of the mapping has this method. "

// mappingWarnings finds the warnings of an enabled mapping.
type mappingWarnings struct {
	*settings.Mapping
	path string
	took []compared // the sessions that were made with the mapping
	all  *[]Warning
}

func (w mappingWarnings) warn(path string, number int, format string, args ...any) {
	*w.all = append(*w.all, Warning{w.path + path, fmt.Sprintf(format, args...), number})
}

func (w mappingWarnings) add() {
	closed := !slices.ContainsFunc(w.MIDs, func(mid settings.MID) bool { return !mid.Disabled })
	if closed {
		w.warn(".mids", len(w.took), "The mapping has no enabled MID. Sessions that it took: %d.", len(w.took))
	}
	seen := map[string]bool{} // methods of closed MIDs, each of which is told once
	for _, mid := range w.MIDs {
		path := ".mids[" + mid.Name + "]"
		switch {
		case !mid.Disabled:
			w.limits(path, mid)
			continue
		case mid.Weight > 0:
			w.warn(path+".weight", mid.Weight, "The MID is closed, so that its weight of %d counts for nothing.", mid.Weight)
		}
		for _, id := range mid.Methods {
			if !closed && !seen[id] && !w.has(id) {
				n := count(w.took, func(c compared) bool { return slices.Contains(c.before.methods, id) })
				w.warn(path+".methods["+id+"]", n, textNoMID+"Sessions that had it: %d.", n)
			}
			seen[id] = true
		}
	}
	for i, rule := range w.PreRouting {
		for _, id := range rule.Methods {
			if !closed && !w.has(id) {
				n := count(w.took, func(c compared) bool { _, chosen := w.Shown(&c.Request); return chosen == i })
				w.warn(fmt.Sprintf(".pre_routing[%d].methods[%s]", i, id), n,
					textNoMID+"Sessions that the rule is for: %d.", n)
			}
		}
	}
}

// has reports whether an enabled MID of the mapping has a method.
func (w mappingWarnings) has(id string) bool {
	return slices.ContainsFunc(w.MIDs,
		func(mid settings.MID) bool { return !mid.Disabled && slices.Contains(mid.Methods, id) })
}

// limits warns of each bound of a MID's limits that sessions exceed which the MID's currency and operation fit.
func (w mappingWarnings) limits(path string, mid settings.MID) {
	for _, limit := range mid.Limits {
		concerns := func(c compared) bool {
			order := c.Request.Order
			return order.Currency == limit.Currency && !order.Amount.ByPayer() &&
				slices.Contains(mid.DeclaredOperations(), c.Request.Operation)
		}
		for _, bound := range []struct {
			name, text string
			limit      settings.Limit
		}{
			{"min", "below", settings.Limit{Currency: limit.Currency, Min: limit.Min}},
			{"max", "above", settings.Limit{Currency: limit.Currency, Max: limit.Max}},
		} {
			only := settings.MID{Limits: []settings.Limit{bound.limit}}
			n := count(w.took, func(c compared) bool { return concerns(c) && only.OutsideLimits(c.Request.Order) })
			if n > 0 {
				w.warn(path+".limits["+limit.Currency+"]."+bound.name, n,
					"Sessions in %s that are %s it: %d of %d.", limit.Currency, bound.text, n, count(w.took, concerns))
			}
		}
	}
}

func count(sessions []compared, is func(compared) bool) (n int) {
	for _, c := range sessions {
		if is(c) {
			n++
		}
	}
	return n
}

// paymentPath is what live sessions of a mapping have in common.
type paymentPath struct {
	mapping   string
	operation method.Operation
	currency  string
}

// lostPaths warns of each path by which live sessions could be paid, and none could by the draft.
func (d draft) lostPaths() (warnings []Warning) {
	could, can := map[paymentPath]int{}, map[paymentPath]bool{}
	for _, c := range d.sessions {
		path := paymentPath{c.Mapping, c.Request.Operation, c.Request.Order.Currency}
		switch {
		case c.Request.Test:
		case !c.after.isNone():
			can[path] = true
		case !c.before.isNone():
			could[path]++
		}
	}
	for _, path := range slices.SortedFunc(maps.Keys(could), func(a, b paymentPath) int {
		return cmp.Or(cmp.Compare(a.mapping, b.mapping), cmp.Compare(a.operation, b.operation),
			cmp.Compare(a.currency, b.currency))
	}) {
		if !can[path] {
			warnings = append(warnings, Warning{"mappings[" + path.mapping + "]", fmt.Sprintf(
				"No MID takes the mapping's live sessions of %s in %s any more: %d.",
				path.operation, path.currency, could[path]), could[path]})
		}
	}
	return warnings
}
