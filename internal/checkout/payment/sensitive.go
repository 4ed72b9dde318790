package payment

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/sensitive"
)

// Masked returns a provider's text for logs and operators, without the sensitive values of the payment's parameters,
// which a provider may repeat in its reason or error.
func (p *Payment) Masked(text string) string {
	if text = method.Mask(text, p.secretsEntered()); text == "" || p.Parameters == nil {
		return text
	}
	sent, err := p.SentParameters()
	if err != nil {
		return text
	}
	m, _ := method.Find(p.Method)
	return m.MaskIn(text, sent)
}

// SentParameters returns the parameters of the chosen method that the merchant sent or the payer typed, without files
// once the charge is decided.
func (p *Payment) SentParameters() (map[string]any, error) {
	all := map[string]map[string]any{}
	if p.Parameters != nil {
		if err := json.Unmarshal(p.Parameters, &all); err != nil {
			return nil, fmt.Errorf("stored parameters of payment %s can't be read", p.ID)
		}
	}
	return all[p.Method], nil
}

// secretsEntered returns the codes and passwords that the payer filled in.
func (p *Payment) secretsEntered() (secrets []string) {
	for _, a := range p.Entered {
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
func (p *Payment) Secrets(sent connector.Charge) sensitive.Finder {
	c := sent.Card
	all := append(slices.Collect(maps.Values(c.Values)), c.Number, c.PayeeNumber, c.SecurityCode, c.Cryptogram)
	all = append(all, p.secretsEntered()...)
	if sent, err := p.SentParameters(); err == nil {
		m, _ := method.Find(p.Method)
		all = append(all, m.SealedValues(sent)...)
	}
	if sent.Wallet != nil {
		all = append(all, partsOfTokens.FindAllString(sent.Wallet.Token, -1)...)
	}
	return sensitive.NewFinder(all, []string{p.Card.MaskText(), p.PayeeCard.MaskText()})
}

// partsOfTokens finds the keys, signatures and encrypted texts in a token, in base64 or hex.
var partsOfTokens = regexp.MustCompile(`[A-Za-z0-9+/_=-]{24,}`)
