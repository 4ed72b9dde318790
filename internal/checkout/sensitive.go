package checkout

import (
	"maps"
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
)

// Masked returns a provider's text for logs and operators, without the sensitive values of the payment's parameters,
// which a provider may repeat in its reason or error.
func (p *Payment) Masked(text string) string {
	if text == "" || p.Parameters == nil {
		return text
	}
	sent, err := p.sentParameters()
	if err != nil {
		return text
	}
	m, _ := method.Find(p.Method)
	return m.MaskIn(text, sent)
}

// errorText returns the part of a provider's error that is logged.
func (t task) errorText(err error) string {
	return request.Printable(t.payment.Masked(t.withoutSealed(err.Error())), request.MaxErrorText)
}

// withoutSealed returns a provider's text without the values that the payer's browser sealed, such as the PIN of a
// voucher: they are not stored with the payment, where Masked could find them.
func (t task) withoutSealed(text string) string {
	if len(t.charge.Card.Values) == 0 {
		return text
	}
	return method.Mask(text, slices.Collect(maps.Values(t.charge.Card.Values)))
}
