package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/checkout/blocklist"
	"checkout/internal/fault"
)

// blocksTTL is for how long block lists are cached, and so how late a change of them can take effect.
const blocksTTL = time.Minute

// Blocks returns what is blocked for an owner: by its own block list, and by that of all merchants, which does not say
// why here, as that may have been with another merchant.
func (s *Core) Blocks(ctx context.Context, now time.Time, o fault.Owner) (blocklist.List, error) {
	return s.blocksCache.Get(o.Text(), now, blocksTTL, func() (both blocklist.List, err error) {
		var own, all blocklist.List
		records, err := s.Store.Get(ctx, now, blocklist.Keys(o)...)
		if err == nil {
			err = errors.Join(records[0].Decode(&own), records[1].Decode(&all))
		}
		if err != nil {
			return both, fmt.Errorf("read block lists of %s: %w", o.Text(), err)
		}
		for i := range all.Entries {
			all.Entries[i].Reason = ""
		}
		return blocklist.List{Entries: append(own.Entries, all.Entries...)}, nil
	})
}
