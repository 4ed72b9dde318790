package request

import (
	"encoding/json"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
)

// MaxSession is the longest that a session can last (protocol.md, Limits).
const MaxSession = 720 * time.Minute

// Session is a checked POST /api/v1/session. Texts are as the merchant sent them, "" if absent.
type Session struct {
	Details
	Options
	Methods       []string `json:"methods,omitempty"`
	SuccessURL    string   `json:"success_url"`
	CancelURL     string   `json:"cancel_url,omitempty"`
	ExpiryURL     string   `json:"expiry_url,omitempty"`
	ErrorURL      string   `json:"error_url,omitempty"`
	URLTarget     string   `json:"url_target,omitempty"`
	SessionExpiry int      `json:"-"` // minutes; stored as the session's ExpiresAt
	Language      string   `json:"checkout_language,omitempty"`
	ChannelID     string   `json:"channel_id,omitempty"`
	Hash          string   `json:"-"`
	LeftOut       []string `json:"-"` // fields that were not valid and were left out: path and fault
	WalletToken   string   `json:"-"` // parameters.<the only method>.payment_token: JSON text, which is never stored

	// The other operation-specific fields, each zero for operations without it.
	CardTokens []string `json:"card_token,omitempty"`
	Consent    bool     `json:"recurring_consent_required,omitempty"`
	VATCalc    bool     `json:"vat_calc,omitempty"`
	FormID     string   `json:"form_id,omitempty"`

	decoded map[string]any // Parameters, once they were asked for
}

// Details are the fields of a session that are copied to its payments and their recurring chain.
type Details struct {
	fault.Owner
	Operation method.Operation `json:"operation"`
	Order     Order            `json:"order"`
	Parties
	CustomData json.RawMessage `json:"custom_data,omitempty"` // a JSON object, with its order of keys

	NotificationURL string `json:"notification_url,omitempty"` // of callbacks, in place of the merchant's
}

// Parties are the payer and the payee, as far as known.
type Parties struct {
	Customer       Customer `json:"customer,omitzero"`
	BillingAddress Address  `json:"billing_address,omitzero"`
	Payee          Payee    `json:"payee,omitzero"` // of a credit or transfer
}

// Options are the fields of a session that are copied to its payments, but not to a chain. Each is zero for operations
// without it.
type Options struct {
	Parameters     json.RawMessage `json:"parameters,omitempty"` // a JSON object, by method
	Auth           bool            `json:"auth,omitempty"`       // authorise only
	ReqToken       bool            `json:"req_token,omitempty"`
	RecurringInit  bool            `json:"recurring_init,omitempty"`
	ScheduleID     string          `json:"schedule_id,omitempty"`
	ScheduleStart  string          `json:"schedule_start_date,omitempty"`    // yyyy-mm-dd
	ScheduleAmount Amount          `json:"payment_schedule_amount,omitzero"` // of scheduled charges; zero: the order's
	Network        string          `json:"crypto_network,omitempty"`
	StatedIP       string          `json:"stated_ip,omitempty"`  // payer_ip: the payer's address as the merchant saw it
	RequestID      string          `json:"request_id,omitempty"` // of the call that asked for it
}

// Payee is the recipient of a credit or transfer, as far as known.
type Payee struct {
	Name    string  `json:"name,omitempty"`
	Email   string  `json:"email,omitempty"`
	Address Address `json:"address,omitzero"`
}

// Order is what is paid for.
type Order struct {
	Number      string `json:"number"`
	Amount      Amount `json:"amount,omitzero"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
}

// CurrencyOf returns the order's currency, the zero value for an unknown one.
func CurrencyOf(o Order) money.Currency {
	currency, _ := money.Find(o.Currency)
	return currency
}

// Customer is the payer as far as known.
type Customer struct {
	Name      string `json:"name,omitempty"`
	Email     string `json:"email,omitempty"`
	BirthDate string `json:"birth_date,omitempty"` // yyyy-mm-dd
}

// Address is a billing address as far as known.
type Address struct {
	Country          string `json:"country,omitempty"` // ISO 3166-1 alpha-2
	State            string `json:"state,omitempty"`
	City             string `json:"city,omitempty"`
	Address          string `json:"address,omitempty"`
	HouseNumber      string `json:"house_number,omitempty"`
	Zip              string `json:"zip,omitempty"`
	Phone            string `json:"phone,omitempty"`
	PhoneCountryCode string `json:"phone_country_code,omitempty"`
	District         string `json:"district,omitempty"`
	Language         string `json:"language,omitempty"`
}
