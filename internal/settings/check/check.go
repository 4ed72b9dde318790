// Package check finds what is wrong in a merchant's settings: each setting by its row, and what settings have to do
// with one another.
package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/settings/table"
)

// Check finds what is wrong in a merchant's settings. A secret that they leave out is missing unless it is stored. What
// has an end has to be good at now; if that is zero, neither ends are checked nor connectors and credentials, which
// another release may declare differently. In a local run providers may be at loopback addresses, also by http, and
// MIDs may name the sandbox.
// Errors: CodeInvalid with every fault, in the order of the settings. Their paths are the JSON names:
// mappings[0].mids[1].limits[0].min.
func Check(m settings.Merchant, stored settings.Places, now time.Time, local bool) error {
	c := checker{
		faults: new([]fault.Fault), connectors: m.Connectors, stored: stored.Paths(m), now: now, local: local,
	}
	order := map[string]int{}
	for p := range table.All(&m) {
		order[p.Path] = len(order)
		c.place(p)
	}
	c.path = ""
	c.merchant(m)
	if len(*c.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(*c.faults, func(a, b fault.Fault) int {
		return cmp.Compare(position(order, a.Path), position(order, b.Path))
	})
	return fault.Invalid(*c.faults)
}

// position returns where a path is, or the setting that it is part of.
func position(order map[string]int, path string) int {
	for path != "" {
		if at, known := order[path]; known {
			return at
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}

func (c checker) merchant(m settings.Merchant) {
	c.at("test_key").failIf(m.TestKey != "" && m.TestKey == m.LiveKey, textTwice)
	c.at("wallets").wallets(m.Wallets)
	for i, mapping := range m.Mappings {
		at := c.at("mappings", i)
		for j, mid := range mapping.MIDs {
			at.at("mids", j).mid(mid)
		}
		for j, rule := range mapping.PreRouting {
			at.at("pre_routing", j).preRoute(rule)
		}
	}
	for i, schedule := range m.Schedules {
		c.at("schedules", i).at("day_of_month").failIf(schedule.DayOfMonth != 0 && schedule.IntervalUnit == settings.UnitDay,
			method.NotValid("It needs the interval_unit month."))
	}
	for i, form := range m.Forms {
		c.at("forms", i).form(form)
	}
}

func (c checker) mid(m settings.MID) {
	_, known := c.connectors[m.Connector]
	c.at("connector").failIf(m.Connector != "" && !known, method.TextNotChoice)
	if !c.now.IsZero() {
		c.credentials(m)
		c.at("connector").failIf(m.Connector == settings.SandboxConnector && !c.local, textSandbox)
	}
	for i, currency := range m.Currencies {
		c.at("currencies", i).possibleCurrency(m, currency)
	}
	for i, limit := range m.Limits {
		at := c.at("limits", i)
		at.at("currency").possibleCurrency(m, limit.Currency)
		at.bounds(limit.Currency, [2]string{"min", "max"}, [2]string{limit.Min, limit.Max})
	}
	for id := range m.Names {
		c.at("names").at(id).failIf(!slices.Contains(m.Methods, id), method.TextNotChoice)
	}
	for i, offer := range m.Offers {
		c.at("offers", i).offer(offer, m.Methods)
	}
	for _, id := range slices.Sorted(maps.Keys(m.Presets)) {
		c.at("presets").at(id).presets(id, m)
	}
	c.at("wallets").wallets(m.Wallets)
}

// offer checks where a method is offered: it is one of the MID's, and nobody is offered what routing refuses.
func (c checker) offer(offer settings.Offer, methods []string) {
	c.at("method").failIf(offer.Method != "" && !slices.Contains(methods, offer.Method), method.TextNotChoice)
	m, _ := method.Find(offer.Method)
	for i, country := range offer.Countries {
		c.at("countries", i).failIf(!settings.Among(m.Countries, country), method.TextNotChoice)
	}
}

// presets checks the preset values of a method: it is one of the MID's, and its table says which rows may be preset.
func (c checker) presets(id string, mid settings.MID) {
	c.failIf(!slices.Contains(mid.Methods, id), method.TextNotChoice)
	m, _ := method.Find(id)
	for _, name := range slices.Sorted(maps.Keys(mid.Presets[id])) {
		row, found := m.Preset(name)
		c.at(name).failIf(!found, method.TextNotChoice)
		if found {
			c.at(name).required(mid.Presets[id][name], row.Fault)
			c.at(name).failIf(row.Sensitive && mid.Presets[id][name] == method.Masked, method.NotValid("It is masked."))
		}
	}
}

// preRoute checks the bounds of a rule, which are in its currency. It has to be the only one.
func (c checker) preRoute(p settings.PreRoute) {
	if p.MinAmount == "" && p.MaxAmount == "" {
		return
	}
	if len(p.Currencies) == 1 {
		c.bounds(p.Currencies[0], [2]string{"min_amount", "max_amount"}, [2]string{p.MinAmount, p.MaxAmount})
	} else {
		c.at("currencies").fail(method.NotValid("A bound of the amount needs exactly one currency."))
	}
}

// bounds checks two amounts of a currency, each "" for none, and that the first is not more than the second.
func (c checker) bounds(code string, names, texts [2]string) {
	currency, found := money.Find(code)
	if !found {
		return // the currency's own check reports that
	}
	least, errLeast := money.Parse(texts[0], currency)
	most, errMost := money.Parse(texts[1], currency)
	for i, text := range texts {
		c.at(names[i]).text(text, request.AmountIn(currency))
	}
	if errLeast == nil && errMost == nil && least.Cmp(most) > 0 {
		c.at(names[0]).fail(method.NotValid("It is more than " + names[1] + "."))
	}
}

func (c checker) form(f settings.Form) {
	for i, id := range f.OptionalFields {
		c.at("optional_fields", i).failIf(slices.Contains(f.RequiredFields, id), textTwice)
	}
	state := slices.Index(f.Order, method.PayerState)
	c.at("order").failIf(state >= 0 && !slices.Contains(f.Order[:state], method.PayerCountry),
		method.NotValid("The country has to stand before its state."))
}
