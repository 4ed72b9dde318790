package payment

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/store"
)

// SealedTTL is how long after the payer's click a sealed card can be used.
const SealedTTL = 15 * time.Minute

// SealedRecord returns the document of a sealed card, which is stored until the provider has decided.
func SealedRecord(p *Payment, sealed *card.Sealed) store.Record {
	r := store.Encode(store.SealedCardKey(p.ID), 0, sealed)
	r.ExpiresAt = p.CreatedAt.Add(SealedTTL)
	return r
}

// SealInfo returns the associated data of a sealed card, which binds it to its session and merchant. It contains
// only a digest of merchant and mode, because the payer's browser gets it.
func SealInfo(o fault.Owner, sessionID string) string {
	sum := sha256.Sum256([]byte("seal/" + o.Text()))
	return "card/" + hex.EncodeToString(sum[:16]) + "/" + sessionID
}

// DecryptedCard is a card or a wallet's token that is about to be charged, and what is saved of it.
type DecryptedCard struct {
	Card   card.Card
	ToSave *card.Saved // saved if the charge succeeds, nil for none
	// Fingerprint is that of the card's number, "" for none.
	Fingerprint string

	Wallet  *connector.Wallet // of a token, else nil
	TokenID string            // of a token: what is used once
	Until   time.Time         // of a token: when it ends, zero if that is within minutes or not known
	Holder  string            // the name on the card of a token, if the wallet tells it
}

// NeedsDecryption reports whether a card or a token is decrypted for the charge. A later payment of a chain that began
// with a token in the virtual flow has neither.
func (p *Payment) NeedsDecryption() bool {
	if method.IsWallet(p.Method) {
		return !p.Recurring || p.SavedCard != ""
	}
	return form.NeedsDecryption(p.Method, p.SessionRequest())
}

// SetCard stores with the payment the masked card, and the encrypted card that is to be saved.
func (p *Payment) SetCard(c DecryptedCard) {
	if c.Card.Number != "" {
		p.Card, p.Fingerprint = card.NewView(c.Card), c.Fingerprint
	}
	if c.Card.PayeeNumber != "" {
		p.PayeeCard = &card.View{Mask: card.Mask(c.Card.PayeeNumber)}
	}
	if p.Operation == method.Credit {
		p.PayeeCard = p.Card
	}
	p.CardToSave = c.ToSave
}

// saveCard has the card of a charge that succeeded stored by its token. A card that only a recurring chain needs is
// stored when the chain begins, which is when the payment settles. In a wallet's virtual flow, the provider's id of the
// payment takes the place of a card.
func (p *Payment) saveCard(e *Effects) {
	settled := p.Status == StatusSettled
	if p.CardToSave != nil && (p.ReqToken || settled) {
		e.SavedCard = p.CardToSave
		e.SavedCard.NetworkTransactionID = p.NetworkTransactionID
		p.SavedCard, p.CardToSave = p.CardToSave.Token, nil
		if p.ReqToken {
			p.CardToken = p.SavedCard
		}
	}
	lasts := p.SavedCard != "" || method.IsWallet(p.Method) && p.Card == nil && p.ProviderID != ""
	e.StartChain = settled && lasts && (p.RecurringInit || p.StartsSchedule)
}
