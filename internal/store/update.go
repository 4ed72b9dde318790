package store

import (
	"context"
	"fmt"
	"time"
)

// Update is a change of documents that follows from what is stored. While others change the same documents, it is made
// again from what is stored then.
type Update struct {
	Doing string // what is being done, for errors
	Store interface {
		Save(ctx context.Context, now time.Time, records ...Record) error
	}
	Now   func() time.Time
	Tries int // how many conflicts end it; 0: ConflictTries

	// Final reports whether a conflict ends it at once, such as one on an idempotency record. Nil: none does.
	Final func(conflict error) bool
}

// Do stores what change returns, all or nothing. change reads what it depends on; it is called again after a conflict.
// Where it returns no records, nothing is stored.
//
// Errors: those of change, as they are; ErrConflicts, after which nothing is stored; a final conflict; any other of
// Save, after which nobody knows whether the change is stored, so that it is not made again.
func (u Update) Do(ctx context.Context, change func(now time.Time) ([]Record, error)) error {
	most := u.Tries
	if most == 0 {
		most = ConflictTries
	}
	for range most {
		now := u.Now()
		records, err := change(now)
		if err != nil || len(records) == 0 {
			return err
		}
		err = u.Store.Save(ctx, now, records...)
		switch {
		case err == nil:
			return nil
		case !IsConflict(err), u.Final != nil && u.Final(err):
			return fmt.Errorf("%s: %w", u.Doing, err)
		}
	}
	return fmt.Errorf("%s: %w", u.Doing, ErrConflicts)
}
