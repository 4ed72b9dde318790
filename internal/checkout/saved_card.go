package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/method"
)

// SavedCard is a card that may be charged again by its token (core.md,
// req_token, card_token). It belongs to a
// merchant in one mode, ends with the card
// and never holds a security code.
type SavedCard struct {
	Token string `json:"token"` // 64 characters that nobody can guess
	Owner
	View      CardView  `json:"view"`
	Holder    string    `json:"holder,omitempty"` // the name on the card
	Kept      *Kept     `json:"kept,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// bound is what a kept card is bound to, so that it opens for no other merchant and token.
func (c *SavedCard) bound() string { return "saved/" + c.Owner.text() + "/" + c.Token }

// expiredKept is how much longer than its card a token is remembered, so that it can be called expired.
const expiredKept = 90 * 24 * time.Hour

// record is the saved card as a store keeps it.
func (c *SavedCard) record() Record {
	r := encode(savedCardKey(c.Token), 0, c)
	r.ExpiresAt = c.ends().Add(expiredKept)
	return r
}

// ends is when the card is good no more.
func (c *SavedCard) ends() time.Time {
	return method.CardEnds(c.View.ExpiryMonth, c.View.ExpiryYear)
}

// savedCards reads the cards of a request's card_token, each of which must be
// one of this merchant and mode that has not expired. Errors: CodeInvalid with
// every fault.
func (s *Service) savedCards(ctx context.Context, now time.Time, req *SessionRequest) ([]SavedCard, error) {
	if len(req.CardTokens) == 0 {
		return nil, nil
	}
	keys := make([]Key, len(req.CardTokens))
	for i, token := range req.CardTokens {
		keys[i] = savedCardKey(token)
	}
	records, err := s.Store.Get(ctx, now, keys...)
	if err != nil {
		return nil, fmt.Errorf("read saved cards: %w", err)
	}
	cards, faults := make([]SavedCard, len(keys)), []Fault(nil)
	for i, r := range records {
		path := fmt.Sprintf("card_token[%d]", i)
		if err := r.Decode(&cards[i]); err != nil {
			return nil, err
		}
		switch {
		case r.Version == 0:
			faults = append(faults, Fault{FaultTokenNotFound, path, "Card token is not found."})
		case cards[i].Owner != req.Owner:
			faults = append(faults, Fault{FaultTokenNotMerchant, path, "Card token belongs to another merchant."})
		case !now.Before(cards[i].ends()):
			faults = append(faults, Fault{FaultTokenExpired, path, "Card token has expired."})
		}
		cards[i].Kept = nil // only who charges it needs that
	}
	if len(faults) > 0 {
		return nil, invalid(faults)
	}
	return cards, nil
}
