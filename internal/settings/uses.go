package settings

import (
	"context"
	"encoding/hex"
	"sync"
	"time"

	"checkout/internal/store"
)

// Use is that a merchant's request was accepted by a secret that is replaced just now: by the old one or the new one.
type Use struct {
	Merchant string
	Secret   string // its place in the settings: live_key, test_key or password
	Old      bool
	Until    time.Time // when the overlap ends
}

// UseCount is the document of how often one instance of a function has seen a use.
type UseCount struct {
	Count int64     `json:"count"`
	Last  time.Time `json:"last"`
	Until time.Time `json:"until"` // of the overlap that the uses were in
}

// HasOldPassword reports whether a password that was replaced is still valid.
func (m *Merchant) HasOldPassword() bool { return m.old.password.text != "" }

// WithoutOld returns the merchant without keys and secrets that were replaced.
func (m *Merchant) WithoutOld() *Merchant {
	present := *m
	present.old = replacedValues{}
	return &present
}

// Uses returns the uses of a caller's authentic request: none, unless an overlap runs.
func (c Caller) Uses(now time.Time, oldPassword bool) (all []Use) {
	if c.Merchant.HasOldPassword() {
		all = append(all, Use{c.Merchant.ID, "password", oldPassword, c.Merchant.old.password.until})
	}
	for _, k := range c.Merchant.old.keys {
		if k.Test == c.Owner.Test && now.Before(k.Until) {
			place := "live_key"
			if k.Test {
				place = "test_key"
			}
			return append(all, Use{c.Merchant.ID, place, c.oldKey, k.Until})
		}
	}
	return all
}

// UseCounts counts the uses that an instance of a function sees. The zero value has counted none.
type UseCounts struct {
	mu  sync.Mutex
	all map[Use]*useCount
}

type useCount struct {
	UseCount
	key     store.Key
	version int64     // of the document, which nobody else writes
	stored  time.Time // when it was last stored, or is just being stored
	storing bool
}

// storeUses is how often a count is stored.
const storeUses = time.Minute

// Count counts a use. It returns what stores the count, nil if that was done within the last minute: so what is stored
// lags by a minute of uses at most, and the first is stored at once.
func (c *UseCounts) Count(
	now time.Time, u Use, random func(n int) []byte,
) (save func(ctx context.Context, to store.Store) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.all[u]
	if of == nil {
		if c.all == nil || len(c.all) >= store.CacheLimit {
			c.all = map[Use]*useCount{}
		}
		of = &useCount{key: store.UseKey(u.Merchant, u.Secret, u.Old, hex.EncodeToString(random(8)))}
		of.Until = u.Until
		c.all[u] = of
	}
	of.Count, of.Last = of.Count+1, now
	if of.storing || of.Count > 1 && now.Sub(of.stored) < storeUses {
		return nil
	}
	of.storing, of.stored = true, now
	r := store.Encode(of.key, of.version, of.UseCount)
	r.ExpiresAt = of.Until
	return func(ctx context.Context, to store.Store) error {
		err := to.Save(ctx, now, r)
		c.mu.Lock()
		defer c.mu.Unlock()
		of.storing = false
		if err == nil || store.IsConflict(err) { // an earlier one was stored whose response was lost
			of.version++
		}
		return err
	}
}
