package payment

import (
	"maps"
	"regexp"
	"slices"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/sensitive"
)

// Masker takes the secrets of a payment out of texts.
type Masker struct{ p *Payment }

// Masker returns the masker of the payment's secrets.
func (p *Payment) Masker() Masker { return Masker{p} }

// Mask returns a provider's text for logs and operators, without the sensitive values of the payment's parameters,
// which a provider may repeat in its reason or error.
func (m Masker) Mask(text string) string {
	if text = method.Mask(text, m.entered()); text == "" || m.p.Parameters == nil {
		return text
	}
	sent, err := m.p.SentParameters()
	if err != nil {
		return text
	}
	chosen, _ := method.Find(m.p.Method)
	return chosen.MaskIn(text, sent)
}

// entered returns the codes and passwords that the payer filled in.
func (m Masker) entered() (secrets []string) {
	for _, a := range m.p.Entered {
		if a.Secret {
			secrets = append(secrets, a.Value)
		}
	}
	return secrets
}

// MaxMasked is the most bytes of a text for people that are searched. Much less of it is kept.
const MaxMasked = 4 << 10

// MaskLong masks a text before it is cut: a part of a secret would not be found.
func MaskLong(f sensitive.Finder, text string) string {
	if len(text) <= MaxMasked {
		return f.Mask(text)
	}
	masked := f.Mask(text[:MaxMasked])
	if len(masked) < MaxMasked/2 { // it has so many secrets that a part of one may be left at its end
		return method.Masked
	}
	return masked
}

// Secrets returns a finder of what nobody may store or show of the payment: what the payer's browser sealed, such as a
// card's number, the PIN of a voucher or the parts of a wallet's token, while it is known by the charge that is sent;
// afterwards the card's number by its mask. What is sealed on the page is a secret, too, if the merchant has sent it.
func (m Masker) Secrets(sent connector.Charge) sensitive.Finder {
	c := sent.Card
	all := append(slices.Collect(maps.Values(c.Values)), c.Number, c.PayeeNumber, c.SecurityCode, c.Cryptogram)
	all = append(all, m.entered()...)
	if sent, err := m.p.SentParameters(); err == nil {
		chosen, _ := method.Find(m.p.Method)
		all = append(all, chosen.SealedValues(sent)...)
	}
	if sent.Wallet != nil {
		all = append(all, partsOfTokens.FindAllString(sent.Wallet.Token, -1)...)
	}
	return sensitive.NewFinder(all, []string{m.p.Card.MaskText(), m.p.PayeeCard.MaskText()})
}

// partsOfTokens finds the keys, signatures and encrypted texts in a token, in base64 or hex.
var partsOfTokens = regexp.MustCompile(`[A-Za-z0-9+/_=-]{24,}`)
