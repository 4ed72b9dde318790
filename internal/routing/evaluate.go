package routing

import (
	"iter"
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// Evaluation says whether one MID takes a request.
type Evaluation struct {
	Mapping *settings.Mapping
	// with the methods that the request can be paid with, and the connector that its payments are sent to
	MID     settings.MID
	Reasons []Reason // why the MID does not take the request; none: it does

	configured []string     // all methods of the MID
	notOffered []NotOffered // those of them that the request can't be paid with
}

func (e Evaluation) has(code string) bool {
	return slices.ContainsFunc(e.Reasons, func(r Reason) bool { return r.Code == code })
}

// NotOffered is a method of a MID with which a request can't be paid.
type NotOffered struct {
	Method  string   `json:"method"`
	Reasons []Reason `json:"reasons"`
}

// eligible returns the methods that the request can be paid with at the MID, none if the MID does not take the request.
func (c candidate) eligible() (methods []string) {
	if _, isOutside := c.outside(); isOutside {
		return nil
	}
	for range c.reasons {
		return nil
	}
	for _, id := range c.mid.Methods {
		if c.shows(id) && c.takes(id) {
			methods = append(methods, id)
		}
	}
	return methods
}

// takes reports whether the request can be paid with a method of the MID.
func (c candidate) takes(id string) bool {
	for range c.methodReasons(id) {
		return false
	}
	return true
}

// outside returns why the MID is not asked, whatever it takes.
func (c candidate) outside() (Reason, bool) {
	switch {
	case c.mapping.Disabled:
		return mappingDisabled, true
	case slices.Contains(c.mapping.ClosedCountries, c.req.BillingAddress.Country):
		return countryClosed, true
	case c.incomplete && c.mid.ChannelID == c.req.ChannelID:
		return channelMethods, true
	}
	return Reason{}, false
}

// reasons yields why the MID or its connector does not take the request, whatever the method.
func (c candidate) reasons(yield func(Reason) bool) {
	for i := range midRules {
		if midRules[i].rejects(c.mid, c.req) && !yield(midRules[i].Reason) {
			return
		}
	}
	can, found := c.merchant.Connectors[c.connector()]
	if !found {
		yield(connectorUnknown)
		return
	}
	for i := range connectorRules {
		if connectorRules[i].rejects(can, c.req) && !yield(connectorRules[i].Reason) {
			return
		}
	}
}

// methodReasons returns why the request can't be paid with a method of the MID.
func (c candidate) methodReasons(id string) iter.Seq[Reason] {
	return func(yield func(Reason) bool) {
		m, _ := method.Find(id)
		for i := range methodRules {
			if methodRules[i].rejects(m, c) && !yield(methodRules[i].Reason) {
				return
			}
		}
		if !c.merchant.Connectors.HasMethod(c.connector(), id) && !yield(connectorMethod) {
			return
		}
		if reason, found := c.walletReason(id); found {
			yield(reason)
		}
	}
}

// Evaluate returns for every MID of the merchant, in order, whether it takes the request, and why not. Of several
// enabled mappings with a MID that takes the request, only the first one is used.
func Evaluate(m *settings.Merchant, req *request.Session) []Evaluation {
	var all []Evaluation
	var used *settings.Mapping
	for c := range candidates(m, req) {
		e := c.evaluate()
		outside, isOutside := c.outside()
		switch {
		case isOutside:
			e.Reasons = append(e.Reasons, outside)
		case used != nil && used != c.mapping:
			e.Reasons = append(e.Reasons, Reason{"earlier_mapping", "A mapping before this one takes the request."})
		case len(e.Reasons) == 0:
			used = c.mapping
		}
		all = append(all, e)
	}
	return all
}

// evaluate finds the reasons of the MID and its connector, and those of methods that the request can't be paid with.
func (c candidate) evaluate() Evaluation {
	e := Evaluation{Mapping: c.mapping, configured: c.mid.Methods, Reasons: slices.Collect(c.reasons)}
	var eligible []string
	var rejected []Reason
	for _, id := range c.mid.Methods {
		reasons := slices.Collect(c.methodReasons(id))
		if len(reasons) == 0 {
			eligible = append(eligible, id)
			continue
		}
		rejected = append(rejected, reasons...)
		e.notOffered = append(e.notOffered, NotOffered{id, reasons})
	}
	e.MID = c.with(eligible)
	if len(eligible) == 0 {
		e.Reasons = append(e.Reasons, distinct(rejected)...)
	}
	if len(eligible) == 0 && len(rejected) == 0 {
		e.Reasons = append(e.Reasons, Reason{"no_methods", "The MID has no methods."})
	}
	return e
}
