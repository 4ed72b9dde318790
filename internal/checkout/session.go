package checkout

import (
	"encoding/json"
	"time"

	"checkout/internal/money"
)

// SessionState is where a session stands (decisions.md 5).
type SessionState string

// The states of a session. An open session past its ExpiresAt is expired,
// whatever is stored: use Session.StateAt.
const (
	SessionOpen       SessionState = "open"
	SessionProcessing SessionState = "processing"
	SessionComplete   SessionState = "complete"
	SessionDeclined   SessionState = "declined" // all attempts used
	SessionCancelled  SessionState = "cancelled"
	SessionExpired    SessionState = "expired"
)

// Session is one visit to the checkout: what the merchant asked for and how far the payer got.
type Session struct {
	ID             string         `json:"-"` // in the key
	State          SessionState   `json:"state"`
	Request        SessionRequest `json:"request"`
	Mapping        string         `json:"mapping"`                // name of the protocol mapping
	MaxDeclines    int            `json:"max_declines,omitempty"` // stored where it is not DefaultMaxDeclines
	CreatedAt      time.Time      `json:"created_at"`
	ExpiresAt      time.Time      `json:"expires_at"`
	FirstPaymentID string         `json:"first_payment_id,omitempty"` // that the first attempt will carry, "" from then on
	PaymentID      string         `json:"payment_id,omitempty"`       // of the latest attempt, "" before the first
	Attempts       []string       `json:"attempts,omitempty"`         // the page's ids of all attempts, latest last
	Amount         string         `json:"amount,omitempty"`           // that the payer entered for the latest attempt
	Declines       int            `json:"declines,omitempty"`
	Reason         string         `json:"reason,omitempty"`   // of the latest decline, for the payer
	Next           *NextStep      `json:"next,omitempty"`     // while processing: where the payer has to go
	Withheld       int            `json:"withheld,omitempty"` // number of the callback of the latest attempt's decline, which waits for the session's end
	Returned       bool           `json:"returned,omitempty"` // the payer came back from there
	Received       *Received      `json:"received,omitempty"` // while processing: the part that has arrived
	Stray          ScreenText     `json:"stray,omitempty"`    // with Reason: TextPaidTooLittle or TextPaidTooLate, where money arrived and no payment came of it
	Saved          []SavedCard    `json:"saved,omitempty"`    // the cards of Request.CardTokens, without their Kept
	PaidAt         []time.Time    `json:"paid_at,omitempty"`  // starts of the latest attempt and of those in the minute before it

	version int64
}

// SessionRequest is a checked POST /api/v1/session, in the specification's
// words. Texts are as the merchant sent them; absent is "".
type SessionRequest struct {
	Owner
	Operation      string          `json:"operation"`
	Methods        []string        `json:"methods,omitempty"`
	SuccessURL     string          `json:"success_url"`
	CancelURL      string          `json:"cancel_url,omitempty"`
	ExpiryURL      string          `json:"expiry_url,omitempty"`
	ErrorURL       string          `json:"error_url,omitempty"`
	URLTarget      string          `json:"url_target,omitempty"`
	SessionExpiry  int             `json:"-"` // minutes; Session.ExpiresAt tells
	Language       string          `json:"checkout_language,omitempty"`
	ChannelID      string          `json:"channel_id,omitempty"`
	Order          Order           `json:"order"`
	Customer       Customer        `json:"customer,omitzero"`
	BillingAddress Address         `json:"billing_address,omitzero"`
	Parameters     json.RawMessage `json:"parameters,omitempty"`  // a JSON object
	CustomData     json.RawMessage `json:"custom_data,omitempty"` // a JSON object, key order kept
	Hash           string          `json:"-"`
	LeftOut        []string        `json:"-"` // what could not be used and was left out: path and reason

	// The operation-specific fields, each zero where it does not apply.
	ReqToken       bool     `json:"req_token,omitempty"`
	CardTokens     []string `json:"card_token,omitempty"`
	Auth           bool     `json:"auth,omitempty"`
	RecurringInit  bool     `json:"recurring_init,omitempty"`
	ScheduleID     string   `json:"schedule_id,omitempty"`
	ScheduleStart  string   `json:"schedule_start_date,omitempty"`     // yyyy-mm-dd
	ScheduleAmount string   `json:"payment_schedule_amount,omitempty"` // of each scheduled charge, where it differs
	Consent        bool     `json:"recurring_consent_required,omitempty"`
	VATCalc        bool     `json:"vat_calc,omitempty"`
	Payee          Payee    `json:"payee,omitzero"`
	Network        string   `json:"crypto_network,omitempty"`
	FormID         string   `json:"form_id,omitempty"`
}

// Payee is who gets the money of a credit or transfer, as far as known.
type Payee struct {
	Name    string  `json:"name,omitempty"`
	Email   string  `json:"email,omitempty"`
	Address Address `json:"address,omitzero"`
}

// Order is what is paid for. Amount is the text as sent, for hashes and answers.
type Order struct {
	Number      string `json:"number"`
	Amount      string `json:"amount,omitempty"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
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

// StateAt is the session's state at now. A session that waits for the payer
// ends by time alone; one that waits for a provider does not, because its
// payment may still be settled. What the payer was shown to pay with elsewhere
// has an end of its own, after which the provider is asked.
func (s *Session) StateAt(now time.Time) SessionState {
	waitsForPayer := s.State == SessionOpen || s.State == SessionProcessing && s.Next != nil && s.Next.Kind != StatusPending
	if waitsForPayer && !now.Before(s.ExpiresAt) {
		return SessionExpired
	}
	return s.State
}

// sessionKept is how long a session is remembered after its end (decisions.md 5).
const sessionKept = 7 * 24 * time.Hour

func currencyOf(o Order) money.Currency {
	currency, _ := money.Find(o.Currency)
	return currency
}
