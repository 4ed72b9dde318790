// Package stripe charges cards with Stripe's PaymentIntents.
package stripe

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// Stripe is the connector.
type Stripe struct{ provider.Setup }

// New builds the connector.
func New(setup provider.Setup) connector.Connector { return &Stripe{setup} }

var _ interface {
	connector.Connector
	connector.Beginner
	connector.Capturer
	connector.Voider
	connector.Refunder
	connector.StatusQuerier
	connector.NotificationHandler
	connector.Canceller
} = (*Stripe)(nil)

// account is a Stripe account, by the credentials of a MID.
type account struct {
	client   *provider.Client
	url, key string
	live     bool // it moves money
	rawCards bool // it may send card numbers
}

// account reads the credentials of a MID.
func (s *Stripe) account(credentials map[string]string) (account, error) {
	a := account{
		client: s.Client,
		url:    credentials["url"], key: credentials["key"],
		live: strings.Contains(credentials["key"], "_live_"), rawCards: credentials["raw_cards"] == "true",
	}
	return a, provider.RequireCredentials(credentials, "url", "key")
}

// The keys of the metadata with which requests are found again.
const (
	metaReference = "reference"  // of the charge, void or refund
	metaPayment   = "payment_id" // ours
	metaSession   = "session_id"
	metaAmount    = "amount"         // that was asked for, in Stripe's units
	metaCapture   = "capture"        // reference of the capture
	metaCaptured  = "capture_amount" // that it asked for
	metaVoid      = "void"           // reference of the void
	metaEnded     = "ended"          // reference of a charge that was ended because its payer left
	metaDeclined  = "_declined"      // after the kind of request: reference and code of the last one that was declined
)

// metadata is what every object of a payment carries.
func metadata(r connector.ProviderRequest, amount int64) map[string]string {
	m := map[string]string{
		metaReference: r.Reference, metaPayment: r.PaymentID, metaAmount: fmt.Sprint(amount),
	}
	if r.SessionID != "" {
		m[metaSession] = r.SessionID
	}
	return m
}

// maxReference is how long the value of a search may be that a reference is part of.
const maxReference = 100

// sendable reports whether a reference can be a key of a request and part of a search. The service has no others.
func sendable(reference string) bool {
	for _, c := range []byte(reference) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return reference != "" && len(reference) <= maxReference
}

// suffix is what the payer's statement shows after the account's own text: the parameter descriptor of the method,
// without what Stripe does not allow there. Nil: nothing.
func suffix(c connector.Charge) *string {
	var parameters struct {
		Descriptor string `json:"descriptor"`
	}
	if len(c.Parameters) > 0 && json.Unmarshal(c.Parameters, &parameters) != nil {
		return nil
	}
	clean := strings.NewReplacer("<", "", ">", "", `\`, "", "'", "", `"`, "", "*", "").Replace(parameters.Descriptor)
	if !strings.ContainsFunc(clean, isLetter) {
		return nil
	}
	return text(strings.TrimSpace(clean), 22)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// text is a text of at most that many characters, nil for none.
func text(value string, most int) *string {
	runes := []rune(value)
	if len(runes) == 0 {
		return nil
	}
	return stripe.String(string(runes[:min(len(runes), most)]))
}
