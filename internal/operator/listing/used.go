package listing

import (
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Used is the last day on which a secret of a merchant was used, as far as orders tell: a request for a status or a
// refund leaves no trace in them. One document has the last day of all orders, so a later one that is stored is right.
type Used struct {
	Day string `json:"day"` // yyyy-mm-dd, UTC
}

// uses are the latest uses of a merchant's secrets, by their places.
type uses map[string]time.Time

// add notes that a secret was used at a time.
func (u uses) add(place settings.Place, at time.Time) {
	if name := place.String(); at.After(u[name]) {
		u[name] = at
	}
}

// addRequest notes the key and the password with which a merchant asked for something.
func (u uses) addRequest(test bool, at time.Time) {
	key := "live_key"
	if test {
		key = "test_key"
	}
	u.add(settings.Place{Setting: key}, at)
	u.add(settings.Place{Setting: "password"}, at)
}

// addPayment notes what a payment was made with. A schedule makes payments without a request. Those with the test key
// are the sandbox's, which has credentials and wallets of its own.
func (u uses) addPayment(p *payment.Payment) {
	if begun, err := store.SessionTime(p.SessionID); err == nil {
		u.addRequest(p.Test, begun)
	} else if p.ScheduleID == "" || p.StartsSchedule {
		u.addRequest(p.Test, p.CreatedAt)
	}
	if p.Test {
		return
	}
	for _, t := range p.Transactions {
		if !t.SentAt.IsZero() {
			u.add(settings.Place{Mapping: p.Mapping, MID: t.MID, Setting: "credentials"}, t.SentAt)
		}
	}
	for _, setting := range walletKeys(p) {
		u.add(settings.Place{Mapping: p.Mapping, MID: p.MID, Setting: "wallets." + setting}, p.CreatedAt)
	}
}

// walletKeys are the settings with the keys of wallets that a payment has needed: one with which the page began the
// wallet's sheet, and one that has decrypted the token, where its card is known.
func walletKeys(p *payment.Payment) (settings []string) {
	if p.Method == method.ApplePay && !p.TokenSent {
		settings = append(settings, "applepay.identity_key")
	}
	_, pan := p.DigitalWallet()
	switch {
	case pan == "":
	case p.Method == method.ApplePay:
		settings = append(settings, "applepay.processing")
	case p.Method == method.GooglePay:
		settings = append(settings, "googlepay.private_keys")
	}
	return settings
}

// records returns the documents of the uses by an owner.
func (u uses) records(owner string, ttl time.Duration) (all []store.Record) {
	_, merchant, _ := strings.Cut(owner, "/")
	for _, place := range slices.Sorted(maps.Keys(u)) {
		day := u[place].UTC().Truncate(24 * time.Hour)
		r := store.Encode(store.UsedKey(merchant, place), 0, Used{day.Format(time.DateOnly)})
		r.ExpiresAt = day.Add(24*time.Hour + ttl)
		all = append(all, r)
	}
	return all
}
