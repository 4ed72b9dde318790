package routing

import (
	"iter"
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// candidate is a MID that may take a request. Nothing but its reasons decides whether it does. They are found one by
// one: Evaluate collects all of them, FindRoute stops at the first.
type candidate struct {
	merchant   *settings.Merchant
	mapping    *settings.Mapping
	mid        *settings.MID
	req        *request.Session
	shown      []string // methods that the request or a pre-routing rule names; nil: all
	incomplete bool     // a method of the request is not on its channel
}

// candidates returns the MIDs of a merchant, in order.
func candidates(m *settings.Merchant, req *request.Session) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		incomplete := len(notOnChannel(m, req)) > 0
		for i := range m.Mappings {
			mapping := &m.Mappings[i]
			shown, _ := mapping.Shown(req)
			for j := range mapping.MIDs {
				if !yield(candidate{m, mapping, &mapping.MIDs[j], req, shown, incomplete}) {
					return
				}
			}
		}
	}
}

// connector returns the name of the connector that the MID's payments are sent to.
func (c candidate) connector() string { return c.mid.ConnectorFor(c.req.Owner) }

// with returns the MID with its connector, and with some of its methods.
func (c candidate) with(methods []string) settings.MID {
	mid := *c.mid
	mid.Connector, mid.Methods = c.connector(), methods
	return mid
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

// shows reports whether the request or a pre-routing rule names a method, or neither names any.
func (c candidate) shows(id string) bool { return c.shown == nil || slices.Contains(c.shown, id) }

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
