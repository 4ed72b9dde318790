package settings

import (
	"cmp"
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Declaration says what a connector supports beside a charge in one step with the payer present. The service offers
// nothing else. It is data, so that the binaries of functions that send nothing to providers need no connector.
type Declaration struct {
	Operations []method.Operation `json:"operations"`        // operations that it can charge for
	Methods    []string           `json:"methods,omitempty"` // methods of its providers; none: all

	Credentials []Credential `json:"credentials,omitempty"` // of its MIDs

	Capture       bool `json:"capture,omitempty"` // authorises, and captures later
	Void          bool `json:"void,omitempty"`
	Refund        bool `json:"refund,omitempty"`
	StatusQueries bool `json:"status_queries,omitempty"` // looks up what became of a request
	// FoundAfter is for how many seconds after a request was sent a look-up that does not find it proves nothing: how late
	// the provider may list what it has executed.
	FoundAfter int  `json:"found_after"`
	Notices    bool `json:"notices,omitempty"`     // reads notices that its providers send
	SecondForm bool `json:"second_form,omitempty"` // continues with what payers enter in a second form
	Cancel     bool `json:"cancel,omitempty"`      // ends a charge whose payer still has to act

	CardName     bool `json:"card_name,omitempty"`      // its providers may need the name on a card
	AddressLine  int  `json:"address_line,omitempty"`   // most characters of each line of an address; 0: see LineLength
	ThreeDSecure bool `json:"three_d_secure,omitempty"` // sends payers to 3-D Secure
	SavedCards   bool `json:"saved_cards,omitempty"`    // charges a card without its security code
	Recurring    bool `json:"recurring,omitempty"`      // charges without the payer, after an initial charge with them
	AnyAmount    bool `json:"any_amount,omitempty"`     // lets the payer enter the amount at the provider

	Wallets map[string]WalletSupport `json:"wallets,omitempty"` // by method: what it can do with a wallet's token
}

// WalletSupport says what a connector can do with the payment tokens of one wallet. With the zero value it passes
// tokens on as they came (virtual flow).
type WalletSupport struct {
	CardFlow  bool `json:"card_flow,omitempty"` // tokens may be decrypted, and their cards be stored
	Decrypted bool `json:"decrypted,omitempty"` // in the card flow, takes the decrypted card instead of the token
	Capture   bool `json:"capture,omitempty"`   // in the virtual flow, authorises, and captures later
	Recurring bool `json:"recurring,omitempty"` // in the virtual flow, charges again without the payer

	// ProviderTokens means that the provider's gateway makes tokens of its own of the wallet's, which the browser gets.
	// The wallet signs none of them, so that only the provider knows whether one is good.
	ProviderTokens bool `json:"provider_tokens,omitempty"`
}

// LineLength returns how many characters of each line of an address the connector's providers get.
func (d Declaration) LineLength() int { return cmp.Or(d.AddressLine, request.LineLength) }

// SandboxConnector is the connector of all payments with the test key (protocol.md, Test key and test cards).
const SandboxConnector = "sandbox"

// Declarations are the declarations of all connectors, by their names.
type Declarations map[string]Declaration

// HasMethod reports whether the connector of that name has a method. It is true for an unknown connector, for which
// there is a reason of its own.
func (d Declarations) HasMethod(connector, id string) bool {
	can, found := d[connector]
	return !found || len(can.Methods) == 0 || slices.Contains(can.Methods, id)
}

// DefaultFoundAfter is the FoundAfter of a declaration that names none, and MaxFoundAfter the greatest, in seconds.
const (
	DefaultFoundAfter = 600
	MaxFoundAfter     = 24 * 60 * 60
)

// ReadDeclaration reads a declaration.json, which may have no other members.
func ReadDeclaration(text []byte) (d Declaration, err error) {
	d.FoundAfter = DefaultFoundAfter
	err = store.ReadExactly(text, &d)
	return d, err
}

// HasCredential reports whether the connector declares a credential of that name.
func (d Declaration) HasCredential(name string) bool {
	return slices.ContainsFunc(d.Credentials, func(c Credential) bool { return c.Name == name })
}

// CredentialNames returns the names of all credentials that a MID of a connector may have: also those of the sandbox,
// because payments with the test key go there.
func (d Declarations) CredentialNames(connector string) (names []string) {
	for _, c := range d.credentials(connector) {
		names = append(names, c.Name)
	}
	return names
}

// IsPlain reports whether a credential of a connector's MIDs is declared as no secret: it is stored with the settings
// and shown.
func (d Declarations) IsPlain(connector, name string) bool {
	return slices.ContainsFunc(d.credentials(connector), func(c Credential) bool { return c.Name == name && !c.Secret })
}

func (d Declarations) credentials(connector string) []Credential {
	if connector == SandboxConnector {
		return d[connector].Credentials
	}
	return slices.Concat(d[connector].Credentials, d[SandboxConnector].Credentials)
}
