package checkout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// sealedTTL is how long after the payer's click a sealed card can be used.
const sealedTTL = 15 * time.Minute

// sealedRecord returns the document of a sealed card, which is stored until the provider has decided.
func sealedRecord(p *Payment, sealed *card.Sealed) store.Record {
	r := store.Encode(store.SealedCardKey(p.ID), 0, sealed)
	r.ExpiresAt = p.CreatedAt.Add(sealedTTL)
	return r
}

// needsSealed reports whether the sealed card is still needed.
func (p *Payment) needsSealed() bool {
	charge := p.Charge()
	return charge != nil && charge.Sealed
}

// cardDeletion returns the deletion of the sealed card, if one is stored and this version of the payment no longer
// needs it.
func (p *Payment) cardDeletion() []store.Record {
	if !p.storedCard || p.needsSealed() {
		return nil
	}
	return []store.Record{{Key: store.SealedCardKey(p.ID), Delete: true}}
}

// unseal decrypts what the payer's browser sealed. The Card is empty if it sealed nothing.
func (s *Service) unseal(ctx context.Context, now time.Time, t task) (card.Card, screen.ReasonCode, error) {
	p, job := t.payment, t.job()
	if !job.Sealed {
		return card.Card{}, "", nil
	}
	key, err := s.cardKeys().PrivateKey(ctx, now, t.sealed.KeyID)
	var c card.Card
	if err == nil {
		c, err = key.Open(*t.sealed, sealInfo(p.Owner, p.SessionID))
	}
	if errors.Is(err, card.ErrDecrypt) {
		return card.Card{}, screen.ReasonCardUnreadable, nil
	}
	if err != nil {
		return card.Card{}, "", fmt.Errorf("open card of payment %s: %w", p.ID, err)
	}
	return c, "", nil
}

// sealInfo returns the associated data of a sealed card, which binds it to its session and merchant. It contains
// only a digest of merchant and mode, because the payer's browser gets it.
func sealInfo(o request.Owner, sessionID string) string {
	sum := sha256.Sum256([]byte("seal/" + o.Text()))
	return "card/" + hex.EncodeToString(sum[:16]) + "/" + sessionID
}
