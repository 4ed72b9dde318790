// Package settings holds what an operator has set for merchants (mappings, MIDs, wallets, schedules, forms, keys and
// secrets), and checks it.
package settings

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// Merchant is what an operator has set for one merchant (protocol.md, Settings). Password, CallbackSecret and the MIDs'
// Credentials are stored apart from it, encrypted.
type Merchant struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	LiveKey        string `json:"live_key"`
	TestKey        string `json:"test_key"` // its payments always go to the sandbox connector
	Password       string `json:"password,omitempty"`
	CallbackSecret string `json:"callback_secret,omitempty"` // Standard Webhooks form, "whsec_" and base64

	NotificationURL     string `json:"notification_url"`
	TestNotificationURL string `json:"test_notification_url"`
	CallbackJSON        *bool  `json:"callback_json,omitempty"` // true: JSON, false: forms, nil: see CallbacksAreJSON

	SHA256    bool       `json:"sha256,omitempty"` // sha256 replaces md5 inside every hash
	Disabled  bool       `json:"disabled,omitempty"`
	RateLimit int        `json:"rate_limit,omitempty"` // requests a second and instance of a function; 0: DefaultRateLimit
	Mappings  []Mapping  `json:"mappings"`
	Schedules []Schedule `json:"schedules,omitempty"`
	Forms     []Form     `json:"forms,omitempty"`
	Branding  Branding   `json:"branding,omitzero"`
	Wallets   Wallets    `json:"wallets,omitzero"`

	// Connectors are the connectors of the service, which MIDs may name. They are not a setting, and are set when
	// settings are read or checked.
	Connectors Declarations `json:"-"`

	old replacedValues
}

// Mapping is a protocol mapping: how the checkout protocol behaves for a merchant, and the MIDs that take its payments.
type Mapping struct {
	Name             string `json:"name"`
	Disabled         bool   `json:"disabled,omitempty"`
	MaxDeclines      int    `json:"max_declines,omitempty"` // 0: the default, 3
	ReturnParameters bool   `json:"return_parameters,omitempty"`

	HashOnEveryReturn  bool `json:"hash_on_every_return,omitempty"`  // not only on success_url
	OnePaymentPerOrder bool `json:"one_payment_per_order,omitempty"` // refuses a session for an order that is paid
	SaveCards          bool `json:"save_cards,omitempty"`            // payers may save cards, and remove saved ones

	CancelEndsSession *bool `json:"cancel_ends_session,omitempty"` // see EndsOnCancel

	ExtendedData   bool              `json:"extended_data,omitempty"`
	CustomerName   request.NameRule  `json:"customer_name,omitempty"`
	RequiredFields []string          `json:"required_fields,omitempty"` // ids of page fields that payers have to fill in
	Language       string            `json:"language,omitempty"`        // if checkout_language is absent; default: en
	MIDs           []MID             `json:"mids"`                      // in the order of cascading
	PreRouting     []PreRoute        `json:"pre_routing,omitempty"`
	VATRates       map[string]string `json:"vat_rates,omitempty"`     // per cent by country: "DE": "19"
	ReturnSchemes  []string          `json:"return_schemes,omitzero"` // of apps; absent: all but those of systems
	Compatibility  Compatibility     `json:"compatibility,omitempty"`
	PayLimit       int               `json:"pay_limit,omitempty"` // attempts a minute in one session; 0: the default, 5

	ClosedMethods   []string `json:"closed_methods,omitempty"`   // nobody can pay with them for now
	ClosedCountries []string `json:"closed_countries,omitempty"` // billing countries from which nobody can pay for now
}

// PreRoute is a pre-routing rule: which methods are shown for a request that names none. The first rule that matches
// the request decides. An empty condition matches every request.
type PreRoute struct {
	Operations []method.Operation `json:"operations,omitempty"`
	Currencies []string           `json:"currencies,omitempty"`
	Countries  []string           `json:"countries,omitempty"`  // billing_address.country
	MinAmount  string             `json:"min_amount,omitempty"` // decimal text, only beside one currency
	MaxAmount  string             `json:"max_amount,omitempty"`
	Methods    []string           `json:"methods"` // in the order in which they are shown
}

// DefaultMaxDeclines is the 'Maximum number of declines' of a mapping that sets none (protocol.md, Sessions).
const DefaultMaxDeclines = 3

// DefaultPayLimit is how many payment attempts a minute a session allows if its mapping sets no limit.
const DefaultPayLimit = 5

// MID is one account with a provider.
type MID struct {
	Name        string             `json:"name"`
	ChannelID   string             `json:"channel_id,omitempty"`
	Connector   string             `json:"connector"`
	Credentials map[string]string  `json:"credentials,omitempty"`
	Methods     []string           `json:"methods"`
	Currencies  []string           `json:"currencies,omitempty"` // empty: all
	Operations  []method.Operation `json:"operations,omitempty"` // empty: purchase only
	Limits      []Limit            `json:"limits,omitempty"`     // of amounts, at most one per currency
	CaptureType CaptureType        `json:"capture_type,omitempty"`

	// Names are the MID's own names of methods, which payers see in place of the page's, such as that of its bank.
	Names    map[string]string `json:"names,omitempty"`
	Networks []string          `json:"networks,omitempty"` // of cards that it takes, for the page to show; of CardNetworks

	Offers Offers `json:"offers,omitempty"` // where the page offers methods, in place of the catalogue's countries

	// Presets are values of parameters that requests need not have, by method and row.
	Presets map[string]map[string]string `json:"presets,omitempty"`
	Wallets Wallets                      `json:"wallets,omitzero"` // win over the merchant's, wallet by wallet

	// OfflineExpiry is how many hours payers have for vouchers and transfers, which they pay elsewhere with the details
	// that they are shown: 1 to 720; 0: the default, 72.
	OfflineExpiry int `json:"offline_expiry,omitempty"`

	Weight       int  `json:"weight,omitempty"`        // share of first tries; 0: tried after all others
	SecurityCode bool `json:"security_code,omitempty"` // requires the security code of a saved card again
	Disabled     bool `json:"disabled,omitempty"`

	CardName *bool `json:"card_name,omitempty"` // needs the name on a card; absent: as its connector declares

	stored storedCredentials
}

// CardNetworks are those of which the page has marks.
var CardNetworks = []string{
	"visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay", "maestro",
}

// DefaultOfflineExpiry and MaxOfflineExpiry are those of MID.OfflineExpiry.
const (
	DefaultOfflineExpiry = 3 * 24
	MaxOfflineExpiry     = 30 * 24
)

// OfflineTime returns how long payers have for vouchers and transfers.
func (mid MID) OfflineTime() time.Duration {
	return time.Duration(cmp.Or(mid.OfflineExpiry, DefaultOfflineExpiry)) * time.Hour
}

// EachMID calls f with every MID and the name of its mapping.
func (m *Merchant) EachMID(f func(mapping string, mid *MID)) {
	for i := range m.Mappings {
		for j := range m.Mappings[i].MIDs {
			f(m.Mappings[i].Name, &m.Mappings[i].MIDs[j])
		}
	}
}

// Limit is the least and the most that one payment may be in a currency, as decimal texts; "" is no limit.
type Limit struct {
	Currency string `json:"currency"`
	Min      string `json:"min,omitempty"`
	Max      string `json:"max,omitempty"`
}

// CaptureType says whether a MID takes payments in one step, in two, or both.
type CaptureType string

// The capture types. The zero value takes both.
const (
	CaptureBoth CaptureType = "SMS/DMS"
	CaptureSMS  CaptureType = "SMS" // settles at once
	CaptureDMS  CaptureType = "DMS" // authorises, to be captured
)

// CallbackURL returns the address of callbacks in the owner's mode, live or test.
func (m *Merchant) CallbackURL(o fault.Owner) string {
	if o.Test {
		return m.TestNotificationURL
	}
	return m.NotificationURL
}

// MID returns the MID of that name in a mapping, and whether it exists.
func (m *Merchant) MID(mapping, name string) (MID, bool) {
	if m == nil {
		return MID{}, false
	}
	mids := m.MappingNamed(mapping).MIDs
	i := slices.IndexFunc(mids, func(mid MID) bool { return mid.Name == name })
	if i < 0 {
		return MID{}, false
	}
	return mids[i], true
}

// ConnectorFor returns the connector of the MID's payments, in test mode always the sandbox.
func (mid MID) ConnectorFor(o fault.Owner) string {
	if o.Test {
		return SandboxConnector
	}
	return mid.Connector
}

// MappingNamed returns the merchant's mapping of that name, or one with default settings if it was removed.
func (m *Merchant) MappingNamed(name string) *Mapping {
	for i := range m.Mappings {
		if m.Mappings[i].Name == name {
			return &m.Mappings[i]
		}
	}
	return &Mapping{Name: name}
}

// DeclineLimit returns the mapping's 'Maximum number of declines' (protocol.md, Sessions).
func (m *Mapping) DeclineLimit() int {
	if m.MaxDeclines == 0 {
		return DefaultMaxDeclines
	}
	return m.MaxDeclines
}

// ScheduleNamed returns the merchant's schedule with an id, nil if there is none.
func (m *Merchant) ScheduleNamed(id string) *Schedule {
	if m == nil || id == "" {
		return nil
	}
	for i := range m.Schedules {
		if m.Schedules[i].ID == id {
			return &m.Schedules[i]
		}
	}
	return nil
}

// HasSchedule reports whether the merchant has a schedule with an id.
func (m *Merchant) HasSchedule(id string) bool { return m.ScheduleNamed(id) != nil }

// Captures reports whether the MID's capture type allows a request (protocol.md, Routing): auth needs DMS, a purchase
// without auth needs SMS, other operations need neither.
func (mid *MID) Captures(req *request.Session) bool {
	switch mid.CaptureType {
	case CaptureSMS:
		return !req.Auth
	case CaptureDMS:
		return req.Auth || req.Operation != method.Purchase
	}
	return true
}

// DeclaredOperations returns the MID's operations, with the default if none are set.
func (mid *MID) DeclaredOperations() []method.Operation {
	if len(mid.Operations) == 0 {
		return []method.Operation{method.Purchase}
	}
	return mid.Operations
}

// Shown returns the methods that the payer is offered, in their order: those that the request names, or else those of
// the first pre-routing rule that matches it, whose index is rule. If neither is there, methods is nil, which stands
// for all, and rule is -1, as it is where the request names methods.
func (m *Mapping) Shown(req *request.Session) (methods []string, rule int) {
	if len(req.Methods) > 0 {
		return req.Methods, -1
	}
	for i := range m.PreRouting {
		if m.PreRouting[i].Matches(req) {
			return m.PreRouting[i].Methods, i
		}
	}
	return nil, -1
}

// Matches reports whether the rule is about a request. A rule with a bound of the amount does not match while the
// amount is unknown.
func (p *PreRoute) Matches(req *request.Session) bool {
	return Among(p.Operations, req.Operation) &&
		Among(p.Currencies, req.Order.Currency) &&
		Among(p.Countries, req.BillingAddress.Country) &&
		(p.MinAmount == "" && p.MaxAmount == "" || within(req.Order, p.MinAmount, p.MaxAmount))
}

// Among reports whether a list has a text, or is empty.
func Among[T ~string](texts []T, text T) bool { return len(texts) == 0 || slices.Contains(texts, text) }

// within reports whether an order's amount is known and between two decimal texts of its currency, "" for no bound.
func within(o request.Order, least, most string) bool {
	amount := o.Amount.Value
	if o.Amount.ByPayer() {
		return false
	}
	beyond := func(bound string, side int) bool {
		limit, err := money.Parse(bound, amount.Currency())
		return bound != "" && (err != nil || amount.Cmp(limit) == side)
	}
	return !beyond(least, -1) && !beyond(most, 1)
}

// OutsideLimits reports whether an order's amount exceeds the MID's limits. An amount that the payer enters never does.
func (mid *MID) OutsideLimits(o request.Order) bool {
	if o.Amount.ByPayer() {
		return false
	}
	return slices.ContainsFunc(mid.Limits, func(l Limit) bool {
		return l.Currency == o.Currency && !within(o, l.Min, l.Max)
	})
}
