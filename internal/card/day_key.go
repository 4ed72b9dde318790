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
	sealKeyCache   = 10 * time.Minute // how long a page uses a key of the day without reading it again
	turnEvery      = time.Hour        // how often a process that sweeps looks after the keys of the day
	turnTimeout    = 5 * time.Second  // so that a vault that can't be reached takes no time from the rest of the sweep
	oldestToDelete = 8                // days ago: what is older was deleted before, or by its expiry
)

// Keys are the keys of the day: made, kept for as long as they open anything, and deleted. What a function never
// does with Vault it need not be able to do.
type Keys struct {
	Store store.Store
	Vault Vault
	Cache *KeyCache
}

// KeyCache remembers keys of the day. The zero value is empty.
type KeyCache struct {
	sealKeys    store.Cache[sealKey] // by day
	privateKeys privateKeys
	turned      store.Cache[bool] // by day: whether the keys of the day were looked after
}

// dayOf is the day of a time, yyyy-mm-dd in UTC.
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// dayFrom is the day that is so many days after now's.
func dayFrom(now time.Time, days int) string { return dayOf(now.UTC().AddDate(0, 0, days)) }

// dayOfKey is the day in a key's id.
func dayOfKey(id string) string {
	day, _, _ := strings.Cut(id, ".")
	return day
}

// keyOpens reports whether a card that was sealed to the key of a day is still
// opened: yesterday's and today's, and tomorrow's where the clock of the
// function that showed it is ahead. Older keys open nothing, whoever still has them.
func keyOpens(day string, now time.Time) bool {
	return day == dayOf(now) || day == dayFrom(now, -1) || day == dayFrom(now, 1)
}

// sealKey is the public half of a DayKey.
type sealKey struct{ ID, Point string }

// SealKey is what pages seal cards to now.
func (s Keys) SealKey(ctx context.Context, now time.Time) (sealKey, error) {
	return s.Cache.sealKeys.Get(dayOf(now), now, sealKeyCache, func() (sealKey, error) {
		key, err := s.dayKey(ctx, now, dayOf(now))
		return sealKey{key.ID, key.Point}, err
	})
}

// dayKey is the key of a day, which is made where nobody has done so. Of two
// that are made at once, the one that was stored counts.
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

// loadDayKey reads the key of a day, zero if there is none.
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

// TurnDayKeys makes tomorrow's key ahead of time and deletes those that open
// nothing any more, and with them all that was ever sealed to them.
func (s Keys) TurnDayKeys(ctx context.Context, now time.Time) error {
	s.Cache.privateKeys.forget(now)
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	_, err := s.Cache.turned.Get(dayOf(now), now, turnEvery, func() (bool, error) {
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

// PrivateKey is the private half of the key that a card was sealed to. It is
// ErrSealed where there is none of that id, or its days are over.
func (s Keys) PrivateKey(ctx context.Context, now time.Time, id string) (PrivateKey, error) {
	day := dayOfKey(id)
	if !keyOpens(day, now) {
		return nil, ErrSealed
	}
	return s.Cache.privateKeys.get(now, id, func() (PrivateKey, error) {
		key, err := s.loadDayKey(ctx, now, day)
		if err != nil {
			return nil, err
		}
		if key.ID != id {
			return nil, ErrSealed
		}
		return s.Vault.OpenDayKey(ctx, key)
	})
}

// privateKeys remembers the private halves of the days that count.
type privateKeys struct {
	mu   sync.Mutex
	byID map[string]PrivateKey
}

// get returns the key of an id, by load if it is not known. It holds the lock
// meanwhile, so that a first batch of cards asks the vault once.
func (k *privateKeys) get(now time.Time, id string, load func() (PrivateKey, error)) (PrivateKey, error) {
	k.forget(now)
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

// forget drops the keys that open nothing any more.
func (k *privateKeys) forget(now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id := range k.byID {
		if !keyOpens(dayOfKey(id), now) {
			delete(k.byID, id)
		}
	}
}
