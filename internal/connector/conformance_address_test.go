package connector

import (
	"reflect"
	"testing"
	"time"

	"checkout/internal/checkout"
)

// addressed is a provider that shows payers where to send money to.
type addressed struct {
	charge     func(anyAmount bool) checkout.Charge // whose payer is shown that
	sends      func(t *testing.T, part string)      // all, half or rest of what is due; of any amount just something
	timePasses func()                               // until it is too late to pay
}

// conformAddress is what every connector does whose payers send money by themselves.
func conformAddress(t *testing.T, start func(t *testing.T) provider) {
	for _, test := range []struct {
		name      string
		anyAmount bool
		does      []string
		want      []checkout.Outcome // that a look-up says after each
		sums      []string           // what has arrived then, as a share of what is due
	}{
		{"paid", false, []string{"all"}, []checkout.Outcome{checkout.OutcomeApproved}, []string{"all"}},
		{"paid in parts", false, []string{"half", "rest"}, []checkout.Outcome{checkout.OutcomeNext, checkout.OutcomeApproved}, []string{"half", "all"}},
		{"paid too much", false, []string{"half", "all"}, []checkout.Outcome{checkout.OutcomeNext, checkout.OutcomeApproved}, []string{"half", "more"}},
		{"paid too little", false, []string{"half", "time"}, []checkout.Outcome{checkout.OutcomeNext, checkout.OutcomeDeclined}, []string{"half", "half"}},
		{"paid too late", false, []string{"time", "all"}, []checkout.Outcome{checkout.OutcomeDeclined, checkout.OutcomeDeclined}, []string{"", "all"}},
		{"the rest is too late", false, []string{"half", "time", "rest"}, []checkout.Outcome{checkout.OutcomeNext, checkout.OutcomeDeclined, checkout.OutcomeDeclined}, []string{"half", "half", "all"}},
		{"any amount", true, []string{"all"}, []checkout.Outcome{checkout.OutcomeApproved}, []string{"any"}},
		{"any amount too late", true, []string{"time", "all"}, []checkout.Outcome{checkout.OutcomeDeclined, checkout.OutcomeDeclined}, []string{"", "any"}},
	} {
		t.Run("address, "+test.name, func(t *testing.T) {
			p := start(t)
			if p.address == nil {
				t.Skip("this provider shows no address")
			}
			charge := p.address.charge(test.anyAmount)
			if r := given(t)(p.connector.Charge(t.Context(), charge)); !waitsForMoney(r) || r.Received != nil {
				t.Fatalf("answered %+v", r)
			}
			for i, do := range test.does {
				if do == "time" {
					p.address.timePasses()
				} else {
					p.address.sends(t, do)
				}
				found := given(t)(p.connector.Lookup(t.Context(), charge.Question))
				if found.Outcome != test.want[i] || share(t, found.Received) != test.sums[i] {
					t.Errorf("%d. %s: %+v, %+v", i+1, do, found, found.Received)
				}
				if found.Outcome == checkout.OutcomeNext && !waitsForMoney(found) {
					t.Errorf("%d. %s: waits with %+v", i+1, do, found.Next)
				}
				if again := given(t)(p.connector.Lookup(t.Context(), charge.Question)); !reflect.DeepEqual(again, found) {
					t.Errorf("%d. %s: %+v, and then %+v", i+1, do, found, again)
				}
			}
		})
	}
}

// waitsForMoney reports whether a payer is shown something that has an end.
func waitsForMoney(r checkout.Result) bool {
	return r.Outcome == checkout.OutcomeNext && r.Next != nil && r.Next.Kind == checkout.StatusPending && len(r.Next.Show) > 0 &&
		r.Next.URL == "" && r.Next.ExpiresAt.After(time.Time{})
}

// share is what has arrived of what is due.
func share(t *testing.T, r *checkout.Received) string {
	t.Helper()
	if r == nil {
		return ""
	}
	if r.Currency == "" || !more(r.Amount, "") {
		t.Errorf("received %+v", r)
	}
	switch {
	case r.Due == "":
		return "any"
	case more(r.Amount, r.Due):
		return "more"
	case !more(r.Due, r.Amount):
		return "all"
	case !more(plus(r.Amount, r.Amount), r.Due) && !more(r.Due, plus(r.Amount, r.Amount)):
		return "half"
	}
	return r.Amount
}
