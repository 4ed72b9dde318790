package card

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"checkout/internal/store"
)

const (
	publicKeyTTL   = 10 * time.Minute // how long a public key stays in memory
	rotateEvery    = time.Hour        // how often one process rotates the keys of the day
	rotateTimeout  = 5 * time.Second  // a vault that can't be reached must not hold up the rest of the sweep
	oldestToDelete = 8                // days: older keys have expired
)

// Keys makes, stores, reads and deletes the keys of the day. Vault needs only the permissions for what the function
// does with Keys.
type Keys struct {
	Store store.Store
	Vault Vault
	Cache *KeyCache
}

// KeyCache holds keys of the day in memory. The zero value is empty.
type KeyCache struct {
	publicKeys  store.Cache[PublicKey] // by day
	privateKeys privateKeys
	rotated     store.Cache[bool] // by day: true after a rotation
}

// dayOf returns the day of a time, yyyy-mm-dd in UTC.
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// dayFrom returns the day that is a number of days after today, yyyy-mm-dd in UTC.
func dayFrom(now time.Time, days int) string { return dayOf(now.UTC().AddDate(0, 0, days)) }

// dayOfKey returns the day in the id of a key.
func dayOfKey(id string) string {
	day, _, _ := strings.Cut(id, ".")
	return day
}

// keyOpens reports whether cards that were sealed to the key of a day are still opened. Those of yesterday and today
// are, and those of tomorrow, since the clock of the page function may be ahead.
func keyOpens(day string, now time.Time) bool {
	return day == dayOf(now) || day == dayFrom(now, -1) || day == dayFrom(now, 1)
}

// PublicKey is the public half of a DayKey.
type PublicKey struct{ ID, Point string }

// PublicKey returns the key that pages seal cards to now.
func (s Keys) PublicKey(ctx context.Context, now time.Time) (PublicKey, error) {
	return s.Cache.publicKeys.Get(dayOf(now), now, publicKeyTTL, func() (PublicKey, error) {
		key, err := s.dayKey(ctx, now, dayOf(now))
		return PublicKey{key.ID, key.Point}, err
	})
}

// dayKey returns the key of a day, and makes it if there is none. When two processes make it at the same time, both
// return the one that was stored first.
func (s Keys) dayKey(ctx context.Context, now time.Time, day string) (DayKey, error) {
	key, err := s.loadDayKey(ctx, now, day)
	if err != nil || key.ID != "" {
		return key, err
	}
	made, err := s.Vault.NewDayKey(ctx, day)
	if err != nil {
		return DayKey{}, fmt.Errorf("make the key of %s: %w", day, err)
	}
	record, err := made.record()
	if err != nil {
		return DayKey{}, err
	}
	err = s.Store.Save(ctx, now, record)
	if store.IsConflict(err) {
		return s.loadDayKey(ctx, now, day)
	}
	if err != nil {
		return DayKey{}, fmt.Errorf("store the key of %s: %w", day, err)
	}
	return made, nil
}

// loadDayKey reads the key of a day. It returns a zero key if there is none.
func (s Keys) loadDayKey(ctx context.Context, now time.Time, day string) (DayKey, error) {
	var key DayKey
	record, err := store.GetOne(ctx, s.Store, now, store.DayKeyKey(day))
	if err == nil {
		err = record.Decode(&key)
	}
	if err != nil {
		return DayKey{}, fmt.Errorf("read the key of %s: %w", day, err)
	}
	return key, nil
}

// RotateDayKeys makes tomorrow's key and deletes the keys that are too old to open cards. Cards that were sealed to a
// deleted key can never be decrypted again.
func (s Keys) RotateDayKeys(ctx context.Context, now time.Time) error {
	s.Cache.privateKeys.removeOld(now)
	ctx, cancel := context.WithTimeout(ctx, rotateTimeout)
	defer cancel()
	_, err := s.Cache.rotated.Get(dayOf(now), now, rotateEvery, func() (bool, error) {
		_, err := s.dayKey(ctx, now, dayFrom(now, 1))
		return true, errors.Join(err, s.deleteDayKeys(ctx, now))
	})
	return err
}

func (s Keys) deleteDayKeys(ctx context.Context, now time.Time) error {
	var old []store.Record
	for days := 2; days <= oldestToDelete; days++ {
		old = append(old, store.Record{Key: store.DayKeyKey(dayFrom(now, -days)), Delete: true})
	}
	if err := s.Store.Save(ctx, now, old...); err != nil {
		return fmt.Errorf("delete old keys of the day: %w", err)
	}
	return nil
}

// PrivateKey returns the private half of the key with an id. It fails with ErrDecrypt if there is no such key, or if
// the key is too old to open cards.
func (s Keys) PrivateKey(ctx context.Context, now time.Time, id string) (PrivateKey, error) {
	day := dayOfKey(id)
	if !keyOpens(day, now) {
		return nil, ErrDecrypt
	}
	return s.Cache.privateKeys.get(now, id, func() (PrivateKey, error) {
		key, err := s.loadDayKey(ctx, now, day)
		if err != nil {
			return nil, err
		}
		if key.ID != id {
			return nil, ErrDecrypt
		}
		return s.Vault.OpenDayKey(ctx, key)
	})
}

// privateKeys holds private keys in memory.
type privateKeys struct {
	mu   sync.Mutex
	byID map[string]PrivateKey
}

// get returns the key with an id, and loads it if it is not in memory. It holds the lock meanwhile, so that a key is
// loaded once for all cards of a first batch.
func (k *privateKeys) get(now time.Time, id string, load func() (PrivateKey, error)) (PrivateKey, error) {
	k.removeOld(now)
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok := k.byID[id]; ok {
		return key, nil
	}
	key, err := load()
	if err != nil {
		return nil, err
	}
	if k.byID == nil {
		k.byID = map[string]PrivateKey{}
	}
	k.byID[id] = key
	return key, nil
}

// removeOld removes the keys that are too old to open cards.
func (k *privateKeys) removeOld(now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id := range k.byID {
		if !keyOpens(dayOfKey(id), now) {
			delete(k.byID, id)
		}
	}
}
