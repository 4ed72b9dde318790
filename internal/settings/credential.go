package settings

import (
	"context"
	"strings"

	"checkout/internal/settings/sealed"
)

// Credential is one of the credentials that the MIDs of a connector have. Settings are checked by it, and the tables in
// the connectors' READMEs are written of it.
type Credential struct {
	Name     string         `json:"name"`
	Kind     CredentialKind `json:"kind"`
	Values   []string       `json:"values,omitempty"` // of a KindChoice
	Required bool           `json:"required,omitempty"`
	Secret   bool           `json:"secret,omitempty"` // may stand in no log, result or error
	Help     string         `json:"help"`             // what it is, for operators
	Example  string         `json:"example,omitempty"`
}

// Rule says in words what the value has to be: "text, required, secret".
func (d Credential) Rule() string {
	words := []string{string(d.Kind)}
	if d.Kind == KindChoice {
		words[0] = "one of: " + strings.Join(d.Values, "; ")
	}
	if d.Required {
		words = append(words, "required")
	}
	if d.Secret {
		words = append(words, "secret")
	}
	return strings.Join(words, ", ")
}

// CredentialKind says what values a credential can have.
type CredentialKind string

// The kinds.
const (
	KindText     CredentialKind = "text"     // printable characters
	KindAddress  CredentialKind = "address"  // the base URL of a provider
	KindChoice   CredentialKind = "choice"   // one of Values
	KindCurrency CredentialKind = "currency" // of the account; the MID can have no other
	KindMarket   CredentialKind = "market"   // alpha-2 code of the country where the provider collects
	KindLanguage CredentialKind = "language" // a tag such as de or pt-BR
)

// storedCredentials are the encrypted credentials of a MID that was read.
type storedCredentials struct {
	sealed.Credentials
	open func(ctx context.Context) (map[string]string, error)
}
