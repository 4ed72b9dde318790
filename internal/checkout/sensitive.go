package checkout

import (
	"maps"
	"regexp"
	"slices"
	"strings"

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
	text := method.MaskCardNumbers(t.withoutSealed(err.Error()))
	return request.Printable(t.payment.Masked(text), request.MaxErrorText)
}

// withoutSealed returns a provider's text without the values that the payer's browser sealed, such as a card's number,
// the PIN of a voucher or the parts of a wallet's token: they are not stored with the payment, where Masked could find
// them.
func (t task) withoutSealed(text string) string {
	c := t.charge.Card
	secrets := append(slices.Collect(maps.Values(c.Values)), c.Number, c.PayeeNumber)
	if c.Cryptogram != "" {
		secrets = append(secrets, c.Cryptogram)
	}
	if t.charge.Wallet != nil {
		secrets = append(secrets, partsOfTokens.FindAllString(t.charge.Wallet.Token, -1)...)
	}
	text = method.Mask(text, secrets)
	if c.SecurityCode != "" { // a part of a longer number is none
		code := regexp.MustCompile(`\b` + regexp.QuoteMeta(c.SecurityCode) + `\b`)
		text = code.ReplaceAllLiteralString(text, method.Masked)
	}
	return text
}

// resultWithoutSealed returns a provider's result whose texts have nothing of what was sealed. Ids that have are left
// out.
func (t task) resultWithoutSealed(r Result) Result {
	r.Reason, r.Code = t.withoutSealed(r.Reason), t.withoutSealed(r.Code)
	for _, text := range r.ProviderData.texts() {
		digits := strings.NewReplacer(" ", "", "-", "").Replace(*text)
		if t.withoutSealed(*text) != *text || t.withoutSealed(digits) != digits {
			*text = ""
		}
	}
	return r
}

// partsOfTokens finds the keys, signatures and encrypted texts in a token, in base64 or hex.
var partsOfTokens = regexp.MustCompile(`[A-Za-z0-9+/_=-]{24,}`)
