package story

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/store"
)

// strangers are a shop with a provider of its own, and the payer of another shop that waits on the page.
type strangers struct {
	*World
	bank  *provider
	payer *Visit // of the other shop
}

// openStrangers opens both. The first shop's bank approves what the payer pays, and leaves all else undecided.
func openStrangers(t *testing.T) strangers {
	w := open(t, accounts, operations)
	bank := &provider{notice: signedNotices}
	bank.charge = func(c connector.Charge) (connector.Result, error) {
		if c.Recurring || c.Operation == method.Credit {
			return undecided, nil
		}
		return approved, nil
	}
	w.goesLive(bank)
	other := w.newShop("-2")
	payer := other.visits("pen-999", with("success_url", "https://other.example/paid"))
	payer.sees("form")
	return strangers{w, bank, payer}
}

// sessionless makes a payment of the first shop that has no session and is undecided.
func (s strangers) sessionless(kind string) (paymentID string) {
	s.t.Helper()
	if kind == "recurring" {
		c := s.shop.begins("pen-1", "01/38")
		_, response := c.charge("pen-2", "1.00")
		return fmt.Sprint(response["payment_id"])
	}
	payer := s.shop.visits("pen-1", with("req_token", true))
	payer.pays("01/38")
	token := s.shop.last("sale").Fields.Get("card_token")
	_, response := s.post("/api/v1/session", s.shop.Sign(s.shop.Order("pen-2",
		with("operation", "credit"), with("card_token", []string{token}))))
	return fmt.Sprint(response["payment_id"])
}

// A provider's notice about a payment without a session changes no session, whatever it names.
func TestNoticeNamesAnothersSession(t *testing.T) {
	elsewhere := connector.Result{
		Outcome: connector.OutcomeActionRequired,
		RequiredAction: &connector.RequiredAction{
			Kind: connector.ActionRedirect, URL: "https://attacker.example/",
		},
	}
	for kind, result := range map[string]connector.Result{"recurring": approved, "credit": elsewhere} {
		t.Run(kind, func(t *testing.T) {
			s := openStrangers(t)
			id := s.sessionless(kind)
			path := s.noticePath(realBank, 0)
			for _, session := range []string{s.payer.Session, store.PublicID(s.payer.Session)} {
				n := connector.Notice{PaymentID: id, SessionID: session, Result: result}
				if got := s.notifies(path, "of mid-1", "paid", n); !strings.HasPrefix(got, "404 ") {
					t.Errorf("named %s: %s", session, got)
				}
			}
			if n := strings.Count(s.log.String(), `"unknown_notices":1`); n != 2 {
				t.Errorf("%d of 2 refused notices were counted", n)
			}
			s.work()
			s.payer.sees("form")
			if sess := s.payer.screen(); sess.Go != nil || sess.Message != nil {
				t.Errorf("the other shop's payer sees %+v", sess)
			}
			n := connector.Notice{PaymentID: id, Result: result}
			if got := s.notifies(path, "of mid-1", "paid", n); !strings.HasPrefix(got, "202 ") {
				t.Errorf("without a session: %s", got)
			}
			s.work()
			s.payer.sees("form")
			s.payer.pays("01/38")
			s.payer.sees("go https://other.example/paid")
		})
	}
}

// An authentic notice that can't be read is refused for good, and counted: it is no failure of the service.
func TestUnreadableNotice(t *testing.T) {
	w := open(t, accounts)
	bank := &provider{charge: onCharge(undecided)}
	bank.notice = func(connector.Notification) (connector.Notice, error) {
		return connector.Notice{}, connector.Unreadable(fmt.Errorf("it has no member status, of card 4111 1111 1111 1111"))
	}
	w.goesLive(bank)
	code, response := w.post(w.noticePath(realBank, 0), map[string]any{})
	text := fmt.Sprint(response["errors"])
	said := strings.Contains(text, "it has no member status") && !strings.Contains(text, "4111 1111")
	if code != http.StatusBadRequest || !said {
		t.Errorf("returned %d %s", code, text)
	}
	if !strings.Contains(w.log.String(), `"unreadable_notices":1`) {
		t.Error("the notice was not counted")
	}
}

// The provider gets only the public part of a session's id. The payer comes back by an address that has no more of it.
func TestProvidersDoNotGetThePage(t *testing.T) {
	w := open(t)
	bank := &provider{charge: onCharge(undecided)}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	sent, secret := fmt.Sprintf("%+v", bank.charges), payer.Session[32:]
	if strings.Contains(sent, secret) {
		t.Errorf("the bank was sent the part of the id that opens the page: %s", sent)
	}
	id := strings.Split(strings.TrimPrefix(bank.charges[0].ReturnURL, w.server.URL), "/")[3]
	for _, id := range []string{id, bank.charges[0].SessionID, store.PublicID(payer.Session) + strings.Repeat("0", 32)} {
		if code, _ := w.call("GET", "/page/v1/"+id, nil); code != http.StatusNotFound {
			t.Errorf("%s opens the page: %d", id, code)
		}
	}
	payer.comesBack(bank.charges[0].ReturnURL)
}
