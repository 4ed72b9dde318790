// Package uses tells operators what the keys and secrets of a merchant are used for: whether anybody still needs one.
package uses

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/operator/listing"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Uses say what a merchant's keys and secrets are used for.
type Uses struct {
	// Used has the day of the last use, UTC, by the place of a key or secret in the settings. All credentials of a MID are
	// one place, and the keys of a wallet have the same day: which of them has decrypted a token is not known.
	Used     map[string]string `json:"used"`
	Overlaps []Overlap         `json:"overlaps"`
}

// Overlap is how often the old and the new one of a key or password were used that are both valid until a time.
type Overlap struct {
	Secret string    `json:"secret"` // live_key, test_key or password
	Until  time.Time `json:"until"`
	Old    Counted   `json:"old"`
	New    Counted   `json:"new"`
	More   bool      `json:"more,omitempty"` // there were more uses than were counted
}

// Counted is how many requests were accepted, and when the last one was. It lags by a minute at most.
type Counted struct {
	Count int64     `json:"count"`
	Last  time.Time `json:"last,omitzero"`
}

// The most documents that are read: one for each place, and one for each use and instance of a function.
const (
	mostPlaces = 1_000
	mostCounts = 5_000
)

// Of returns the uses of a merchant's keys and secrets.
func Of(ctx context.Context, core *checkout.Core, merchant string) (Uses, error) {
	now := core.Now()
	m, err := core.Merchant(ctx, merchant, now)
	if err != nil {
		return Uses{}, err
	}
	var lists [2][]store.Record
	queries := [2]store.Query{store.UsedOf(merchant, mostPlaces), store.UsesOf(merchant, mostCounts)}
	err = store.Concurrently(len(queries), func(i int) (err error) {
		lists[i], err = core.Store.List(ctx, now, queries[i])
		return err
	})
	if err != nil {
		return Uses{}, fmt.Errorf("list uses: %w", err)
	}
	used, err := usedOf(m, lists[0])
	if err != nil {
		return Uses{}, err
	}
	overlaps, err := overlapsOf(lists[1])
	return Uses{used, overlaps}, err
}

// usedOf returns the last days of uses by the places of the settings as they are now.
func usedOf(m *settings.Merchant, records []store.Record) (map[string]string, error) {
	used := map[string]string{}
	for _, r := range records {
		var last listing.Used
		if err := r.Decode(&last); err != nil {
			return nil, err
		}
		used[r.Key.Sort] = last.Day
	}
	if m == nil {
		return used, nil
	}
	m.EachKey(func(k settings.WalletKey) {
		kind, _, _ := strings.Cut(k.Setting, "[") // such as wallets.applepay.processing
		m.EachMID(func(mapping string, mid *settings.MID) {
			if k.MID != "" && (k.MID != mid.Name || k.Mapping != mapping) || k.MID == "" && hasOwn(mid, kind) {
				return
			}
			at := settings.Place{Mapping: mapping, MID: mid.Name, Setting: kind}
			if day := used[at.String()]; day > used[k.String()] {
				used[k.String()] = day
			}
		})
	})
	return used, nil
}

// hasOwn reports whether a MID has settings of its own of the wallet of a key.
func hasOwn(mid *settings.MID, kind string) bool {
	if strings.HasPrefix(kind, "wallets.applepay") {
		return mid.Wallets.ApplePay != nil
	}
	return mid.Wallets.GooglePay != nil
}

// overlapsOf adds up what instances of functions have counted.
func overlapsOf(records []store.Record) ([]Overlap, error) {
	all := []Overlap{}
	for _, r := range records {
		var one settings.UseCount
		if err := r.Decode(&one); err != nil {
			return nil, err
		}
		place, old := store.UseIn(r.Key)
		i := slices.IndexFunc(all, func(o Overlap) bool { return o.Secret == place && o.Until.Equal(one.Until) })
		if i < 0 {
			i, all = len(all), append(all, Overlap{Secret: place, Until: one.Until, More: len(records) == mostCounts})
		}
		to := &all[i].New
		if old {
			to = &all[i].Old
		}
		if to.Count += one.Count; one.Last.After(to.Last) {
			to.Last = one.Last
		}
	}
	slices.SortFunc(all, func(a, b Overlap) int {
		return cmp.Or(strings.Compare(a.Secret, b.Secret), a.Until.Compare(b.Until))
	})
	return all, nil
}
