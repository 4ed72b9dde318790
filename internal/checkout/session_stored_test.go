package checkout

import (
	"testing"
	"time"
)

// A session is stored for a week after its end, or after the latest time that its payer had to pay elsewhere.
func TestSessionIsStoredAsLongAsItWaits(t *testing.T) {
	begin := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	const day = 24 * time.Hour
	voucher := RequiredAction{Kind: StatusPending, ExpiresAt: begin.Add(9 * day)}
	for name, test := range map[string]struct {
		actions []RequiredAction
		want    time.Duration
	}{
		"nothing to do":             {nil, time.Hour},
		"a voucher":                 {[]RequiredAction{voucher}, 9 * day},
		"less than the session":     {[]RequiredAction{{Kind: StatusPending, ExpiresAt: begin.Add(time.Minute)}}, time.Hour},
		"an account without an end": {[]RequiredAction{{Kind: StatusPending}}, undecidedLimit},
		"a page without an end":     {[]RequiredAction{{Kind: StatusRedirect}}, time.Hour},
		"a card after a voucher":    {[]RequiredAction{voucher, {Kind: Status3DS}}, 9 * day},
	} {
		s := Session{ExpiresAt: begin.Add(time.Hour)}
		for _, action := range test.actions {
			s.act(&action, begin)
		}
		if got := s.storedUntil().Sub(begin) - sessionTTL; got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
