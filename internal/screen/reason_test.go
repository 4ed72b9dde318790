package screen

import "testing"

// Every code stands in the table once, with a text. A code whose text another one has is told by that one's own text.
func TestReasons(t *testing.T) {
	seen := map[ReasonCode]bool{}
	for _, row := range Reasons {
		if seen[row.Code] || row.Code == "" || row.Text == "" {
			t.Errorf("%+v: twice, or not whole", row)
		}
		seen[row.Code] = true
		if row.Payer == itself {
			continue
		}
		if told := row.Payer.Row(); told.Code == "" || told.Payer != itself || row.Payer == row.Code {
			t.Errorf("%s is told as %q", row.Code, row.Payer)
		}
	}
	if n := len(ofProviders); n < 38 || !ReasonDeclined.OfProvider() || ReasonPaidTooLate.OfProvider() {
		t.Errorf("%d reasons of providers", n)
	}
}

// What the card schemes forbid to try again, what would charge twice and what the payer has to mend is never soft.
func TestHardReasons(t *testing.T) {
	hard := []ReasonCode{
		ReasonDoNotTryAgain, ReasonFraudSuspected, ReasonCardLost, ReasonCardStolen, ReasonPickUpCard, ReasonCardNotSupported,
		ReasonCardInvalid, ReasonAccountClosed, ReasonRecurringStopped, ReasonNotAllowed, ReasonDuplicate, ReasonPayerRefused,
		ReasonSecurityCodeInvalid, ReasonMissed, ReasonDeclined, "", "unknown",
	}
	for _, code := range hard {
		if code.Soft() {
			t.Errorf("%q is soft", code)
		}
	}
	soft := []ReasonCode{ReasonDoNotHonor, ReasonInsufficientFunds, ReasonIssuerUnavailable, ReasonUnreachable}
	for _, code := range soft {
		if !code.Soft() {
			t.Errorf("%q is hard", code)
		}
	}
}

// A payer is not told of a lost, stolen or blocked card, nor of suspected fraud: neither by the code nor in the
// provider's words. The merchant is.
func TestPayerIsToldNothingThatHelpsAThief(t *testing.T) {
	plain := Reason{Code: ReasonDeclined}
	for _, code := range []ReasonCode{
		ReasonDoNotHonor, ReasonFraudSuspected, ReasonSecurityViolation, ReasonCardLost, ReasonCardStolen, ReasonPickUpCard,
		ReasonCardBlocked, ReasonAccountBlocked,
	} {
		for _, words := range []string{"", "Reported stolen."} {
			reason := &Reason{Code: code, Words: words, Language: "en"}
			if told := reason.ForPayer(); *told != plain {
				t.Errorf("%s: told %+v", code, told)
			}
			if reason.MerchantCode() != code || reason.Text() == plain.Text() {
				t.Errorf("%s: the merchant gets %s, %q", code, reason.MerchantCode(), reason.Text())
			}
		}
	}
	open := &Reason{Code: ReasonInsufficientFunds, Words: "Too little.", Language: "en"}
	busy := &Reason{Code: ReasonIssuerUnavailable, Words: "Closed at night."}
	if *open.ForPayer() != *open || *busy.ForPayer() != (Reason{Code: ReasonTryAgainLater, Words: "Closed at night."}) {
		t.Errorf("told %+v, %+v", open.ForPayer(), busy.ForPayer())
	}
	if (*Reason)(nil).ForPayer() != nil || (*Reason)(nil).MerchantCode() != "" {
		t.Error("a reason of nothing")
	}
}
