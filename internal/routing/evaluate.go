package routing

import (
	"fmt"
	"slices"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// Reason says why a MID does not take a request. Codes never change, texts may.
type Reason struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

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

// midRules reject requests that a MID does not take, whatever the method.
var midRules = []struct {
	Reason
	rejects func(mid *settings.MID, req *request.Session) bool
}{
	{Reason{"disabled", "The MID is disabled."}, func(mid *settings.MID, _ *request.Session) bool { return mid.Disabled }},
	{Reason{"channel_id", "The request names another channel_id."}, func(mid *settings.MID, req *request.Session) bool {
		return req.ChannelID != "" && req.ChannelID != mid.ChannelID
	}},
	{Reason{"operation", "The MID does not carry this operation out."}, func(mid *settings.MID,
		req *request.Session) bool {
		return !slices.Contains(mid.DeclaredOperations(), req.Operation)
	}},
	{Reason{"currency", "The MID does not take this currency."}, func(mid *settings.MID, req *request.Session) bool {
		return len(mid.Currencies) > 0 && !slices.Contains(mid.Currencies, req.Order.Currency)
	}},
	{Reason{"limit", "The amount is not within the MID's limits."},
		func(mid *settings.MID, req *request.Session) bool { return mid.OutsideLimits(req.Order) }},
	{Reason{"capture_type", "The MID's capture type does not fit auth."},
		func(mid *settings.MID, req *request.Session) bool { return !mid.Captures(req) }},
}

// connectorRules reject requests that need what a MID's connector does not support.
var connectorRules = []struct {
	Reason
	rejects func(can settings.Declaration, req *request.Session) bool
}{
	{Reason{"connector_operation", "The MID's connector can't do this operation."},
		func(can settings.Declaration, req *request.Session) bool {
			return !slices.Contains(can.Operations, req.Operation)
		}},
	{Reason{"connector_auth", "The MID's connector can't authorise first and capture later."},
		func(can settings.Declaration, req *request.Session) bool {
			return req.Auth && !can.Capture
		}},
	{Reason{"connector_saved_card", "The MID's connector can't charge saved cards."},
		func(can settings.Declaration, req *request.Session) bool {
			return (len(req.CardTokens) > 0 || req.ReqToken) && !can.SavedCards
		}},
	{Reason{"connector_recurring", "The MID's connector can't charge without the payer."},
		func(can settings.Declaration, req *request.Session) bool {
			return req.RecurringInit && !can.Recurring
		}},
	{Reason{"connector_amount", "The MID's connector needs order.amount."},
		func(can settings.Declaration, req *request.Session) bool {
			return req.Order.Amount.EnteredAtProvider() && !can.AnyAmount
		}},
}

var connectorUnknown = Reason{"connector_unknown", "The service has no connector of the MID's name."}

// methodRules reject requests that can't be paid with a method of a MID.
var methodRules = []struct {
	Reason
	rejects func(m method.Method, c candidate) bool
}{
	{Reason{"method_unknown", "The service has no such method."},
		func(m method.Method, _ candidate) bool { return m.ID == "" }},
	{Reason{"method", "The request names other methods."},
		func(m method.Method, c candidate) bool { return len(c.req.Methods) > 0 && !c.shows(m.ID) }},
	{Reason{"pre_routing", "A pre-routing rule shows other methods."},
		func(m method.Method, c candidate) bool { return len(c.req.Methods) == 0 && !c.shows(m.ID) }},
	{Reason{"method_operation", "The method can't carry this operation out."},
		func(m method.Method, c candidate) bool { return !m.For(c.req.Operation) }},
	{Reason{"method_amount", "The method needs order.amount."},
		func(m method.Method, c candidate) bool {
			return c.req.Order.Amount.EnteredAtProvider() && !m.AmountElsewhere
		}},
	{Reason{"method_card", "Only a card fits card_token, and only a card or wallet req_token and recurring_init."},
		func(m method.Method, c candidate) bool {
			return len(c.req.CardTokens) > 0 && !m.Card ||
				(c.req.ReqToken || c.req.RecurringInit) && !m.Card && !method.IsWallet(m.ID)
		}},
	{Reason{"method_auth", "The method can't be authorised first and captured later."},
		func(m method.Method, c candidate) bool { return c.req.Auth && !m.TwoStep }},
	{Reason{"method_country", "The method is not for this billing country."},
		func(m method.Method, c candidate) bool {
			country := c.req.BillingAddress.Country
			return country != "" && !settings.Among(m.Countries, country)
		}},
	{methodCurrency,
		func(m method.Method, c candidate) bool {
			return !settings.Among(m.Currencies, c.req.Order.Currency)
		}},
	{Reason{"method_parameters", "A parameter that the method requires was not sent."},
		func(m method.Method, c candidate) bool { return lacksRows(m, c.req, c.mid.Presets[m.ID]) }},
}

var (
	methodCurrency  = Reason{"method_currency", "The method is not for this currency."}
	connectorMethod = Reason{"connector_method", "The MID's connector does not have the method."}
	mappingDisabled = Reason{"mapping_disabled", "The mapping is disabled."}
	channelMethods  = Reason{"channel_methods",
		"The MID of this channel_id does not take every method that the request names."}
)

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
