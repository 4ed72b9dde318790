package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Merchant is what an operator has set for one merchant (decisions.md 9).
type Merchant struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	LiveKey        string `json:"live_key"`
	TestKey        string `json:"test_key"` // always goes to the sandbox connector
	Password       string `json:"password"`
	CallbackSecret string `json:"callback_secret"` // Standard Webhooks form, "whsec_" and base64

	NotificationURL     string `json:"notification_url"`
	TestNotificationURL string `json:"test_notification_url"`
	CallbackJSON        bool   `json:"callback_json,omitempty"` // JSON instead of a form

	SHA256    bool      `json:"sha256,omitempty"` // sha256 takes the place of md5 inside every hash
	Disabled  bool      `json:"disabled,omitempty"`
	RateLimit int       `json:"rate_limit,omitempty"` // requests a second, for each instance of a function; 0: any number
	Mappings  []Mapping `json:"mappings"`
}

// Mapping is a protocol mapping: how the checkout protocol behaves for a
// merchant, and the MIDs behind it.
type Mapping struct {
	Name             string   `json:"name"`
	Disabled         bool     `json:"disabled,omitempty"`
	MaxDeclines      int      `json:"max_declines,omitempty"` // 0: the default, 3
	ReturnParameters bool     `json:"return_parameters,omitempty"`
	ExtendedData     bool     `json:"extended_data,omitempty"`
	CustomerName     NameRule `json:"customer_name,omitempty"`
	RequiredFields   []string `json:"required_fields,omitempty"` // page field ids that must be known before paying, e.g. payer_email
	Language         string   `json:"language,omitempty"`        // where checkout_language is absent; default en
	MIDs             []MID    `json:"mids"`
}

// NameRule governs customer.name (core.md, customer): "" checks it when it
// is sent, "required" refuses a request without it, "off" takes any text.
type NameRule string

// The name rules.
const (
	NameChecked  NameRule = ""
	NameRequired NameRule = "required"
	NameOff      NameRule = "off"
)

// DefaultMaxDeclines is 'Maximum number of declines' where a mapping sets none (decisions.md 5).
const DefaultMaxDeclines = 3

// MID is one account with a provider.
type MID struct {
	Name        string            `json:"name"`
	ChannelID   string            `json:"channel_id,omitempty"`
	Connector   string            `json:"connector"`
	Credentials map[string]string `json:"credentials,omitempty"`
	Methods     []string          `json:"methods"`
	Currencies  []string          `json:"currencies,omitempty"` // empty: all
	Operations  []string          `json:"operations,omitempty"` // empty: purchase only
	Disabled    bool              `json:"disabled,omitempty"`
}

// SaveMerchant stores a merchant under its live and its test key. Functions
// that remember the old settings use them for up to a minute more.
func SaveMerchant(ctx context.Context, store Store, now time.Time, m Merchant) error {
	if m.LiveKey == "" || m.TestKey == "" || m.LiveKey == m.TestKey || m.Password == "" {
		return errors.New("a merchant needs two different keys and a password")
	}
	if _, err := signWebhook(m.CallbackSecret, "check", now, nil); err != nil {
		return fmt.Errorf("callback_secret: %w", err)
	}
	records, err := store.Get(ctx, now, merchantKey(m.LiveKey), merchantKey(m.TestKey))
	if err != nil {
		return fmt.Errorf("read merchant: %w", err)
	}
	for i, r := range records {
		records[i] = encode(r.Key, r.Version, m)
	}
	if err := store.Save(ctx, now, records...); err != nil {
		return fmt.Errorf("store merchant: %w", err)
	}
	return nil
}
