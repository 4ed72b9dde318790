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

// sealedTTL is how long a sealed card is worth anything after the payer's click.
const sealedTTL = 15 * time.Minute

// sealedRecord is what the payer of a payment sealed, as the vault table holds
// it until the provider has decided.
func sealedRecord(p *Payment, sealed *card.Sealed) store.Record {
	r := store.Encode(store.SealedCardKey(p.ID), 0, sealed)
	r.ExpiresAt = p.CreatedAt.Add(sealedTTL)
	return r
}

// sealed reports whether what the payer sealed is still needed.
func (p *Payment) sealed() bool {
	charge := p.Charge()
	return charge != nil && charge.Sealed
}

// taskWithCard reads what a message is about, and what the payer sealed where
// that may be needed: at any MID but the first it is not stored any more.
func (s *Service) taskWithCard(ctx context.Context, now time.Time, message JobMessage) (task, error) {
	t, more, err := s.taskOf(ctx, now, message, func(m JobMessage) []store.Key {
		if m.Reference != "" && m.Reference != m.PaymentID {
			return nil
		}
		return []store.Key{store.SealedCardKey(m.PaymentID)}
	})
	if err != nil || len(more) == 0 || more[0].Version == 0 {
		return t, err
	}
	t.sealed = &card.Sealed{}
	return t, more[0].Decode(t.sealed)
}

// deletedCard is the deletion of what the payer sealed, stored with the change
// after which it is not needed any more.
func (p *Payment) deletedCard() store.Record {
	return store.Record{Key: store.SealedCardKey(p.ID), Delete: true}
}

// unseal opens what the payer sealed, an empty Card for a saved card without anything sealed.
func (s *Service) unseal(ctx context.Context, now time.Time, t task) (card.Card, screen.ReasonCode, error) {
	p, job := t.payment, t.job()
	if !job.Sealed {
		return card.Card{}, "", nil
	}
	key, err := s.keysOf().PrivateKey(ctx, now, t.sealed.KeyID)
	var c card.Card
	if err == nil {
		c, err = key.Open(*t.sealed, sealInfo(p.Owner, p.SessionID))
	}
	if errors.Is(err, card.ErrSealed) {
		return card.Card{}, screen.ReasonCardUnreadable, nil
	}
	if err != nil {
		return card.Card{}, "", fmt.Errorf("open card of payment %s: %w", p.ID, err)
	}
	return c, "", nil
}

// sealInfo binds sealed card data to its session and merchant, so that it opens nowhere else. The payer's
// browser sees it, so it holds a digest of whose session it is.
func sealInfo(o request.Owner, sessionID string) string {
	sum := sha256.Sum256([]byte("seal/" + o.Text()))
	return "card/" + hex.EncodeToString(sum[:16]) + "/" + sessionID
}
