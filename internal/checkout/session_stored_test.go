package checkout

import (
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
)

// A session is stored for a week after its end, or after the latest time that its payer had to pay elsewhere.
func TestSessionIsStoredAsLongAsItWaits(t *testing.T) {
	begin := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	const day = 24 * time.Hour
	voucher := connector.RequiredAction{Kind: connector.ActionPending, ExpiresAt: begin.Add(9 * day)}
	for name, test := range map[string]struct {
		actions []connector.RequiredAction
		want    time.Duration
	}{
		"nothing to do": {nil, time.Hour},
		"a voucher":     {[]connector.RequiredAction{voucher}, 9 * day},
		"less than the session": {[]connector.RequiredAction{{Kind: connector.ActionPending,
			ExpiresAt: begin.Add(time.Minute)}}, time.Hour},
		"an account without an end": {[]connector.RequiredAction{{Kind: connector.ActionPending}}, payment.UndecidedLimit},
		"a page without an end":     {[]connector.RequiredAction{{Kind: connector.ActionRedirect}}, time.Hour},
		"a card after a voucher":    {[]connector.RequiredAction{voucher, {Kind: connector.Action3DS}}, 9 * day},
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
