package card

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

const (
	publicKeyTTL   = 10 * time.Minute // how long a public key stays in memory
	rotateEvery    = time.Hour        // how often one process rotates the keys of the day
	rotateTimeout  = 5 * time.Second  // a vault that can't be reached must not hold up the rest of the sweep
	oldestToDelete = 8                // days: older keys have expired
)

// Keys stores, reads and deletes the keys of the day.
type Keys struct {
	Store store.Store
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

// PublicKey returns the key that pages seal cards to now. Errors: CodeNotReady, if the sweep has not made it yet.
func (s Keys) PublicKey(ctx context.Context, now time.Time) (PublicKey, error) {
	day := dayOf(now)
	return s.Cache.publicKeys.Get(day, now, publicKeyTTL, func() (key PublicKey, err error) {
		record, err := store.GetOne(ctx, s.Store, now, store.PublicKeyKey(day))
		if err == nil {
			err = record.Decode(&key)
		}
		if err != nil {
			return key, fmt.Errorf("read the public key of %s: %w", day, err)
		}
		if record.Version == 0 {
			return key, errNoKey()
		}
		return key, nil
	})
}

// errNoKey is the error of a form that nobody could pay with a card yet.
func errNoKey() error {
	e := fault.Refuse(fault.CodeNotReady, "The service is starting. Try again in a moment.")
	e.RetryAfter = 10
	return e
}

// RotateDayKeys makes the keys of today and tomorrow where there are none, and deletes the keys that are too old to
// open cards. Cards that were sealed to a deleted key can never be decrypted again. It fails where the two documents of
// a key differ: somebody has changed one of them.
func (s Keys) RotateDayKeys(ctx context.Context, now time.Time, maker KeyMaker) error {
	s.Cache.privateKeys.removeOld(now)
	ctx, cancel := context.WithTimeout(ctx, rotateTimeout)
	defer cancel()
	_, err := s.Cache.rotated.Get(dayOf(now), now, rotateEvery, func() (bool, error) {
		var errs []error
		for days := range 2 {
			errs = append(errs, s.makeDayKey(ctx, now, dayFrom(now, days), maker))
		}
		return true, errors.Join(append(errs, s.deleteDayKeys(ctx, now))...)
	})
	return err
}

// makeDayKey makes the key of a day if there is none. When two processes do so at the same time, one key is stored.
func (s Keys) makeDayKey(ctx context.Context, now time.Time, day string, maker KeyMaker) error {
	there, err := s.hasDayKey(ctx, now, day)
	if err != nil || there {
		return err
	}
	made, err := maker.NewDayKey(ctx, day)
	if err != nil {
		return fmt.Errorf("make the key of %s: %w", day, err)
	}
	records, err := made.records()
	if err != nil {
		return err
	}
	if err := s.Store.Save(ctx, now, records...); err != nil && !store.IsConflict(err) {
		return fmt.Errorf("store the key of %s: %w", day, err)
	}
	return nil
}

// hasDayKey reports whether the key of a day is stored. It fails if its public half is not the one that pages get. Both
// documents are written at once, but not read so: those that differ are read once more.
func (s Keys) hasDayKey(ctx context.Context, now time.Time, day string) (bool, error) {
	var public PublicKey
	for range 2 {
		records, err := s.Store.Get(ctx, now, store.DayKeyKey(day), store.PublicKeyKey(day))
		if err != nil {
			return false, fmt.Errorf("read the key of %s: %w", day, err)
		}
		var key DayKey
		public = PublicKey{}
		if err := errors.Join(records[0].Decode(&key), records[1].Decode(&public)); err != nil {
			return false, fmt.Errorf("read the key of %s: %w", day, err)
		}
		if public == key.public() {
			return key.ID != "", nil
		}
	}
	return false, fmt.Errorf("the public key of %s is not the one that was made: %q", day, public.ID)
}

func (s Keys) deleteDayKeys(ctx context.Context, now time.Time) error {
	var old []store.Record
	for days := 2; days <= oldestToDelete; days++ {
		day := dayFrom(now, -days)
		old = append(old, store.Record{Key: store.DayKeyKey(day), Delete: true},
			store.Record{Key: store.PublicKeyKey(day), Delete: true})
	}
	if err := s.Store.Save(ctx, now, old...); err != nil {
		return fmt.Errorf("delete old keys of the day: %w", err)
	}
	return nil
}

// PrivateKey returns the private half of the key with an id, which is a hash of its public half. So it fails with
// ErrDecrypt for a public key that was not made with the private half, and if the key is too old to open cards.
func (s Keys) PrivateKey(ctx context.Context, now time.Time, id string, vault Vault) (PrivateKey, error) {
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
		return vault.OpenDayKey(ctx, key)
	})
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
