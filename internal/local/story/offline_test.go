package story

import (
	"testing"
	"time"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

const offlineDay = 24 * time.Hour

// voucher opens a session whose payer has been given a voucher to pay at a shop.
func (s *simulated) voucher(t *testing.T) chosen {
	t.Helper()
	m, _ := method.Find("offline_service")
	payer := s.shop.chooses(t, m, "AR", "ada")
	payer.pays(t)
	payer.sees("wait: voucher_issued")
	return payer
}

// lasts checks until when the payer can pay, which the page is told and the provider was told.
func (s *simulated) lasts(t *testing.T, payer chosen, long time.Duration) {
	t.Helper()
	all := s.Operations()
	want := payer.payment().CreatedAt.Add(long).UTC().Format(time.RFC3339)
	if at := all[len(all)-1].ExpiresAt.UTC().Format(time.RFC3339); at != want || payer.screen().ExpiresAt != want {
		t.Errorf("the provider takes it until %s, the page shows %s, want %s", at, payer.screen().ExpiresAt, want)
	}
}

// A voucher is taken to a shop on the second day, long after the session's hour.
func TestVoucherIsPaidOnTheSecondDay(t *testing.T) {
	s := openSimulated(t, "collection", CredentialsOf["collection"])
	payer := s.voucher(t)
	s.lasts(t, payer, 3*offlineDay)
	s.pass(36 * time.Hour)
	payer.sees("wait: voucher_issued")
	payer.is("pending")
	payer.offers("paid", "cancel") // no other way to pay: the session's hour is over
	s.acts(simulator.Approve)
	payer.is("settled")
	s.work()
	if got := payer.screen(); got.Kind != screen.KindGo || got.Go.URL != "https://shop.example/paid" {
		t.Errorf("the payer sees %s", words(got))
	}
	s.shop.told("init success pending", "sale success settled")
}

// Nobody pays a voucher: the session ends with it.
func TestVoucherExpires(t *testing.T) {
	s := openSimulated(t, "collection", CredentialsOf["collection"])
	m, _ := method.Find("offline_service")
	expiry := with("expiry_url", "https://shop.example/late")
	payer := chosen{s.shop.visits("pen-1", append(Choosing(t, m, "AR", "ada"), expiry)...), m}
	payer.pays(t)
	s.pass(3*offlineDay - time.Minute)
	payer.sees("wait: voucher_issued")
	s.acts(simulator.Expire)
	s.pass(2 * time.Minute)
	payer.is("decline (The payer was too slow.)")
	payer.sees("go https://shop.example/late")
	s.shop.told("init success pending", "sale fail decline")
}

// The MID's setting decides, also over more days than an expired session is stored for.
func TestOfflineExpiryOfTheMID(t *testing.T) {
	s := openSimulated(t, "collection", CredentialsOf["collection"])
	s.shop.set(func(m *settings.Merchant) { m.Mappings[0].MIDs[0].OfflineExpiry = 30 * 24 })
	payer := s.voucher(t)
	s.lasts(t, payer, 30*offlineDay)
	s.skip(30*offlineDay - time.Hour)
	payer.sees("wait: voucher_issued")
	s.acts(simulator.Approve)
	payer.sees("go https://shop.example/paid")
	payer.is("settled")
	s.shop.told("init success pending", "sale success settled")
}

// What is shown by an adapter and by the sandbox lasts as long, and what is scanned no longer than the session.
func TestOfflineMethods(t *testing.T) {
	for _, test := range []struct {
		family, method, country string
		lasts                   time.Duration
	}{
		{"adapter", "bank_debit", "DE", 5 * time.Hour},
		{"sandbox", "cash_mx", "MX", 5 * time.Hour},
		{"sandbox", "instant_qr", "BR", 20 * time.Minute}, // by the sandbox
		{"collection", "instant_qr", "BR", time.Hour},     // by the session
	} {
		t.Run(test.family+" "+test.method, func(t *testing.T) {
			w := open(t, all)
			if test.family != settings.SandboxConnector {
				w = openSimulated(t, test.family, CredentialsOf[test.family]).World
			}
			w.shop.set(func(m *settings.Merchant) { m.Mappings[0].MIDs[0].OfflineExpiry = 5 })
			m, _ := method.Find(test.method)
			payer := w.shop.chooses(t, m, test.country, "ada")
			payer.pays(t)
			want := payer.payment().CreatedAt.Add(test.lasts).UTC().Format(time.RFC3339)
			if got := payer.screen().ExpiresAt; got != want {
				t.Errorf("%s: %q, want %q", words(payer.screen()), got, want)
			}
		})
	}
}

// Who has days to pay sees the date, also where the provider shows none, and on the last day the page's clock.
func TestLongTimeIsShownAsADate(t *testing.T) {
	s := openSimulated(t, "adapter", nil)
	m, _ := method.Find("link_email")
	payer := s.shop.chooses(t, m, "DE", "ada")
	payer.pays(t)
	shown := func() (values []string) {
		for _, row := range payer.screen().Show {
			if row.Type == screen.ShownDeadline {
				values = append(values, row.Value)
			}
		}
		return values
	}
	until := payer.screen().ExpiresAt
	if got := shown(); len(got) != 1 || got[0] != until {
		t.Errorf("%q, want %s", got, until)
	}
	s.pass(2*offlineDay + time.Minute)
	if got := shown(); len(got) != 0 || payer.screen().ExpiresAt != until {
		t.Errorf("on the last day: %q", got)
	}
}
