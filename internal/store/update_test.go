package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"checkout/internal/store"
	"checkout/internal/store/memory"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

// counter is a number that is changed on its version.
type counter struct {
	*memory.Store
	save  func(write int, save func() error) error // each write, from the first on
	saves int
}

var counterKey, otherKey = store.SettingsVersionKey("counter", 1), store.SettingsVersionKey("once", 1)

func (c *counter) read(ctx context.Context) (n int, version int64) {
	r, err := store.GetOne(ctx, c.Store, noon, counterKey)
	if err == nil {
		err = r.Decode(&n)
	}
	if err != nil {
		panic(err)
	}
	return n, r.Version
}

// add adds to the number as another process does.
func (c *counter) add(ctx context.Context, more int) error {
	n, version := c.read(ctx)
	return c.Store.Save(ctx, noon, store.Encode(counterKey, version, n+more))
}

func (c *counter) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	c.saves++
	save := func() error { return c.Store.Save(ctx, now, records...) }
	if c.save == nil {
		return save()
	}
	return c.save(c.saves, save)
}

// A change is made again while others come between, from what they have stored, and never where it may be stored.
func TestUpdate(t *testing.T) {
	failure := errors.New("it fails")
	final := &store.ConflictError{Keys: []store.Key{counterKey, otherKey}}
	fails := func(err error, writes int) func(int, func() error) error {
		return func(write int, save func() error) error {
			if write <= writes {
				return err
			}
			return save()
		}
	}
	const always = 1000
	for name, test := range map[string]struct {
		tries    int
		others   int // before each of the first writes, another process adds 100
		save     func(write int, save func() error) error
		changeAt int // this call of change fails
		want     error
		saves, n int
	}{
		"nobody else":             {0, 0, nil, 0, nil, 1, 1},
		"one conflict":            {0, 1, nil, 0, nil, 2, 101},
		"a conflict but the last": {0, store.ConflictTries - 1, nil, 0, nil, 30, 2901},
		"always a conflict":       {0, always, nil, 0, store.ErrConflicts, 30, 3000},
		"always, of five tries":   {5, always, nil, 0, store.ErrConflicts, 5, 500},
		"the first call fails":    {0, 0, nil, 1, failure, 0, 0},
		"the second call fails":   {0, always, nil, 2, failure, 1, 100},
		"the write fails":         {0, 0, fails(failure, always), 0, failure, 1, 0},
		"the second write fails": {0, 1, func(write int, save func() error) error {
			if write == 2 {
				return failure
			}
			return save()
		}, 0, failure, 2, 100},
		"the response is lost": {0, 0, func(_ int, save func() error) error {
			return errors.Join(save(), failure)
		}, 0, failure, 1, 1},
		"a final conflict": {0, 0, fails(final, always), 0, final, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := &counter{Store: memory.NewStore(), save: test.save}
			calls := 0
			update := store.Update{Doing: "count", Store: c, Now: func() time.Time { return noon }, Tries: test.tries,
				Final: func(conflict error) bool { return store.ConflictOn(conflict, otherKey) }}
			err := update.Do(t.Context(), func(time.Time) ([]store.Record, error) {
				n, version := c.read(t.Context())
				if calls++; calls == test.changeAt {
					return nil, failure
				}
				if calls <= test.others {
					if err := c.add(t.Context(), 100); err != nil {
						t.Fatal(err)
					}
				}
				return []store.Record{store.Encode(counterKey, version, n+1)}, nil
			})
			n, _ := c.read(t.Context())
			if !errors.Is(err, test.want) || c.saves != test.saves || n != test.n {
				t.Errorf("%d after %d writes, %v; want %d, %d, %v", n, c.saves, err, test.n, test.saves, test.want)
			}
			if own := test.changeAt > 0; err != nil && strings.HasPrefix(err.Error(), "count: ") == own {
				t.Errorf("%v: only errors of writes say what was being done", err)
			}
		})
	}
}

// Where nothing is to be changed, nothing is stored, also after a conflict.
func TestUpdateOfNothing(t *testing.T) {
	for conflicts := range 3 {
		c := &counter{Store: memory.NewStore()}
		c.save = func(int, func() error) error { return &store.ConflictError{Keys: []store.Key{counterKey}} }
		update := store.Update{Doing: "count", Store: c, Now: func() time.Time { return noon }}
		err := update.Do(t.Context(), func(time.Time) ([]store.Record, error) {
			if c.saves == conflicts {
				return nil, nil
			}
			return []store.Record{store.Encode(counterKey, 0, "never stored")}, nil
		})
		if err != nil || c.saves != conflicts {
			t.Errorf("%d conflicts: %d writes, %v", conflicts, c.saves, err)
		}
	}
}
