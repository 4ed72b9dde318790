// Package merchant is what an operator has set for merchants: mappings, MIDs, schedules, forms, their checks, their keys
// and secrets; and which MID takes a request, and why not.
package merchant

import (
	"checkout/internal/method"
	"checkout/internal/request"
)

// Merchant is what an operator has set for one merchant (decisions.md 9). Password, CallbackSecret and the MIDs'
// Credentials are stored apart from it, encrypted.
type Merchant struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	LiveKey        string `json:"live_key"`
	TestKey        string `json:"test_key"` // always goes to the sandbox connector
	Password       string `json:"password,omitempty"`
	CallbackSecret string `json:"callback_secret,omitempty"` // Standard Webhooks form, "whsec_" and base64

	NotificationURL     string `json:"notification_url"`
	TestNotificationURL string `json:"test_notification_url"`
	CallbackJSON        bool   `json:"callback_json,omitempty"` // JSON instead of a form

	SHA256    bool       `json:"sha256,omitempty"` // sha256 takes the place of md5 inside every hash
	Disabled  bool       `json:"disabled,omitempty"`
	RateLimit int        `json:"rate_limit,omitempty"` // requests a second, for each instance of a function; 0: any number
	Mappings  []Mapping  `json:"mappings"`
	Schedules []Schedule `json:"schedules,omitempty"`
	Forms     []Form     `json:"forms,omitempty"`
	Branding  Branding   `json:"branding,omitzero"`

	// Connectors are those of the service, which MIDs may name. They are no setting: whoever reads or checks settings fills them in.
	Connectors Declarations `json:"-"`

	// Filled in from secret documents: each function has those alone that it may decrypt.
	oldPassword, oldCallbackSecret replacedSecret
}

// Form is a custom payment form (core.md, form_id): what it asks the payer for
// beside what the mapping requires.
type Form struct {
	ID             string   `json:"id"` // UUID
	Name           string   `json:"name"`
	RequiredFields []string `json:"required_fields,omitempty"` // page field ids
}

// Mapping is a protocol mapping: how the checkout protocol behaves for a
// merchant, and the MIDs behind it.
type Mapping struct {
	Name             string `json:"name"`
	Disabled         bool   `json:"disabled,omitempty"`
	MaxDeclines      int    `json:"max_declines,omitempty"` // 0: the default, 3
	ReturnParameters bool   `json:"return_parameters,omitempty"`

	HashOnEveryReturn  bool `json:"hash_on_every_return,omitempty"`  // not on success_url alone
	OnePaymentPerOrder bool `json:"one_payment_per_order,omitempty"` // a session for an order that is paid is refused

	ExtendedData   bool              `json:"extended_data,omitempty"`
	CustomerName   request.NameRule  `json:"customer_name,omitempty"`
	RequiredFields []string          `json:"required_fields,omitempty"` // page field ids that must be known before paying, e.g. payer_email
	Language       string            `json:"language,omitempty"`        // where checkout_language is absent; default en
	MIDs           []MID             `json:"mids"`                      // in the order of cascading
	PreRouting     []PreRoute        `json:"pre_routing,omitempty"`
	VATRates       map[string]string `json:"vat_rates,omitempty"` // per cent by country: "DE": "19"
	Compatibility  Compatibility     `json:"compatibility,omitempty"`
	PayLimit       int               `json:"pay_limit,omitempty"` // attempts a minute in one session; 0: the default, 5
}

// PreRoute is one pre-routing rule: which methods are shown where a request
// names none. The first rule that fits decides. An empty condition fits all.
type PreRoute struct {
	Operations []method.Operation `json:"operations,omitempty"`
	Currencies []string           `json:"currencies,omitempty"`
	Countries  []string           `json:"countries,omitempty"`  // billing_address.country
	MinAmount  string             `json:"min_amount,omitempty"` // decimal text, only beside one currency
	MaxAmount  string             `json:"max_amount,omitempty"`
	Methods    []string           `json:"methods"` // in the order in which they are shown
}

// DefaultMaxDeclines is 'Maximum number of declines' where a mapping sets none (decisions.md 5).
const DefaultMaxDeclines = 3

// DefaultPayLimit is how many attempts a minute a session takes where a mapping sets no limit.
const DefaultPayLimit = 5

// MID is one account with a provider.
type MID struct {
	Name         string             `json:"name"`
	ChannelID    string             `json:"channel_id,omitempty"`
	Connector    string             `json:"connector"`
	Credentials  map[string]string  `json:"credentials,omitempty"`
	Methods      []string           `json:"methods"`
	Currencies   []string           `json:"currencies,omitempty"` // empty: all
	Operations   []method.Operation `json:"operations,omitempty"` // empty: purchase only
	Limits       []Limit            `json:"limits,omitempty"`     // of amounts, at most one a currency
	CaptureType  CaptureType        `json:"capture_type,omitempty"`
	Weight       int                `json:"weight,omitempty"`        // share of first tries among the MIDs that have one; 0: only where none of those is left
	SecurityCode bool               `json:"security_code,omitempty"` // asks for the security code of a saved card again
	Disabled     bool               `json:"disabled,omitempty"`
}

// Limit is the least and most that a MID takes at once in a currency, as decimal texts; "" is none.
type Limit struct {
	Currency string `json:"currency"`
	Min      string `json:"min,omitempty"`
	Max      string `json:"max,omitempty"`
}

// CaptureType is whether a MID takes payments in one step, in two, or both.
type CaptureType string

// The capture types. The zero value takes both.
const (
	CaptureBoth CaptureType = "SMS/DMS"
	CaptureSMS  CaptureType = "SMS" // settles at once
	CaptureDMS  CaptureType = "DMS" // authorises, to be captured
)

// CallbackURL returns where callbacks of live or test mode go.
func (m *Merchant) CallbackURL(o request.Owner) string {
	if o.Test {
		return m.TestNotificationURL
	}
	return m.NotificationURL
}
