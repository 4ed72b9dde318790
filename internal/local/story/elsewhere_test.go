package story

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// website is a provider's own, on which somebody acts without a request of the shop.
type website struct {
	*World
	bank  *provider
	payer *Visit
	next  connector.Notice
}

// opensWebsite has a payer pay 10.00, or only authorises it.
func opensWebsite(t *testing.T, bank *provider, auth string) *website {
	t.Helper()
	s := &website{World: open(t, operations), bank: bank}
	bank.notice = func(connector.Notification) (connector.Notice, error) { return s.next, nil }
	s.goesLive(bank)
	s.payer = s.shop.visits("pen-1", with("auth", auth))
	s.payer.pays("01/38")
	return s
}

// tells has the provider report what it did, and returns the status of the response.
func (s *website) tells(outcome connector.Outcome, id, amount string) int {
	s.t.Helper()
	result := connector.Result{Outcome: outcome, OperationID: id}
	if amount != "" {
		var err error
		if result.Amount, err = money.Parse(amount, USD()); err != nil {
			s.t.Fatalf("%v", err)
		}
	}
	return s.reportsResult("", result)
}

func (s *website) reportsResult(reference string, result connector.Result) int {
	s.t.Helper()
	p := s.Stored(s.t)[0] // a status call would look up what is unknown
	s.next = connector.Notice{PaymentID: p.ID, Reference: reference, Result: result}
	code := s.reports(realBank, connector.Notice{})
	s.work()
	return code
}

// want has the provider report what it did, twice, which must be taken.
func (s *website) want(outcome connector.Outcome, id, amount, status string) {
	s.t.Helper()
	for range 2 {
		if code := s.tells(outcome, id, amount); code != http.StatusOK {
			s.t.Errorf("%s %s: the notice returned %d", id, amount, code)
		}
		s.payer.is(status)
	}
}

// amounts returns the own amounts and the reason codes of the callbacks that have one.
func (s *Shop) amounts() string {
	var all []string
	for _, r := range s.Taken() {
		if own := r.Fields.Get("transaction_amount"); own != "" {
			all = append(all, strings.TrimSpace(r.Fields.Get("type")+" "+own+" "+r.Fields.Get("reason_code")))
		}
	}
	return strings.Join(all, ", ")
}

// Refunds on the provider's website are told once each, beside those that the shop makes, and never exceed the payment.
func TestRefundedElsewhere(t *testing.T) {
	s := opensWebsite(t, &provider{}, "no")
	s.want(connector.OutcomeRefundedElsewhere, "re_1", "3.00", "settled")
	if got := s.shop.refunds(s.payer.paymentID(), "8.00"); !strings.HasPrefix(got, "400 208006") {
		t.Errorf("a refund of too much: %s", got)
	}
	s.shop.refunds(s.payer.paymentID(), "2.00")
	s.work()
	for _, wrong := range [][2]string{{"re_2", "5.01"}, {"re_2", ""}, {"", "1.00"}} {
		if code := s.tells(connector.OutcomeRefundedElsewhere, wrong[0], wrong[1]); code != http.StatusBadRequest {
			t.Errorf("%v: the notice returned %d", wrong, code)
		}
	}
	s.want(connector.OutcomeRefundedElsewhere, "re_3", "5.00", "refund")
	if code := s.reportsResult("re_3", accountClosed); code != http.StatusOK {
		t.Errorf("the failure returned %d", code)
	}
	s.payer.is("settled")
	s.shop.told("sale success settled", "refund success settled", "refund success settled", "refund success refund",
		"refund fail settled")
	const want = "refund 3.00 made_elsewhere, refund 2.00, refund 5.00 made_elsewhere, refund 5.00 failed_later"
	if got := s.shop.amounts(); got != want {
		t.Errorf("told %s", got)
	}
}

// refundedTooMuch has the provider approve a refund of 4.00 of the shop, after others on its website left less.
func refundedTooMuch(t *testing.T, elsewhere string) (*website, *provider, string) {
	t.Helper()
	bank := &provider{followUp: onFollowUp(undecided), lookUp: onFollowUp(undecided)}
	s := opensWebsite(t, bank, "no")
	s.shop.refunds(s.payer.paymentID(), "4.00")
	s.work()
	if code := s.tells(connector.OutcomeRefundedElsewhere, "re_1", elsewhere); code != http.StatusOK {
		t.Errorf("the refund elsewhere returned %d", code)
	}
	reference := bank.followUps[0].Reference
	for range 3 {
		if code := s.reportsResult(reference, approved); code != http.StatusOK {
			t.Errorf("the approval returned %d", code)
		}
	}
	bank.lookUp = onFollowUp(approved)
	s.work()
	s.sweep()
	s.work()
	if got := s.waiting(); !slices.Equal(got, []string{"pen-1 refund 4.00 USD"}) {
		t.Errorf("waiting: %q", got)
	}
	return s, bank, reference
}

// The provider approves the shop's own refund after all, or most, was refunded on its website: not all of that can be
// true. The refund does not count, and a person sees what its provider says, until they close the case.
func TestRefundApprovedAfterOthersElsewhere(t *testing.T) {
	s, bank, reference := refundedTooMuch(t, "7.00")
	id := s.payer.paymentID()
	s.payer.is("settled")
	s.shop.told("sale success settled", "refund waiting settled", "refund success settled", "refund fail settled")
	told := s.shop.Taken()[3].Fields
	if told.Get("transaction_amount") != "4.00" || told.Get("reason_code") != "made_elsewhere" {
		t.Errorf("told %v", told)
	}
	found, _, _ := s.app.Reader.WaitingForPerson(t.Context(), "", 9)
	if len(found) != 1 ||
		!strings.HasPrefix(found[0].Why, "The provider reports: more is refunded than is left. The provider has ") {
		t.Errorf("waiting: %+v", found)
	}
	for _, verdict := range []payment.Verdict{payment.VerdictGiveBack, payment.VerdictAccept} {
		if err := s.settle(id, verdict, ""); fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%s: %v", verdict, err)
		}
	}
	s.decides(id, payment.VerdictClose)
	s.reportsResult(reference, approved)
	if got := s.waiting(); len(got) != 0 || len(bank.followUps) != 1 {
		t.Errorf("waiting: %q, and %d requests", got, len(bank.followUps))
	}
	s.CheckOrders()
	s.shopKnowsAll(t)
}

// What is done with an authorisation on the provider's website, or ends it there.
func TestCapturedAndVoidedElsewhere(t *testing.T) {
	s := opensWebsite(t, &provider{}, "yes")
	if code := s.tells(connector.OutcomeRefundedElsewhere, "re_1", "3.00"); code != http.StatusConflict {
		t.Errorf("a refund before the capture returned %d", code)
	}
	if code := s.tells(connector.OutcomeCapturedElsewhere, "cap_1", "10.01"); code != http.StatusBadRequest {
		t.Errorf("a capture of too much returned %d", code)
	}
	s.want(connector.OutcomeCapturedElsewhere, "cap_1", "8.00", "settled")
	s.want(connector.OutcomeRefundedElsewhere, "re_1", "8.00", "refund")
	s.want(connector.OutcomeVoidedElsewhere, "void_1", "", "refund")
	s.shop.told("sale success pending", "capture success settled", "refund success refund")

	s = opensWebsite(t, &provider{}, "yes")
	s.want(connector.OutcomeVoidedElsewhere, "void_1", "", "void")
	s.shop.told("sale success pending", "void success void")

	s = opensWebsite(t, &provider{}, "yes")
	expired := connector.Result{
		Outcome: connector.OutcomeVoidedElsewhere, OperationID: "void_1", ReasonCode: reason.Expired,
	}
	s.reportsResult("", expired)
	if told := s.shop.Taken()[1].Fields; told.Get("reason") != "The authorisation expired." ||
		told.Get("order_status") != "void" || told.Get("transaction_amount") != "" {
		t.Errorf("told %v", told)
	}
}

// The shop's void waits because the provider was not reached. One that is told meanwhile is not the shop's, also where
// the provider names the shop's request because it was told that this was to come.
func TestVoidedElsewhereBeforeAVoidIsSent(t *testing.T) {
	for _, named := range []bool{false, true} {
		bank := &provider{followUp: func(connector.ProviderRequest) (connector.Result, error) {
			return connector.Result{}, connector.ErrNotSent
		}}
		s := opensWebsite(t, bank, "yes")
		s.shop.does("void", s.payer.paymentID())
		job := s.Stored(t)[0].Jobs[0]
		if !job.SentAt.IsZero() {
			t.Fatalf("it was sent: %+v", job)
		}
		told := connector.Result{Outcome: connector.OutcomeVoidedElsewhere, OperationID: "void_1"}
		reference := ""
		if named {
			told, reference = approved, job.Reference
		}
		for range 2 {
			if code := s.reportsResult(reference, told); code != http.StatusOK {
				t.Errorf("the notice returned %d", code)
			}
		}
		s.payer.is("void")
		sent := len(bank.followUps)
		s.pass(time.Hour)
		if len(bank.followUps) != sent {
			t.Errorf("the void was sent %d times more", len(bank.followUps)-sent)
		}
		last := s.shop.last("void").Fields
		if last.Get("status") != "success" || last.Get("reason_code") != "made_elsewhere" || len(s.shop.Taken()) != 2 {
			t.Errorf("told %d times, at last %v", len(s.shop.Taken()), last)
		}
		s.CheckOrders()
	}
}

// The refund on the website fails later: the shop's own one has been made then, which a person accepts.
func TestRefundAcceptedAfterTheOtherFailed(t *testing.T) {
	s, bank, reference := refundedTooMuch(t, "10.00")
	id := s.payer.paymentID()
	s.reportsResult("re_1", accountClosed)
	s.payer.is("settled")
	bank.lookUp = onFollowUp(approved)
	s.decides(id, payment.VerdictAccept)
	if got := s.shop.refunds(id, "6.01"); !strings.HasPrefix(got, "400 208006") {
		t.Errorf("a refund of too much: %s", got)
	}
	s.shop.told("sale success settled", "refund waiting settled", "refund success refund", "refund fail refund",
		"refund fail settled", "refund success settled")
	s.reportsResult(reference, approved)
	if got := s.waiting(); len(got) != 0 {
		t.Errorf("waiting: %q", got)
	}
	s.CheckOrders()
	s.shopKnowsAll(t)
}
