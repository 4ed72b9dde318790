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

// needsSealed reports whether what the payer needsSealed is still needed.
func (p *Payment) needsSealed() bool {
	charge := p.Charge()
	return charge != nil && charge.Sealed
}

// cardDeletion is the deletion of what the payer sealed, for the write after which nothing needs it any more; none before
// that, and none where it is deleted already.
func (p *Payment) cardDeletion() []store.Record {
	if !p.storedCard || p.needsSealed() {
		return nil
	}
	return []store.Record{{Key: store.SealedCardKey(p.ID), Delete: true}}
}

// unseal opens what the payer sealed, an empty Card for a saved card without anything sealed.
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

// sealInfo binds sealed card data to its session and merchant, so that it opens nowhere else. The payer's
// browser sees it, so it holds a digest of whose session it is.
func sealInfo(o request.Owner, sessionID string) string {
	sum := sha256.Sum256([]byte("seal/" + o.Text()))
	return "card/" + hex.EncodeToString(sum[:16]) + "/" + sessionID
}
