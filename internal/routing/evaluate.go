package routing

import (
	"fmt"
	"slices"

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

// connectorReasons returns why the connector of that name rejects a request.
func connectorReasons(d settings.Declarations, connector string, req *request.Session) (all []Reason) {
	can, found := d[connector]
	if !found {
		return []Reason{connectorUnknown}
	}
	for _, rule := range connectorRules {
		if rule.rejects(can, req) {
			all = append(all, rule.Reason)
		}
	}
	return all
}

// methodRules reject requests that can't be paid with a method of a MID. shown are the methods that the request or a
// pre-routing rule names, nil for all.
var methodRules = []struct {
	Reason
	rejects func(m method.Method, req *request.Session, shown []string) bool
}{
	{Reason{"method_unknown", "The service has no such method."},
		func(m method.Method, _ *request.Session, _ []string) bool { return m.ID == "" }},
	{Reason{"method", "The request names other methods."}, func(m method.Method, req *request.Session, _ []string) bool {
		return len(req.Methods) > 0 && !slices.Contains(req.Methods, m.ID)
	}},
	{Reason{"pre_routing", "A pre-routing rule shows other methods."},
		func(m method.Method, req *request.Session, shown []string) bool {
			return len(req.Methods) == 0 && shown != nil && !slices.Contains(shown, m.ID)
		}},
	{Reason{"method_operation", "The method can't carry this operation out."},
		func(m method.Method, req *request.Session, _ []string) bool {
			return !m.For(req.Operation)
		}},
	{Reason{"method_amount", "The method needs order.amount."},
		func(m method.Method, req *request.Session, _ []string) bool {
			return req.Order.Amount.EnteredAtProvider() && !m.AmountElsewhere
		}},
	{Reason{"method_card", "Only a card fits card_token, and only a card or wallet req_token and recurring_init."},
		func(m method.Method, req *request.Session, _ []string) bool {
			return len(req.CardTokens) > 0 && !m.Card || (req.ReqToken || req.RecurringInit) && !m.Card && !method.IsWallet(m.ID)
		}},
	{Reason{"method_auth", "The method can't be authorised first and captured later."},
		func(m method.Method, req *request.Session, _ []string) bool {
			return req.Auth && !m.TwoStep
		}},
	{Reason{"method_country", "The method is not for this billing country."},
		func(m method.Method, req *request.Session, _ []string) bool {
			return req.BillingAddress.Country != "" && !settings.Among(m.Countries, req.BillingAddress.Country)
		}},
	{Reason{"method_currency", "The method is not for this currency."},
		func(m method.Method, req *request.Session, _ []string) bool {
			return !settings.Among(m.Currencies, req.Order.Currency)
		}},
}

var methodParameters = Reason{"method_parameters", "A parameter that the method requires was not sent."}

// evaluate returns for every MID of the merchant, in order, whether it takes the request, and why not. Nothing else
// decides that. Of several enabled mappings with a MID that takes the request, only the first one is used.
func evaluate(m *settings.Merchant, req *request.Session) []Evaluation {
	mids := 0
	for i := range m.Mappings {
		mids += len(m.Mappings[i].MIDs)
	}
	all := make([]Evaluation, 0, mids)
	var used *settings.Mapping
	incomplete := len(notOnChannel(m, req)) > 0
	for i := range m.Mappings {
		mapping := &m.Mappings[i]
		shown, _ := mapping.Shown(req)
		for _, mid := range mapping.MIDs {
			e := Evaluation{Mapping: mapping, MID: mid, configured: mid.Methods}
			e.MID.Connector, e.MID.Wallets = mid.ConnectorFor(req.Owner), m.WalletsFor(req.Owner, &mid)
			e.evaluate(req, shown, m.Connectors)
			switch {
			case mapping.Disabled:
				e.Reasons = append(e.Reasons, Reason{"mapping_disabled", "The mapping is disabled."})
			case incomplete && mid.ChannelID == req.ChannelID:
				e.Reasons = append(e.Reasons, Reason{"channel_methods",
					"The MID of this channel_id does not take every method that the request names."})
			case used != nil && used != mapping:
				e.Reasons = append(e.Reasons, Reason{"earlier_mapping", "A mapping before this one takes the request."})
			case len(e.Reasons) == 0:
				used = mapping
			}
			all = append(all, e)
		}
	}
	return all
}

// evaluate finds the reasons of the MID and its connector, and narrows its methods to those that the request
// can be paid with.
func (e *Evaluation) evaluate(req *request.Session, shown []string, connectors settings.Declarations) {
	for _, rule := range midRules {
		if rule.rejects(&e.MID, req) {
			e.Reasons = append(e.Reasons, rule.Reason)
		}
	}
	e.Reasons = append(e.Reasons, connectorReasons(connectors, e.MID.Connector, req)...)
	var eligible []string
	var rejected []Reason
	for _, id := range e.MID.Methods {
		reasons := e.methodReasons(id, req, shown, connectors)
		if len(reasons) == 0 {
			eligible = append(eligible, id)
			continue
		}
		rejected = append(rejected, reasons...)
		e.notOffered = append(e.notOffered, NotOffered{id, reasons})
	}
	e.MID.Methods = eligible
	if len(eligible) == 0 {
		e.Reasons = append(e.Reasons, distinct(rejected)...)
	}
	if len(eligible) == 0 && len(rejected) == 0 {
		e.Reasons = append(e.Reasons, Reason{"no_methods", "The MID has no methods."})
	}
}

// methodReasons returns why a request can't be paid with a method of the MID.
func (e *Evaluation) methodReasons(
	id string, req *request.Session, shown []string, connectors settings.Declarations,
) (all []Reason) {
	m, _ := method.Find(id)
	for _, rule := range methodRules {
		if rule.rejects(m, req, shown) {
			all = append(all, rule.Reason)
		}
	}
	for range lackingRows(&m, req, e.MID.Presets[id], method.Required) {
		all = append(all, methodParameters)
		break
	}
	if !connectors.HasMethod(e.MID.Connector, id) {
		all = append(all, Reason{"connector_method", "The MID's connector does not have the method."})
	}
	if reason, found := walletReason(connectors, req, &e.MID, id); found {
		all = append(all, reason)
	}
	return all
}

// notOnChannel returns a fault for every method that a request names, but no MID with the request's channel_id takes
// (protocol.md, Common fields). There is none if no MID has the channel_id at all.
func notOnChannel(m *settings.Merchant, req *request.Session) []request.Fault {
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
	var faults []request.Fault
	for i, name := range req.Methods {
		if found && !slices.Contains(taken, name) {
			faults = append(faults, request.Fault{Code: request.FaultInvalid, Path: fmt.Sprintf("methods[%d]", i),
				Text: method.TextNotChoice})
		}
	}
	return faults
}
