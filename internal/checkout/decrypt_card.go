package checkout

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/form"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// savedCardTTL is how long after it was made a charge of a saved card, without a page, may be sent for the first time.
const savedCardTTL = 24 * time.Hour

// decryptedCard is a card or a wallet's token that is about to be charged, and what is saved of it.
type decryptedCard struct {
	card   card.Card
	toSave *card.Saved // saved if the charge succeeds, nil for none

	wallet  *Wallet   // of a token, else nil
	tokenID string    // of a token: what is used once
	until   time.Time // of a token: when it ends, zero if that is within minutes or not known
	holder  string    // the name on the card of a token, if the wallet tells it
}

// decryptCard decrypts and checks the card of a charge: a card that the payer's browser sealed, or a saved card with
// the security code that the browser sealed. A reason declines the payment before anything is sent; an error leaves it
// as it is. Without a card or sealed parameters it returns nil.
func (s *Service) decryptCard(ctx context.Context, t task) (*decryptedCard, screen.ReasonCode, error) {
	p, job := t.payment, t.job()
	if job.Kind != JobCharge || !p.needsDecryption() {
		return nil, "", nil
	}
	now := s.Now()
	c, reason, err := s.unseal(ctx, now, t)
	if reason != "" || err != nil {
		return nil, reason, err
	}
	token, saved := c.Token, p.SavedCard != ""
	if c.Token = ""; method.IsWallet(p.Method) && !saved {
		return s.openToken(ctx, now, t, token)
	}
	c.Values, reason = form.SealedParameters(p.Method, p.sessionRequest(), c.Values)
	if reason != "" || !method.TakesCard(p.Method) && !saved {
		return &decryptedCard{card: card.Card{Values: c.Values}}, reason, nil
	}
	if p.Operation != method.Transfer {
		c.PayeeNumber = "" // only the form of a transfer has this field
	}
	if saved {
		saved, reason, err := s.decryptSavedCard(ctx, now, p)
		if reason != "" || err != nil {
			return nil, reason, err
		}
		saved.SecurityCode, saved.PayeeNumber, saved.Values = c.SecurityCode, c.PayeeNumber, c.Values
		return &decryptedCard{card: saved}, checkCard(saved, p, now), nil
	}
	if reason := checkCard(c, p, now); reason != "" {
		return nil, reason, nil
	}
	toSave, err := s.encryptCardToSave(ctx, now, t, c)
	return &decryptedCard{card: c, toSave: toSave}, "", err
}

// needsDecryption reports whether a card or a token is decrypted for the charge. A later payment of a chain that began
// with a token in the virtual flow has neither.
func (p *Payment) needsDecryption() bool {
	if method.IsWallet(p.Method) {
		return !p.Recurring || p.SavedCard != ""
	}
	return form.NeedsDecryption(p.Method, p.sessionRequest())
}

// cardMissing returns the reason to decline a charge whose card is not stored any more, "" if it is stored.
func (t task) cardMissing(now time.Time) screen.ReasonCode {
	p, job, ttl := t.payment, t.job(), sealedTTL
	if job.Kind != JobCharge || !p.needsDecryption() {
		return ""
	}
	if p.SessionID == "" {
		ttl = savedCardTTL
	}
	switch {
	case !now.Before(p.CreatedAt.Add(ttl)):
		return screen.ReasonNotSentInTime
	case job.Sealed && t.sealed == nil, !job.Sealed && p.SavedCard == "":
		return screen.ReasonNotSent
	}
	return ""
}

// decryptSavedCard reads and decrypts the saved card of a payment.
func (s *Service) decryptSavedCard(
	ctx context.Context, now time.Time, p *Payment,
) (card.Card, screen.ReasonCode, error) {
	var saved card.Saved
	found, err := s.load(ctx, now, store.SavedCardKey(p.SavedCard), &saved)
	if err != nil {
		return card.Card{}, "", fmt.Errorf("read saved card of payment %s: %w", p.ID, err)
	}
	if !found || saved.Owner != p.Owner || saved.Encrypted == nil {
		return card.Card{}, screen.ReasonSavedCardExpired, nil
	}
	c, err := s.Vault.Decrypt(ctx, *saved.Encrypted, saved.AssociatedData())
	if errors.Is(err, card.ErrDecrypt) {
		return card.Card{}, screen.ReasonCardUnreadable, nil
	}
	if err != nil {
		return card.Card{}, "", fmt.Errorf("open saved card of payment %s: %w", p.ID, err)
	}
	c.PANType = saved.View.PANType
	return c, "", nil
}

// encryptCardToSave encrypts a card that is to be saved and returns it with its token, nil if it is not to be saved. If
// the request was sent before, the card has been encrypted and keeps its token.
func (s *Service) encryptCardToSave(ctx context.Context, now time.Time, t task, c card.Card) (*card.Saved, error) {
	p := t.payment
	if !p.ReqToken && !p.RecurringInit || p.CardToSave != nil {
		return p.CardToSave, nil
	}
	saved := &card.Saved{
		Token: hex.EncodeToString(s.Random(32)), Owner: p.Owner,
		View: *card.NewView(c), Holder: t.job().CardName, CreatedAt: now,
	}
	encrypted, err := s.Vault.Encrypt(ctx, c, saved.AssociatedData())
	if err != nil {
		return nil, fmt.Errorf("keep card of payment %s: %w", p.ID, err)
	}
	saved.Encrypted = &encrypted
	return saved, nil
}

// setCard adds a decrypted card or token to the charge, and what is stored of it to the payment. nil is none.
func (t *task) setCard(c *decryptedCard) {
	if c == nil {
		return
	}
	t.charge.Card, t.charge.CardName = c.card, cmp.Or(t.charge.CardName, c.holder)
	if c.wallet != nil {
		t.charge.Wallet = c.wallet
	}
	t.payment.setCard(*c)
}

// setCard stores with the payment the masked card, and the encrypted card that is to be saved.
func (p *Payment) setCard(c decryptedCard) {
	if c.card.Number != "" {
		p.Card = card.NewView(c.card)
	}
	if c.card.PayeeNumber != "" {
		p.PayeeCard = &card.View{Mask: card.Mask(c.card.PayeeNumber)}
	}
	if p.Operation == method.Credit {
		p.PayeeCard = p.Card
	}
	p.CardToSave = c.toSave
}

// checkCard checks decrypted card data as the page does (core.md, Checkout page fields) and returns what is wrong with
// it, "" if nothing is. Saved cards, wallets' cards and payouts need no security code.
func checkCard(card card.Card, p *Payment, now time.Time) screen.ReasonCode {
	codeless := p.SavedCard != "" || p.Operation == method.Credit || method.IsWallet(p.Method)
	switch {
	case !method.CheckCardNumber(card.Number):
		return screen.ReasonCardInvalid
	case !method.CheckExpiry(card.ExpiryMonth, card.ExpiryYear, now):
		return screen.ReasonCardExpired
	case !method.CheckSecurityCode(card.SecurityCode) && !(codeless && card.SecurityCode == ""):
		return screen.ReasonSecurityCodeInvalid
	case p.Operation == method.Transfer && !method.CheckCardNumber(card.PayeeNumber):
		return screen.ReasonPayeeCardInvalid
	}
	return ""
}

// savedCards reads the saved cards of a request's card_token. Each must belong to the merchant and its mode and must
// not have expired. Errors: CodeInvalid with every fault.
func (s *Service) savedCards(ctx context.Context, now time.Time, req *request.Session) ([]card.Saved, error) {
	if len(req.CardTokens) == 0 {
		return nil, nil
	}
	keys := make([]store.Key, len(req.CardTokens))
	for i, token := range req.CardTokens {
		keys[i] = store.SavedCardKey(token)
	}
	records, err := s.Store.Get(ctx, now, keys...)
	if err != nil {
		return nil, fmt.Errorf("read saved cards: %w", err)
	}
	cards, faults := make([]card.Saved, len(keys)), []request.Fault(nil)
	for i, r := range records {
		fault := request.Fault{Path: fmt.Sprintf("card_token[%d]", i)}
		if err := r.Decode(&cards[i]); err != nil {
			return nil, err
		}
		switch {
		case r.Version == 0:
			fault.Code, fault.Text = request.FaultTokenNotFound, "Card token is not found."
		case cards[i].Owner != req.Owner:
			fault.Code, fault.Text = request.FaultTokenNotMerchant, "Card token belongs to another merchant."
		case !now.Before(cards[i].Ends()):
			fault.Code, fault.Text = request.FaultTokenExpired, "Card token has expired."
		}
		if fault.Text != "" {
			faults = append(faults, fault)
		}
		cards[i].Encrypted = nil // needed only where it is charged, and read again there
	}
	if len(faults) > 0 {
		return nil, request.Invalid(faults)
	}
	return cards, nil
}

// saveCard has the card of a charge that succeeded stored by its token. A card that only a recurring chain needs is
// stored when the chain begins, which is when the payment settles. In a wallet's virtual flow, the provider's id of the
// payment takes the place of a card.
func (p *Payment) saveCard(e *effects) {
	settled := p.Status == StatusSettled
	if p.CardToSave != nil && (p.ReqToken || settled) {
		e.savedCard = p.CardToSave
		e.savedCard.NetworkTransactionID = p.NetworkTransactionID
		p.SavedCard, p.CardToSave = p.CardToSave.Token, nil
		if p.ReqToken {
			p.CardToken = p.SavedCard
		}
	}
	lasts := p.SavedCard != "" || method.IsWallet(p.Method) && p.Card == nil && p.ProviderID != ""
	e.startChain = settled && lasts && (p.RecurringInit || p.StartsSchedule)
}
