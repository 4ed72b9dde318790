package reason

import (
	"strings"
	"testing"
)

// Every code stands in the table once, with a text. A code whose text another one has is told by that one's own text.
func TestReasons(t *testing.T) {
	seen := map[Code]bool{}
	for _, row := range All {
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
	if n := len(ofProviders); n < 38 || !Declined.OfProvider() || PaidTooLate.OfProvider() {
		t.Errorf("%d reasons of providers", n)
	}
}

// What the card schemes forbid to try again, what would charge twice and what the payer has to mend is never soft.
func TestHardReasons(t *testing.T) {
	hard := []Code{
		DoNotTryAgain, FraudSuspected, CardLost, CardStolen, PickUpCard, CardNotSupported,
		CardInvalid, AccountClosed, RecurringStopped, NotAllowed, Duplicate, PayerRefused,
		SecurityCodeInvalid, Missed, Declined, "", "unknown",
	}
	for _, code := range hard {
		if code.Soft() {
			t.Errorf("%q is soft", code)
		}
	}
	soft := []Code{DoNotHonor, InsufficientFunds, IssuerUnavailable, Unreachable}
	for _, code := range soft {
		if !code.Soft() {
			t.Errorf("%q is hard", code)
		}
	}
}

// A payer is not told of a lost, stolen or blocked card, nor of suspected fraud: neither by the code nor in the
// provider's words. The merchant is.
func TestPayerIsToldNothingThatHelpsAThief(t *testing.T) {
	plain := Reason{Code: Declined}
	for _, code := range []Code{
		DoNotHonor, FraudSuspected, SecurityViolation, CardLost, CardStolen, PickUpCard,
		CardBlocked, AccountBlocked,
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
	open := &Reason{Code: InsufficientFunds, Words: "Too little.", Language: "en"}
	busy := &Reason{Code: IssuerUnavailable, Words: "Closed at night."}
	if *open.ForPayer() != *open || *busy.ForPayer() != (Reason{Code: TryAgainLater, Words: "Closed at night."}) {
		t.Errorf("told %+v, %+v", open.ForPayer(), busy.ForPayer())
	}
	if (*Reason)(nil).ForPayer() != nil || (*Reason)(nil).MerchantCode() != "" {
		t.Error("a reason of nothing")
	}
}

// Every reason is a whole sentence, with the amounts that it names, with one of them and without any.
func TestTextsHaveNoGaps(t *testing.T) {
	for _, row := range All {
		for _, r := range []Reason{
			{Code: row.Code}, {Code: row.Code, Arrived: "3", Currency: "BTC"}, {Code: row.Code, Due: "5", Currency: "BTC"},
			{Code: row.Code, Arrived: "3", Due: "5", Currency: "BTC"},
		} {
			text := r.Text()
			if text == "" || strings.ContainsAny(text, "{}") || strings.Contains(text, "  ") {
				t.Errorf("%+v: %q", r, text)
			}
			whole := r.Arrived != "" && r.Due != ""
			for gap, amount := range map[string]string{"{arrived}": "3 BTC", "{due}": "5 BTC"} {
				if whole && strings.Contains(row.Text, gap) != strings.Contains(text, amount) {
					t.Errorf("%+v: %q", r, text)
				}
			}
		}
	}
}
