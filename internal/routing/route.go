// Package routing decides which MID takes a request, and says why the others do not: by the merchant's settings, what
// the connectors declare, the methods that the payer is offered, and weights.
package routing

import (
	"encoding/binary"
	"slices"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// Route is the mapping of a session, and its MIDs that take the session's payments, in the mapping's order.
type Route struct {
	Mapping  *settings.Mapping
	MIDs     []settings.MID // each with the methods that this request can be paid with
	shown    []string       // methods that the request or a pre-routing rule names, in that order; nil: all
	Required []string       // page field ids that the mapping and the form require
	Form     settings.Form  // the custom form of the request, empty for none

	owner    fault.Owner
	merchant *settings.Merchant

	named             []string // methods that the request names
	country, currency string   // of the payer, "" for not known, and of the order
}

// FindRoute returns the route by the first enabled mapping with a MID that takes the request.
// Errors: CodeDenied if only a disabled mapping has such a MID; CodeInvalid.
func FindRoute(m *settings.Merchant, req *request.Session) (Route, error) {
	r := Route{
		owner: req.Owner, merchant: m, named: req.Methods,
		country: req.BillingAddress.Country, currency: req.Order.Currency,
	}
	for c := range candidates(m, req) {
		if r.Mapping != nil && r.Mapping != c.mapping {
			break
		}
		if methods := c.eligible(); len(methods) > 0 {
			r.Mapping, r.MIDs = c.mapping, append(r.MIDs, c.with(methods))
		}
	}
	if r.Mapping == nil {
		return r, routeError(m, req, Evaluate(m, req))
	}
	r.shown, _ = r.Mapping.Shown(req)
	r.Form = m.FormNamed(req.FormID)
	r.Required = slices.Concat(r.Mapping.RequiredFields, r.Form.RequiredFields)
	if req.VATCalc && len(r.Mapping.VATRates) > 0 {
		r.Required = append(r.Required, method.PayerCountry) // shown only if the request has none
	}
	return r, nil
}

// routeError returns the most specific error for a request that no MID takes.
func routeError(m *settings.Merchant, req *request.Session, evaluations []Evaluation) error {
	if faults := notOnChannel(m, req); len(faults) > 0 {
		return fault.Invalid(faults)
	}
	candidates, able := 0, 0 // enabled MIDs with the request's channel_id, and those of them that support the operation
	for _, e := range evaluations {
		switch {
		case len(e.Reasons) == 1 && e.has("mapping_disabled"):
			return fault.ErrDenied()
		case e.has("mapping_disabled") || e.has("disabled") || e.has("channel_id"):
		case e.has("operation"), e.has("connector_operation"):
			candidates++
		default:
			candidates, able = candidates+1, able+1
		}
	}
	if candidates > 0 && able == 0 {
		return fault.Invalid([]fault.Fault{{Number: fault.NumberOperation, Path: "operation",
			Text: "This operation is not supported."}})
	}
	return ErrNoMapping()
}

// ErrNoMapping returns the error for a request that no mapping takes.
func ErrNoMapping() *fault.Error {
	return fault.RefuseAs(fault.CodeInvalid, fault.NumberNoMapping, "Protocol mapping not found.")
}

// Methods returns the methods that the payer can choose, each once, in the order in which they are shown. Those that
// are not for the payer's country or the order's currency are left out, as long as one is left. What the request names
// is shown outside its market, too.
func (r Route) Methods() []string {
	var taken []string
	for _, mid := range r.MIDs {
		taken = append(taken, mid.Methods...)
	}
	all := distinct(taken)
	if r.shown != nil {
		all = distinct(slices.DeleteFunc(slices.Clone(r.shown),
			func(name string) bool { return !slices.Contains(taken, name) }))
	}
	fitting := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		m, _ := method.Find(name)
		return !m.Fits(r.country, r.currency) ||
			!slices.Contains(r.named, name) && len(r.markets(m, r.country)) == 0
	})
	if len(fitting) == 0 {
		return all
	}
	return fitting
}

// markets returns the markets of a method at the route's MIDs that have payers of a country, "" for any, who pay in the
// order's currency.
func (r Route) markets(m method.Method, country string) (all []method.Market) {
	for i := range r.MIDs {
		market := r.MIDs[i].Offers.MarketOf(m)
		if slices.Contains(r.MIDs[i].Methods, m.ID) && market.Has(country, r.currency) {
			all = append(all, market)
		}
	}
	return all
}

// CountriesOf returns the countries whose payers use a method in the order's currency, none if it is for all.
func (r Route) CountriesOf(m method.Method) (countries []string) {
	if len(m.Countries) == 0 && slices.Contains(r.named, m.ID) {
		return nil
	}
	for _, market := range r.markets(m, "") {
		if len(market.Countries) == 0 {
			return nil
		}
		for _, country := range market.Countries {
			if market.Has(country, r.currency) {
				countries = append(countries, country)
			}
		}
	}
	return distinct(countries)
}

// NeedsCardName reports whether a MID that takes a method may need the name on the card. The MIDs of a payment with the
// test key need what their own connectors do, not the sandbox.
func (r Route) NeedsCardName(id string) bool {
	return slices.ContainsFunc(r.MIDs, func(mid settings.MID) bool {
		own, _ := r.merchant.MID(r.Mapping.Name, mid.Name)
		switch can, found := r.merchant.Connectors[own.Connector]; {
		case !slices.Contains(mid.Methods, id):
			return false
		case mid.CardName != nil:
			return *mid.CardName
		default:
			return !found || can.CardName
		}
	})
}

// NameOf returns the name that the first MID with one has for a method, "" for none.
func (r Route) NameOf(id string) string {
	for _, mid := range r.MIDs {
		if name := mid.Names[id]; name != "" && slices.Contains(mid.Methods, id) {
			return name
		}
	}
	return ""
}

// Networks returns the networks of cards that the MIDs name which take a method, in the order of
// settings.CardNetworks; none if none names any.
func (r Route) Networks(id string) []string {
	var networks []string
	for _, network := range settings.CardNetworks {
		if slices.ContainsFunc(r.MIDs, func(mid settings.MID) bool {
			return slices.Contains(mid.Methods, id) && slices.Contains(mid.Networks, network)
		}) {
			networks = append(networks, network)
		}
	}
	return networks
}

// Order returns the MIDs that take the method, in the order in which they are tried: first those with a weight, in a
// random order, where each place is drawn by the weights of the remaining ones; then the others in the mapping's order.
func (r Route) Order(name string, random func(n int) []byte) []settings.MID {
	drawn, rest := r.ByWeight(name)
	for i := range drawn {
		j := i + draw(drawn[i:], random)
		drawn[i], drawn[j] = drawn[j], drawn[i]
	}
	return append(drawn, rest...)
}

// withMethod returns the MIDs that take the method, in the mapping's order.
func (r Route) withMethod(name string) []*settings.MID {
	takes := make([]*settings.MID, 0, len(r.MIDs))
	for i := range r.MIDs {
		if slices.Contains(r.MIDs[i].Methods, name) {
			takes = append(takes, &r.MIDs[i])
		}
	}
	return r.withWallet(name, takes)
}

// ByWeight returns the MIDs that take the method: those with a weight, and those without.
func (r Route) ByWeight(name string) (weighted, rest []settings.MID) {
	for _, mid := range r.withMethod(name) {
		switch {
		case mid.Weight > 0:
			weighted = append(weighted, *mid)
		default:
			rest = append(rest, *mid)
		}
	}
	return weighted, rest
}

// First returns the MIDs of which Order has one at its head: all those with a weight, each as often as its share of
// their weights, or else the first of the others. None if no MID takes the method.
func (r Route) First(name string) []ExplainedTry {
	var weighted []ExplainedTry
	takes := r.withMethod(name)
	for _, mid := range takes {
		if mid.Weight > 0 {
			weighted = append(weighted, ExplainedTry{mid.Name, mid.Weight})
		}
	}
	if len(weighted) == 0 && len(takes) > 0 {
		return []ExplainedTry{{takes[0].Name, 0}}
	}
	return weighted
}

// draw returns the index of a random MID, each with the probability weight / sum of weights. The remainder of 64 random
// bits is not exactly uniform, but no probability is wrong by more than one part in a billion.
func draw(mids []settings.MID, random func(n int) []byte) int {
	if len(mids) == 1 {
		return 0
	}
	sum := uint64(0)
	for _, mid := range mids {
		sum += uint64(mid.Weight)
	}
	at := binary.BigEndian.Uint64(random(8)) % sum
	for i, mid := range mids {
		if at < uint64(mid.Weight) {
			return i
		}
		at -= uint64(mid.Weight)
	}
	panic("draw: the weights do not add up to their sum")
}

// MIDNames returns the names of MIDs, in their order.
func MIDNames(mids []settings.MID) []string {
	var all []string
	for _, mid := range mids {
		all = append(all, mid.Name)
	}
	return all
}
