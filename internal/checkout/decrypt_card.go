package checkout

import (
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

// savedKept is how long a charge without a payer, of a saved card, may wait to be asked for the first time.
const savedCardTTL = 24 * time.Hour

// opened is a card that is about to be charged, and what may be kept of it.
type decryptedCard struct {
	card   card.Card
	toSave *card.Saved // to be saved if the charge goes well
}

// decryptCard opens and checks the card of a charge: one that the payer sealed,
// or a saved one with the security code that the payer sealed. A reason
// declines the payment before anything was sent; an error leaves it as it is.
// What has neither a card nor sealed parameters opens nothing.
func (s *Service) decryptCard(ctx context.Context, t task) (*decryptedCard, screen.ReasonCode, error) {
	p, job := t.payment, t.job()
	if job.Kind != JobCharge || !form.NeedsDecryption(p.Method, p.request()) {
		return nil, "", nil
	}
	now := s.Now()
	c, reason, err := s.unseal(ctx, now, t)
	if reason != "" || err != nil {
		return nil, reason, err
	}
	if c.Values, reason = form.SealedParameters(p.Method, p.request(), c.Values); reason != "" || !method.TakesCard(p.Method) {
		return &decryptedCard{card: card.Card{Values: c.Values}}, reason, nil
	}
	if p.Operation != method.Transfer {
		c.PayeeNumber = "" // nobody asked for it
	}
	if p.SavedCard != "" {
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
	return &decryptedCard{c, toSave}, "", err
}

// cardMissing is the reason why the card of a charge can't be had any more, "" if
// it can.
func (t task) cardMissing(now time.Time) screen.ReasonCode {
	p, job, ttl := t.payment, t.job(), sealedTTL
	if job.Kind != JobCharge || !form.NeedsDecryption(p.Method, p.request()) {
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

// decryptSavedCard opens the saved card of a payment.
func (s *Service) decryptSavedCard(ctx context.Context, now time.Time, p *Payment) (card.Card, screen.ReasonCode, error) {
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
	return c, "", nil
}

// keep encrypts a card that is to be saved, nil if it is not. A question that
// is asked again keeps the token that it began with.
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

// setCard keeps with the payment what may be kept of its card.
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

// checkCard checks opened card data as the page does (core.md, Checkout page
// fields) and returns what is wrong with it, "" if it is sound. What a saved card and
// a payout have no security code for, they need none.
func checkCard(card card.Card, p *Payment, now time.Time) screen.ReasonCode {
	codeless := p.SavedCard != "" || p.Operation == method.Credit
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

// savedCards reads the cards of a request's card_token, each of which must be
// one of this merchant and mode that has not expired. Errors: CodeInvalid with
// every fault.
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
		path := fmt.Sprintf("card_token[%d]", i)
		if err := r.Decode(&cards[i]); err != nil {
			return nil, err
		}
		switch {
		case r.Version == 0:
			faults = append(faults, request.Fault{Code: request.FaultTokenNotFound, Path: path, Text: "Card token is not found."})
		case cards[i].Owner != req.Owner:
			faults = append(faults, request.Fault{Code: request.FaultTokenNotMerchant, Path: path, Text: "Card token belongs to another merchant."})
		case !now.Before(cards[i].Ends()):
			faults = append(faults, request.Fault{Code: request.FaultTokenExpired, Path: path, Text: "Card token has expired."})
		}
		cards[i].Encrypted = nil // only who charges it needs that
	}
	if len(faults) > 0 {
		return nil, request.Invalid(faults)
	}
	return cards, nil
}

// keepCard hands the card of a good charge over to where its token finds it.
// A card that only a recurring chain needs waits until the chain begins, which
// is when the payment settles.
func (p *Payment) saveCard(e *effects) {
	settled := p.Status == StatusSettled
	if p.CardToSave != nil && (p.ReqToken || settled) {
		e.savedCard = p.CardToSave
		p.SavedCard, p.CardToSave = p.CardToSave.Token, nil
		if p.ReqToken {
			p.CardToken = p.SavedCard
		}
	}
	e.startChain = settled && p.SavedCard != "" && (p.RecurringInit || p.StartsSchedule)
}
