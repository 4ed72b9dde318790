package connector

import (
	"errors"
	"testing"

	"checkout/internal/money"
)

// Only an approval of another amount makes a notice of an error: one that may be a decline, or of which nobody knows
// what it is, does not.
func TestTelling(t *testing.T) {
	usd, _ := money.Find("USD")
	ten, _ := money.ParseMinor("1000", usd)
	nine, _ := money.ParseMinor("900", usd)
	approved := OtherAmountError{Moved: nine, Requested: ten, Approved: true}
	declined := Result{Outcome: OutcomeDeclined}
	for _, test := range []struct {
		err        error
		want       Outcome
		says       string
		unreadable bool
	}{
		{want: OutcomeDeclined},
		{err: approved, want: OutcomeApproved, says: "9.00 of 10.00 USD"},
		{err: OtherAmountError{Approved: true}, want: OutcomeApproved, says: "another amount than was asked for"},
		{err: OtherAmountError{Moved: nine, Requested: ten}, unreadable: true},
		{err: ErrOtherAmount, unreadable: true},
		{err: errors.New("broken"), unreadable: true},
	} {
		got, err := Notice{PaymentID: "p"}.Telling(declined, test.err)
		if errors.Is(err, ErrUnreadable) != test.unreadable || got.Result.Outcome != test.want {
			t.Errorf("%v: %+v, %v", test.err, got, err)
		}
		if other := (OtherAmountError{}); errors.As(got.OtherAmount, &other) && other.Text() != test.says {
			t.Errorf("%v: %q", test.err, other.Text())
		}
	}
}
