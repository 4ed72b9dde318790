package story

import (
	"net/http"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/screen"
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

// The shop's own refund is in progress while all is refunded on the provider's website: it can only be declined.
func TestRefundedElsewhereMeanwhile(t *testing.T) {
	bank := &provider{followUp: onFollowUp(undecided), lookUp: onFollowUp(undecided)}
	s := opensWebsite(t, bank, "no")
	s.shop.refunds(s.payer.paymentID(), "4.00")
	s.work()
	s.want(connector.OutcomeRefundedElsewhere, "re_1", "10.00", "refund")
	s.reportsResult(bank.followUps[0].Reference, declined)
	s.payer.is("refund")
	s.shop.told("sale success settled", "refund waiting settled", "refund success refund", "refund fail refund")
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
		Outcome: connector.OutcomeVoidedElsewhere, OperationID: "void_1", ReasonCode: screen.ReasonExpired,
	}
	s.reportsResult("", expired)
	if told := s.shop.Taken()[1].Fields; told.Get("reason") != "The authorisation expired." ||
		told.Get("order_status") != "void" || told.Get("transaction_amount") != "" {
		t.Errorf("told %v", told)
	}
}

// A void of the shop's own is not decided while the provider reports one: which of both it was is looked up first.
func TestVoidedElsewhereMeanwhile(t *testing.T) {
	bank := &provider{followUp: onFollowUp(undecided), lookUp: onFollowUp(undecided)}
	s := opensWebsite(t, bank, "yes")
	s.shop.does("void", s.payer.paymentID())
	if code := s.tells(connector.OutcomeVoidedElsewhere, "void_1", ""); code != http.StatusConflict {
		t.Errorf("the notice returned %d", code)
	}
	s.reportsResult(bank.followUps[0].Reference, declined)
	s.want(connector.OutcomeVoidedElsewhere, "void_1", "", "void")
	s.shop.told("sale success pending", "void waiting pending", "void fail pending", "void success void")
}

// What follows a success comes before the service knows of that success: it is refused, looked up, and sent again.
func TestElsewhereBeforeTheSuccessIsKnown(t *testing.T) {
	for outcome, status := range map[connector.Outcome]string{
		connector.OutcomeCapturedElsewhere: "settled", connector.OutcomeVoidedElsewhere: "void",
	} {
		authorised := connector.Result{Outcome: connector.OutcomeApproved, Authorised: true}
		s := opensWebsite(t, &provider{charge: noResponse, lookUp: onFollowUp(authorised)}, "yes")
		if code := s.tells(outcome, "id_1", "10.00"); code != http.StatusConflict {
			t.Errorf("the notice returned %d", code)
		}
		s.payer.is("pending")
		s.want(outcome, "id_1", "10.00", status)
	}
}

// A refund of what was declined here says that it was approved: an operator is told.
func TestRefundedElsewhereAfterADecline(t *testing.T) {
	s := opensWebsite(t, &provider{charge: onCharge(declined)}, "no")
	if code := s.tells(connector.OutcomeRefundedElsewhere, "re_1", "10.00"); code != http.StatusOK {
		t.Errorf("the notice returned %d", code)
	}
	s.approvedAfterDeclined(1)
}

// Disputes have amounts, and a payment is what it was before once all of them are won, in whatever order that comes.
func TestDisputesAreWon(t *testing.T) {
	s := opensWebsite(t, &provider{}, "no")
	s.want(connector.OutcomeChargeback, "dp_1", "4.00", "chargeback")
	s.want(connector.OutcomeChargeback, "dp_2", "3.00", "chargeback")
	s.want(connector.OutcomeDisputeWon, "dp_1", "", "chargeback")
	s.want(connector.OutcomeDisputeWon, "dp_2", "", "settled")
	s.want(connector.OutcomeDisputeWon, "dp_3", "", "settled") // whose beginning comes late
	s.want(connector.OutcomeChargeback, "dp_3", "10.00", "settled")
	s.want(connector.OutcomeRefundedElsewhere, "re_1", "4.00", "settled")
	s.want(connector.OutcomeChargeback, "dp_4", "6.00", "chargeback")
	s.want(connector.OutcomeRefundedElsewhere, "re_2", "6.00", "chargeback")
	s.want(connector.OutcomeDisputeWon, "dp_4", "", "refund")
	s.shop.told("sale success settled",
		"chargeback success chargeback", "chargeback success chargeback",
		"chargeback fail chargeback", "chargeback fail settled",
		"refund success settled", "chargeback success chargeback", "refund success chargeback", "chargeback fail refund")
	const want = "chargeback 4.00, chargeback 3.00, chargeback 4.00 dispute_won, chargeback 3.00 dispute_won, " +
		"refund 4.00 made_elsewhere, chargeback 6.00, refund 6.00 made_elsewhere, chargeback 6.00 dispute_won"
	if got := s.shop.amounts(); got != want {
		t.Errorf("told %s", got)
	}
}

// A dispute whose notice names neither amount nor id is one of all that was captured, and can be won.
func TestDisputeWithoutAnID(t *testing.T) {
	s := opensWebsite(t, &provider{}, "no")
	s.want(connector.OutcomeChargeback, "", "", "chargeback")
	s.want(connector.OutcomeDisputeWon, "dp_1", "", "settled")
	s.shop.told("sale success settled", "chargeback success chargeback", "chargeback fail settled")
}

// A dispute of a payment that was refunded is forgotten once it is won.
func TestDisputeOfARefundedPaymentIsWon(t *testing.T) {
	s := opensWebsite(t, &provider{}, "no")
	s.want(connector.OutcomeRefundedElsewhere, "re_1", "10.00", "refund")
	s.want(connector.OutcomeChargeback, "dp_1", "10.00", "refund")
	s.want(connector.OutcomeDisputeWon, "dp_1", "", "refund")
	s.reportsResult("re_1", accountClosed)
	s.payer.is("settled")
}
