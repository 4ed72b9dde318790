package settings

import (
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/signature"
)

// Check finds what is wrong in a merchant's settings. What has an end has to be good at now; if that is zero, neither
// ends are checked nor connectors and credentials, which another release may declare differently. In a local run
// providers may be at loopback addresses, also by http, and MIDs may name the sandbox.
// Errors: CodeInvalid with every fault, whose paths are the JSON names: mappings[0].mids[1].limits[0].min.
func Check(m Merchant, now time.Time, local bool) error {
	c := settings{faults: new([]fault.Fault), connectors: m.Connectors, now: now, local: local}
	c.merchant(m)
	if len(*c.faults) > 0 {
		return fault.Invalid(*c.faults)
	}
	return nil
}

// maxSetting is the upper bound of most numbers in settings, far above what anybody needs.
const maxSetting = 1_000_000

// texts returns operations as texts.
func texts(operations []method.Operation) []string {
	var all []string
	for _, o := range operations {
		all = append(all, string(o))
	}
	return all
}

func (c settings) merchant(m Merchant) {
	c.at("id").required(m.ID, request.UpTo(255))
	c.at("live_key").required(m.LiveKey, request.UpTo(255))
	c.at("test_key").required(m.TestKey, request.UpTo(255))
	c.at("test_key").failIf(m.TestKey != "" && m.TestKey == m.LiveKey, textTwice)
	c.at("password").failIf(m.Password == "", method.TextBlank)
	if _, err := signature.Webhook(m.CallbackSecret, "check", time.Time{}, nil); err != nil {
		c.at("callback_secret").fail(method.NotValid("It should be whsec_ and base64."))
	}
	c.at("notification_url").text(m.NotificationURL, request.IsReceiver)
	c.at("test_notification_url").text(m.TestNotificationURL, request.IsReceiver)
	c.at("rate_limit").count(m.RateLimit, maxSetting)
	c.at("branding").branding(m.Branding)
	c.at("wallets").wallets(m.Wallets)
	for i, mapping := range m.Mappings {
		at := c.at("mappings", i)
		at.mapping(mapping)
		sameName := func(o Mapping) bool { return o.Name == mapping.Name }
		at.at("name").failIf(slices.ContainsFunc(m.Mappings[:i], sameName), textTwice)
	}
	for i, schedule := range m.Schedules {
		at := c.at("schedules", i)
		at.schedule(schedule)
		sameID := func(o Schedule) bool { return o.ID == schedule.ID }
		at.at("id").failIf(slices.ContainsFunc(m.Schedules[:i], sameID), textTwice)
	}
	for i, form := range m.Forms {
		at := c.at("forms", i)
		at.form(form)
		sameID := func(o Form) bool { return strings.EqualFold(o.ID, form.ID) }
		at.at("id").failIf(slices.ContainsFunc(m.Forms[:i], sameID), textTwice)
	}
}

func (c settings) mapping(m Mapping) {
	c.at("name").required(m.Name, request.UpTo(255))
	c.at("max_declines").count(m.MaxDeclines, maxSetting)
	c.at("customer_name").text(string(m.CustomerName), request.OneOf(request.NameRequired, request.NameOff))
	c.each("required_fields", m.RequiredFields, isKnownField)
	c.at("language").text(m.Language, request.OneOf(request.Languages...))
	c.each("return_schemes", m.ReturnSchemes, isAppScheme)
	for i, mid := range m.MIDs {
		at := c.at("mids", i)
		at.mid(mid)
		sameName := func(o MID) bool { return o.Name == mid.Name }
		at.at("name").failIf(slices.ContainsFunc(m.MIDs[:i], sameName), textTwice)
	}
	for i, rule := range m.PreRouting {
		c.at("pre_routing", i).preRoute(rule)
	}
	for _, country := range slices.Sorted(maps.Keys(m.VATRates)) {
		at := c.at("vat_rates").at(country)
		at.required(country, isKnownCountry)
		at.required(m.VATRates[country], isRate)
	}
	c.at("compatibility").compatibility(m.Compatibility)
	c.at("pay_limit").count(m.PayLimit, maxSetting)
}

func (c settings) mid(m MID) {
	c.at("name").required(m.Name, request.UpTo(255))
	c.at("channel_id").text(m.ChannelID, request.UpTo(16))
	c.at("connector").required(m.Connector, request.OrElse(method.TextNotChoice, c.isKnownConnector))
	if !c.now.IsZero() {
		c.credentials(m)
		c.at("connector").failIf(m.Connector == SandboxConnector && !c.local, textSandbox)
	}
	c.at("methods").failIf(len(m.Methods) == 0, method.TextBlank)
	c.each("methods", m.Methods, isKnownMethod)
	c.each("currencies", m.Currencies, isKnownCurrency)
	for i, currency := range m.Currencies {
		c.at("currencies", i).possibleCurrency(m, currency)
	}
	c.each("operations", texts(m.Operations), isKnownOperation)
	for i, limit := range m.Limits {
		at := c.at("limits", i)
		at.at("currency").required(limit.Currency, isKnownCurrency)
		at.at("currency").possibleCurrency(m, limit.Currency)
		sameCurrency := func(o Limit) bool { return o.Currency == limit.Currency }
		at.at("currency").failIf(slices.ContainsFunc(m.Limits[:i], sameCurrency), textTwice)
		at.bounds(limit.Currency, [2]string{"min", "max"}, [2]string{limit.Min, limit.Max})
	}
	c.at("capture_type").text(string(m.CaptureType), request.OneOf(CaptureBoth, CaptureSMS, CaptureDMS))
	c.at("offline_expiry").count(m.OfflineExpiry, MaxOfflineExpiry)
	c.at("weight").count(m.Weight, maxSetting)
	for _, id := range slices.Sorted(maps.Keys(m.Names)) {
		at := c.at("names").at(id)
		at.failIf(!slices.Contains(m.Methods, id), method.TextNotChoice)
		at.required(m.Names[id], isMethodName)
	}
	c.each("networks", m.Networks, request.OneOf(CardNetworks...))
	for _, id := range slices.Sorted(maps.Keys(m.Presets)) {
		c.at("presets").at(id).presets(id, m)
	}
	c.at("wallets").wallets(m.Wallets)
}

// presets checks the preset values of a method: it is one of the MID's, and its table says which rows may be preset.
func (c settings) presets(id string, mid MID) {
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

// preRoute checks a pre-routing rule. Bounds of the amount are in the rule's currency, which has to be the only one.
func (c settings) preRoute(p PreRoute) {
	c.each("operations", texts(p.Operations), isKnownOperation)
	c.each("currencies", p.Currencies, isKnownCurrency)
	c.each("countries", p.Countries, isKnownCountry)
	if p.MinAmount != "" || p.MaxAmount != "" {
		if len(p.Currencies) == 1 {
			c.bounds(p.Currencies[0], [2]string{"min_amount", "max_amount"}, [2]string{p.MinAmount, p.MaxAmount})
		} else {
			c.at("currencies").fail(method.NotValid("A bound of the amount needs exactly one currency."))
		}
	}
	c.at("methods").failIf(len(p.Methods) == 0, method.TextBlank)
	c.each("methods", p.Methods, isKnownMethod)
}

// bounds checks two amounts of a currency, each "" for none, and that the first is not more than the second.
func (c settings) bounds(code string, names, texts [2]string) {
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

// maxInterval keeps every date of a schedule within the calendar that JSON can write.
const maxInterval = 366

func (c settings) schedule(s Schedule) {
	c.at("id").required(s.ID, request.UpTo(255))
	c.at("interval_length").failIf(s.IntervalLength == 0, "This value should be 1 or more.")
	c.at("interval_length").count(s.IntervalLength, maxInterval)
	c.at("interval_unit").required(string(s.IntervalUnit), request.OneOf(UnitDay, UnitMonth))
	c.at("day_of_month").count(s.DayOfMonth, 31)
	c.at("day_of_month").failIf(s.DayOfMonth != 0 && s.IntervalUnit == UnitDay,
		method.NotValid("It needs the interval_unit month."))
	c.at("payments_count").count(s.PaymentsCount, maxSetting)
	c.at("delays").count(s.Delays, 100)
}
