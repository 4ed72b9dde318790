package settings

import (
	"context"
	"maps"
	"time"
)

// OpenCredentials returns the credentials of the MID. Of a MID that a function has read they are decrypted only then,
// so that no function decrypts those of a MID that it has nothing to do with.
func (m MID) OpenCredentials(ctx context.Context) (map[string]string, error) {
	if m.stored.open == nil {
		return m.Credentials, nil
	}
	return m.stored.open(ctx)
}

// Clone returns a copy whose MIDs and wallets can be changed.
func (m *Merchant) Clone() Merchant {
	c := *m
	c.Mappings = append([]Mapping(nil), m.Mappings...)
	for i := range c.Mappings {
		c.Mappings[i].MIDs = append([]MID(nil), m.Mappings[i].MIDs...)
		for j := range c.Mappings[i].MIDs {
			c.Mappings[i].MIDs[j].Credentials = maps.Clone(c.Mappings[i].MIDs[j].Credentials)
		}
	}
	c.EachWallets(func(_, _ string, w *Wallets) { *w = w.clone() })
	return c
}

// at returns the merchant without replaced secrets that have expired since it was cached.
func (m *Merchant) at(now time.Time) *Merchant {
	if m == nil || !m.old.password.expired(now) && !m.old.callbackSecret.expired(now) {
		return m
	}
	current := *m
	if current.old.password.expired(now) {
		current.old.password = replacedSecret{}
	}
	if current.old.callbackSecret.expired(now) {
		current.old.callbackSecret = replacedSecret{}
	}
	return &current
}
