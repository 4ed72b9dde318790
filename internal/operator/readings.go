package operator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"checkout/internal/audit"
	"checkout/internal/store"
)

// RecordReading records that the person of an act reads a list that has payers' data: one entry for each person, list
// and hour. The entry's time is the beginning of the hour.
func (s *People) RecordReading(ctx context.Context, act audit.Act) error {
	now := s.core.Now()
	hour := now.UTC().Truncate(time.Hour)
	sum := sha256.Sum256([]byte(hour.Format(time.RFC3339) + "\x00" + act.Command + "\x00" + act.Who))
	// A later reading makes the same document, whose key is taken then.
	act = audit.Act{ID: hex.EncodeToString(sum[:16]), Who: act.Who, By: act.By, Role: act.Role, Command: act.Command}
	if s.readings.has(hour, act.ID) {
		return nil
	}
	records := act.Records(hour, "list/"+act.Command, "is read with payers' data within this hour")
	if err := s.core.Store.Save(ctx, now, records...); err != nil && !store.IsConflict(err) {
		return fmt.Errorf("record who reads %s: %w", act.Command, err)
	}
	s.readings.add(hour, act.ID)
	return nil
}
