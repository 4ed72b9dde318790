package worker

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// savedCardTTL is how long after it was made a charge of a saved card, without a page, may be sent for the first time.
const savedCardTTL = 24 * time.Hour

// cards decrypts what a charge is made with: what its payer has sealed, or a saved card.
type cards struct {
	core    *checkout.Core
	vault   card.Vault
	wallets Wallets
	keys    *card.KeyCache
	task    checkout.Task
	sealed  *card.Sealed // nil if it was not read
	at      walletAt     // of a charge with a wallet's token
}

// decryptCard decrypts and checks the card of a charge: a card that the payer's browser sealed, or a saved card with
// the security code that the browser sealed. A reason declines the payment before anything is sent; an error leaves it
// as it is. Without a card or sealed parameters it returns nil.
func (o cards) decryptCard(ctx context.Context) (*payment.DecryptedCard, reason.Code, error) {
	p, job := o.task.Payment, o.task.Job()
	if job.Kind != payment.JobCharge || !p.NeedsDecryption() {
		return nil, "", nil
	}
	now := o.core.Now()
	c, reason, err := o.unseal(ctx, now)
	if reason != "" || err != nil {
		return nil, reason, err
	}
	token, saved := c.Token, p.SavedCard != ""
	if c.Token = ""; method.IsWallet(p.Method) && !saved {
		return o.openToken(ctx, now, token)
	}
	c.Values, reason = form.SealedParameters(p.Method, p.SessionRequest(), c.Values)
	if reason != "" || !method.TakesCard(p.Method) && !saved {
		return &payment.DecryptedCard{Card: card.Card{Values: c.Values}}, reason, nil
	}
	if p.Operation != method.Transfer {
		c.PayeeNumber = "" // only the form of a transfer has this field
	}
	if saved {
		saved, reason, err := o.decryptSavedCard(ctx, now)
		if reason != "" || err != nil {
			return nil, reason, err
		}
		saved.SecurityCode, saved.PayeeNumber, saved.Values = c.SecurityCode, c.PayeeNumber, c.Values
		return &payment.DecryptedCard{Card: saved}, checkCard(saved, p, now), nil
	}
	if reason := checkCard(c, p, now); reason != "" {
		return nil, reason, nil
	}
	toSave, err := o.encryptCardToSave(ctx, now, c)
	return &payment.DecryptedCard{Card: c, ToSave: toSave}, "", err
}

// cardMissing returns the reason to decline a charge whose card is not stored any more, "" if it is stored.
func (o cards) cardMissing(now time.Time) reason.Code {
	p, job := o.task.Payment, o.task.Job()
	if job.Kind != payment.JobCharge || !p.NeedsDecryption() {
		return ""
	}
	switch {
	case !now.Before(sendableUntil(p)):
		return reason.NotSentInTime
	case job.Sealed && o.sealed == nil, !job.Sealed && p.SavedCard == "":
		return reason.NotSent
	}
	return ""
}

// sendableUntil returns until when a charge that needs a card may be sent for the first time.
func sendableUntil(p *payment.Payment) time.Time {
	if p.SessionID == "" {
		return p.CreatedAt.Add(savedCardTTL)
	}
	return p.CreatedAt.Add(payment.SealedTTL)
}

// decryptSavedCard reads and decrypts the saved card of a payment.
func (o cards) decryptSavedCard(ctx context.Context, now time.Time) (card.Card, reason.Code, error) {
	var saved card.Saved
	p := o.task.Payment
	found, err := o.core.Load(ctx, now, store.SavedCardKey(p.SavedCard), &saved)
	if err != nil {
		return card.Card{}, "", fmt.Errorf("read saved card of payment %s: %w", p.ID, err)
	}
	if !found || saved.Owner != p.Owner || saved.Encrypted == nil {
		return card.Card{}, reason.SavedCardExpired, nil
	}
	if removed := saved.RemovedAt; !p.Recurring && !removed.IsZero() && removed.Before(p.CreatedAt) {
		return card.Card{}, reason.SavedCardRemoved, nil
	}
	c, err := o.vault.Decrypt(ctx, *saved.Encrypted, saved.AssociatedData())
	if errors.Is(err, card.ErrDecrypt) {
		return card.Card{}, reason.CardUnreadable, nil
	}
	if err != nil {
		return card.Card{}, "", fmt.Errorf("open saved card of payment %s: %w", p.ID, err)
	}
	c.PANType = saved.View.PANType
	return c, "", nil
}

// encryptCardToSave encrypts a card that is to be saved and returns it with its token, nil if it is not to be saved. If
// the request was sent before, the card has been encrypted and keeps its token.
func (o cards) encryptCardToSave(ctx context.Context, now time.Time, c card.Card) (*card.Saved, error) {
	p := o.task.Payment
	if !p.ReqToken && !p.RecurringInit || p.CardToSave != nil {
		return p.CardToSave, nil
	}
	saved := &card.Saved{
		Token: hex.EncodeToString(o.core.Random(32)), Owner: p.Owner,
		View: *card.NewView(c), Holder: o.task.Job().CardName, CreatedAt: now,
	}
	encrypted, err := o.vault.Encrypt(ctx, c, saved.AssociatedData())
	if err != nil {
		return nil, fmt.Errorf("keep card of payment %s: %w", p.ID, err)
	}
	saved.Encrypted = &encrypted
	return saved, nil
}

// checkCard checks decrypted card data as the page does (protocol.md, Checkout page fields) and returns what is wrong
// with it, "" if nothing is. Saved cards, wallets' cards and payouts need no security code.
func checkCard(card card.Card, p *payment.Payment, now time.Time) reason.Code {
	codeless := p.SavedCard != "" || p.Operation == method.Credit || method.IsWallet(p.Method)
	switch {
	case !method.CheckCardNumber(card.Number):
		return reason.CardInvalid
	case !method.CheckExpiry(card.ExpiryMonth, card.ExpiryYear, now):
		return reason.CardExpired
	case !method.CheckSecurityCode(card.SecurityCode) && !(codeless && card.SecurityCode == ""):
		return reason.SecurityCodeInvalid
	case p.Operation == method.Transfer && !method.CheckCardNumber(card.PayeeNumber):
		return reason.PayeeCardInvalid
	}
	return ""
}

// unseal decrypts what the payer's browser sealed. The Card is empty if it sealed nothing.
func (o cards) unseal(ctx context.Context, now time.Time) (card.Card, reason.Code, error) {
	p, job := o.task.Payment, o.task.Job()
	if !job.Sealed {
		return card.Card{}, "", nil
	}
	keys := card.Keys{Store: o.core.Store, Cache: o.keys}
	key, err := keys.PrivateKey(ctx, now, o.sealed.KeyID, o.vault)
	var c card.Card
	if err == nil {
		c, err = key.Open(*o.sealed, payment.SealInfo(p.Owner, p.SessionID))
	}
	if errors.Is(err, card.ErrDecrypt) {
		return card.Card{}, reason.CardUnreadable, nil
	}
	if err != nil {
		return card.Card{}, "", fmt.Errorf("open card of payment %s: %w", p.ID, err)
	}
	return c, "", nil
}
