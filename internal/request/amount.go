package request

import "checkout/internal/money"

// Amount is an amount as a merchant sent it: its literal text, for hashes and responses, and its value.
type Amount struct {
	Text  string
	Value money.Amount // zero if the payer enters the amount
}

// payerEnters is the text of a transfer's amount that the payer enters on the page (protocol.md, Amounts).
const payerEnters = "-1"

// ReadAmount returns the amount of a text that was checked before. It has no value if the payer enters it.
func ReadAmount(text string, currency money.Currency) Amount {
	value, err := money.Parse(text, currency)
	if err != nil {
		return Amount{Text: text}
	}
	return Amount{text, value}
}

// Entered returns an amount that the payer has entered.
func Entered(value money.Amount) Amount { return Amount{value.String(), value} }

// EnteredOnPage reports whether the payer has to enter it on the page.
func (a Amount) EnteredOnPage() bool { return a.Text == payerEnters }

// EnteredAtProvider reports whether the payer has to enter it at the provider.
func (a Amount) EnteredAtProvider() bool { return a.Text == "" }

// ByPayer reports whether the payer has to enter it, on the page or at the provider.
func (a Amount) ByPayer() bool { return a.EnteredOnPage() || a.EnteredAtProvider() }

// MarshalText writes the text as it was sent.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.Text), nil }

// UnmarshalText reads only the text. In adds the value, in the currency of the document.
func (a *Amount) UnmarshalText(text []byte) error {
	*a = Amount{Text: string(text)}
	return nil
}

// In returns an amount that was read from a document, with its value in the currency of that document.
func (a Amount) In(currency money.Currency) Amount { return ReadAmount(a.Text, currency) }
