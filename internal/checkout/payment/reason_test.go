package payment

import (
	"testing"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

func TestReasonOfAResult(t *testing.T) {
	for _, test := range []struct {
		result   connector.Result
		code     reason.Code
		merchant string
	}{
		{connector.Result{}, reason.Declined, "Declined by processing."},
		{connector.Result{Reason: "Call your bank."}, reason.Declined, "Call your bank."},
		{
			connector.Result{Reason: "Zu wenig Geld.", ReasonLanguage: "de", ReasonCode: reason.InsufficientFunds},
			reason.InsufficientFunds, "Zu wenig Geld.",
		},
		{DeclineFor(reason.Unreachable), reason.Unreachable, "The payment provider can't be reached."},
	} {
		why := ReasonOf(test.result)
		want := reason.Reason{Code: test.code, Words: test.result.Reason, Language: test.result.ReasonLanguage}
		if *why != want || why.Text() != test.merchant {
			t.Errorf("%+v: %+v, text %q", test.result, why, why.Text())
		}
	}
}
