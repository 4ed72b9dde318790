package adapter

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// lookUpBody is the body of /lookup.
type lookUpBody struct {
	Kind      connector.RequestKind `json:"kind"`
	Reference string                `json:"reference"`
}

// amount is an amount in requests and results. Value has as many decimals as Exponent says, and is absent where the
// payer enters the amount.
type amount struct {
	Value    string `json:"value,omitempty"`
	Currency string `json:"currency"`
	Exponent *int   `json:"exponent"`
}

func amountOf(a money.Amount) *amount {
	currency := a.Currency()
	value := a.String()
	if currency.Exponent == 0 {
		value, _, _ = strings.Cut(value, ".")
	}
	return &amount{value, currency.Code, &currency.Exponent}
}

// parse reads an amount of a result. It has to be greater than zero, and its exponent that of its currency: who counts
// other decimals means another amount.
func (a *amount) parse() (money.Amount, error) {
	currency, _ := money.Find(a.Currency)
	if a.Exponent == nil || *a.Exponent != currency.Exponent {
		return money.Amount{}, errors.New("exponent is not that of the currency")
	}
	return money.Parse(a.Value, currency)
}

// body is what all requests but a look-up have.
type body struct {
	lookUpBody
	Payment   string    `json:"payment"`
	Session   string    `json:"session,omitempty"`
	Amount    *amount   `json:"amount,omitempty"` // none of a void, which is of the whole payment
	Original  *original `json:"charge,omitempty"` // of a capture, void or refund
	NoticeURL string    `json:"notice_url,omitempty"`
}

// original is the charge that a capture, void or refund is about.
type original struct {
	Reference  string `json:"reference"`
	ProviderID string `json:"provider_id,omitempty"`
}

func bodyOf(r connector.ProviderRequest) body {
	b := body{
		lookUpBody: lookUpBody{r.Kind, r.Reference}, Payment: r.PaymentID, Session: r.SessionID,
		Amount: amountOf(r.Amount), NoticeURL: r.NoticeURL,
	}
	switch {
	case r.Kind == connector.RequestVoid:
		b.Amount = nil
	case r.PayerEntersAmount:
		b.Amount.Value = ""
	}
	if r.Kind != connector.RequestCharge {
		b.Original = &original{r.OriginalReference, r.ProviderID}
	}
	return b
}

// charge is the body of /charge and /continue.
type charge struct {
	body
	Operation      method.Operation  `json:"operation"`
	Method         string            `json:"method"`
	Parameters     json.RawMessage   `json:"parameters,omitempty"`
	Sealed         map[string]string `json:"sealed,omitempty"`
	Network        string            `json:"network,omitempty"`
	Description    string            `json:"description,omitempty"`
	AuthoriseOnly  bool              `json:"authorise_only,omitempty"`
	Recurring      bool              `json:"recurring,omitempty"`
	Initial        string            `json:"initial_transaction,omitempty"`
	NetworkID      string            `json:"network_transaction_id,omitempty"`
	StartsChain    bool              `json:"starts_chain,omitempty"`
	SavesCard      bool              `json:"saves_card,omitempty"`
	Customer       request.Customer  `json:"customer,omitzero"`
	BillingAddress request.Address   `json:"billing_address,omitzero"`
	Payee          request.Payee     `json:"payee,omitzero"`
	PayerIP        string            `json:"payer_ip,omitempty"`
	StatedIP       string            `json:"stated_ip,omitempty"`
	Browser        request.Browser   `json:"browser,omitzero"`
	ReturnURL      string            `json:"return_url,omitempty"`
	ExpiresAt      time.Time         `json:"expires_at,omitzero"`
	Language       string            `json:"language,omitempty"`
	Card           *cardData         `json:"card,omitempty"`
	Wallet         *walletData       `json:"wallet,omitempty"`
}

// cardData is a card, for methods that charge one.
type cardData struct {
	Number       string `json:"number,omitempty"`
	ExpiryMonth  int    `json:"expiry_month,omitempty"`
	ExpiryYear   int    `json:"expiry_year,omitempty"`
	SecurityCode string `json:"security_code,omitempty"`
	Holder       string `json:"holder,omitempty"`
	PayeeNumber  string `json:"payee_number,omitempty"`
	Saved        bool   `json:"saved,omitempty"`

	// Of a wallet's card.
	PANType    card.PANType `json:"pan_type,omitempty"`
	Cryptogram string       `json:"cryptogram,omitempty"`
	ECI        string       `json:"eci,omitempty"`
}

// The flows of wallets.
const (
	flowVirtual = "virtual"
	flowCard    = "card"
)

// walletData says which wallet a charge is made with. Token is only in the virtual flow, and not of later payments.
type walletData struct {
	Kind            string `json:"kind"`
	Flow            string `json:"flow"`
	Token           string `json:"token,omitempty"`
	Unauthenticated bool   `json:"unauthenticated,omitempty"`
}

func walletOf(w *connector.Wallet) *walletData {
	if w == nil {
		return nil
	}
	data := &walletData{Kind: w.Kind, Flow: flowVirtual, Token: w.Token, Unauthenticated: w.Unauthenticated}
	if w.CardFlow {
		data.Flow = flowCard
	}
	return data
}

func chargeBody(c connector.Charge) charge {
	b := charge{
		body: bodyOf(c.ProviderRequest), Operation: c.Operation, Method: c.Method, Parameters: c.Parameters,
		Sealed: c.Card.Values, Network: c.Network, Description: c.Description,
		AuthoriseOnly: c.Auth, Recurring: c.Recurring, Initial: c.InitialTransaction,
		NetworkID: c.InitialNetworkID, StartsChain: c.StartsChain, SavesCard: c.SavesCard,
		Customer: c.Customer, BillingAddress: c.BillingAddress, Payee: c.Payee,
		PayerIP: c.PayerIP, StatedIP: c.StatedIP, Browser: c.Browser, ReturnURL: c.ReturnURL,
		Language: c.Language, Wallet: walletOf(c.Wallet),
	}
	if !c.ExpiresAt.IsZero() {
		b.ExpiresAt = c.ExpiresAt.UTC().Truncate(time.Second)
	}
	m, _ := method.Find(c.Method)
	charged := m.Card || c.Wallet != nil && c.Wallet.CardFlow
	if charged && (c.Card.Number != "" || c.Card.PayeeNumber != "") {
		b.Card = &cardData{
			c.Card.Number, c.Card.ExpiryMonth, c.Card.ExpiryYear, c.Card.SecurityCode, c.CardName, c.Card.PayeeNumber,
			c.SavedCard, c.Card.PANType, c.Card.Cryptogram, c.Card.ECI,
		}
	}
	return b
}

// jsonType says of which type of JSON a member wrongly is, without its value.
func jsonType(wrong *json.UnmarshalTypeError) string {
	kind, _, _ := strings.Cut(wrong.Value, " ")
	return "is of the JSON type " + kind
}
