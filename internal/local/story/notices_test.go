package story

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
)

// A notice without a reference is about the charge.
func TestNoticeWithoutAReference(t *testing.T) {
	const paid, wait = "go https://shop.example/paid", "wait: processing"
	const form, no = "form: declined (declined)", "decline (Declined by processing.)"
	authorised := connector.Result{Outcome: connector.OutcomeApproved, Authorised: true}
	unknown := connector.Result{Outcome: connector.OutcomeUnknown}
	for _, test := range []struct {
		name           string
		charge, notice connector.Result
		status, sees   string
		told           string
	}{
		{"approves", undecided, approved, "settled", paid, "sale waiting prepare, sale success settled"},
		{"authorises", undecided, authorised, "pending", paid, "sale waiting prepare, sale success pending"},
		{"declines", undecided, declined, no, form, "sale waiting prepare, sale fail decline"},
		{"redirects", undecided, redirected, "3ds", "go https://bank.example", "sale waiting prepare, 3ds success 3ds"},
		{"decides nothing", undecided, undecided, "prepare", wait, "sale waiting prepare"},
		{"knows nothing", undecided, unknown, "prepare", wait, "sale waiting prepare"},
		{"approves after 3-D Secure", redirected, approved, "settled", paid, "3ds success 3ds, sale success settled"},
		{"declines after 3-D Secure", redirected, declined, no, form, "3ds success 3ds, sale fail decline"},
		{"declines what was approved", approved, declined, "settled", paid, "sale success settled"},
		{"redirects after the approval", approved, redirected, "settled", paid, "sale success settled"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t)
			bank := &provider{charge: onCharge(test.charge)}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			for range 2 { // providers repeat notices
				w.reported(realBank, payer.about("", test.notice))
				w.work()
			}
			payer.is(test.status)
			payer.sees(test.sees)
			w.shop.told(strings.Split(test.told, ", ")...)
			if len(bank.charges) != 1 {
				t.Errorf("charged %d times", len(bank.charges))
			}
		})
	}
}

// A notice without a reference doesn't end a capture, void or refund that is under way. One with its reference does.
func TestNoticeDuringAFollowUp(t *testing.T) {
	for _, job := range waitingJobs[1:] {
		for event, end := range map[string]connector.Result{job.succeeded: approved, job.failed: declined} {
			t.Run(job.name+" "+event, func(t *testing.T) {
				w := open(t, operations)
				bank := &provider{followUp: onFollowUp(undecided)}
				w.goesLive(bank)
				payer := w.shop.visits("pen-1", with("auth", job.auth))
				payer.pays("01/38")
				w.shop.does(job.does, payer.paymentID())
				w.work()
				told := append(job.events, strings.Replace(job.undecided, "undefined", "waiting", 1))
				for _, result := range []connector.Result{approved, declined} {
					w.reported(realBank, payer.about("", result))
				}
				if code := w.reports(realBank, payer.about("a-reference-of-nobody", approved)); code != http.StatusNotFound {
					t.Errorf("about a request of nobody: %d", code)
				}
				w.work()
				payer.is(job.before)
				w.shop.told(told...)
				for range 2 {
					w.reported(realBank, payer.about(bank.followUps[0].Reference, end))
					w.work()
				}
				w.shop.told(append(told, event)...)
				w.pass(time.Hour)
				if len(bank.followUps) != 1 {
					t.Errorf("%d requests", len(bank.followUps))
				}
			})
		}
	}
}

// A notice changes the payment while its first MID declines it softly: no other MID is tried.
func TestConflictInACascade(t *testing.T) {
	for _, test := range []struct {
		name   string
		notice connector.Result
		status string
		told   []string
	}{
		{"approved", approved, "settled", []string{"sale success settled"}},
		{"declined", declined, "decline (Declined by processing.)", []string{"sale fail decline"}},
		{"redirected to 3-D Secure", redirected, "decline (Later.)", []string{"3ds success 3ds", "sale fail decline"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, mids("", ""))
			bank := &provider{}
			bank.charge = func(c connector.Charge) (connector.Result, error) {
				w.reported(realBank, connector.Notice{
					PaymentID: c.PaymentID, SessionID: c.SessionID, Result: test.notice,
				})
				return soft, nil
			}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.pass(10 * time.Minute)
			payer.is(test.status)
			w.shop.told(test.told...)
			w.sealedAre(0)
			if p := payer.payment(); len(bank.charges) != 1 || p.MID != "mid-1" || len(p.Transactions) != 1 {
				t.Errorf("charged %d times; the payment is %s's with %+v", len(bank.charges), p.MID, p.Transactions)
			}
		})
	}
}

// The move to the next MID can't be stored: the payment gets the first MID's decline, and no other MID is tried.
func TestCascadeThatIsNotStored(t *testing.T) {
	w := open(t, mids("", ""))
	bank := &provider{}
	bank.charge = func(connector.Charge) (connector.Result, error) {
		w.store.next("before")
		return soft, nil
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.pass(10 * time.Minute)
	payer.is("decline (Later.)")
	payer.sees("form: declined (Later.)")
	w.shop.told("sale fail decline")
	w.sealedAre(0)
	if len(bank.charges) != 1 {
		t.Errorf("charged %d times", len(bank.charges))
	}
}
