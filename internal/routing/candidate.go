package routing

import (
	"fmt"
	"iter"
	"slices"

	"checkout/internal/fault"
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

// shows reports whether the request or a pre-routing rule names a method, or neither names any.
func (c candidate) shows(id string) bool { return c.shown == nil || slices.Contains(c.shown, id) }

// notOnChannel returns a fault for every method that a request names, but no MID with the request's channel_id takes
// (protocol.md, Common fields). There is none if no MID has the channel_id at all.
func notOnChannel(m *settings.Merchant, req *request.Session) []fault.Fault {
	if req.ChannelID == "" {
		return nil
	}
	var taken []string
	found := false
	for _, mapping := range m.Mappings {
		for _, mid := range mapping.MIDs {
			if mid.ChannelID == req.ChannelID && !mid.Disabled && !mapping.Disabled {
				found, taken = true, append(taken, mid.Methods...)
			}
		}
	}
	var faults []fault.Fault
	for i, name := range req.Methods {
		if found && !slices.Contains(taken, name) {
			faults = append(faults, fault.Of(fmt.Sprintf("methods[%d]", i), method.TextNotChoice))
		}
	}
	return faults
}

// distinct returns a list without repeated values, in the same order.
func distinct[T comparable](all []T) []T {
	var unique []T
	for _, one := range all {
		if !slices.Contains(unique, one) {
			unique = append(unique, one)
		}
	}
	return unique
}
