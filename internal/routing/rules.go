package routing

import (
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
	{Reason{"method_closed", "An operator has closed the method for now."},
		func(m method.Method, c candidate) bool { return slices.Contains(c.mapping.ClosedMethods, m.ID) }},
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
	methodCurrency = Reason{"method_currency", "The method is not for this currency."}
	methodMarket   = Reason{"method_market",
		"The page offers the method elsewhere: to payers of other countries, or in other currencies."}
	connectorMethod = Reason{"connector_method", "The MID's connector does not have the method."}
	mappingDisabled = Reason{"mapping_disabled", "The mapping is disabled."}
	countryClosed   = Reason{"country_closed", "An operator has closed this billing country for now."}
	channelMethods  = Reason{"channel_methods",
		"The MID of this channel_id does not take every method that the request names."}
)
