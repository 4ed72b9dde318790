package conformance

import (
	"math/big"
	"reflect"
	"slices"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/page/screen"
)

// Address is the part of a provider that shows payers where to send money.
type Address struct {
	Charge func(anyAmount bool) connector.Charge // a charge that shows an address to the payer
	Send   func(t *testing.T, part string)       // part is all, half or rest of what is due; ignored for any amount
	Expire func()                                // moves the time until it is too late to pay
}

// addresses runs the tests for connectors whose payers send money to an address.
func addresses(t *testing.T, start func(t *testing.T) Provider) {
	const waits, approved, declined = connector.OutcomeActionRequired, connector.OutcomeApproved, connector.OutcomeDeclined
	for _, test := range []struct {
		name      string
		anyAmount bool
		does      []string
		want      []connector.Outcome // of a look-up after each payment
		arrived   []string            // until then, as a share of the due amount
	}{
		{"paid", false, []string{"all"}, []connector.Outcome{approved}, []string{"all"}},
		{"paid in parts", false, []string{"half", "rest"}, []connector.Outcome{waits, approved}, []string{"half", "all"}},
		{"paid too much", false, []string{"half", "all"}, []connector.Outcome{waits, approved}, []string{"half", "more"}},
		{"paid too little", false, []string{"half", "time"}, []connector.Outcome{waits, declined}, []string{"half", "half"}},
		{"paid too late", false, []string{"time", "all"}, []connector.Outcome{declined, declined}, []string{"", "all"}},
		{"the rest is too late", false, []string{"half", "time", "rest"}, []connector.Outcome{waits, declined, declined},
			[]string{"half", "half", "all"}},
		{"any amount", true, []string{"all"}, []connector.Outcome{approved}, []string{"any"}},
		{"any amount too late", true, []string{"time", "all"}, []connector.Outcome{declined, declined}, []string{"", "any"}},
	} {
		t.Run("address, "+test.name, func(t *testing.T) {
			p := start(t)
			if p.Address == nil || test.anyAmount && !p.Declaration.AnyAmount {
				t.Skip("this provider shows no address, or none for any amount")
			}
			charge := p.Address.Charge(test.anyAmount)
			if r := wanted(t)(p.Connector.Charge(t.Context(), charge)); !waitsForMoney(r) || r.Received != nil {
				t.Fatalf("returned %+v", r)
			}
			for i, do := range test.does {
				if do == "time" {
					p.Address.Expire()
				} else {
					p.Address.Send(t, do)
				}
				found := p.query(t, charge.ProviderRequest)
				if found.Outcome != test.want[i] || share(t, found.Received) != test.arrived[i] {
					t.Errorf("%d. %s: %+v, %+v", i+1, do, found, found.Received)
				}
				if known := found.Outcome == approved && test.anyAmount; known == found.Amount.IsZero() {
					t.Errorf("%d. %s: the amount is %q", i+1, do, found.Amount)
				}
				if found.Outcome == waits && !waitsForMoney(found) {
					t.Errorf("%d. %s: waits with %+v", i+1, do, found.RequiredAction)
				}
				if again := p.query(t, charge.ProviderRequest); !reflect.DeepEqual(again, found) {
					t.Errorf("%d. %s: %+v, and then %+v", i+1, do, found, again)
				}
			}
		})
	}
}

// waitsForMoney reports whether the result shows the payer an address and a time limit.
func waitsForMoney(r connector.Result) bool {
	action := r.RequiredAction
	return r.Outcome == connector.OutcomeActionRequired && action != nil &&
		action.Kind == connector.ActionPending && len(action.Show) > 0 && action.URL == "" &&
		!action.ExpiresAt.IsZero() && !slices.ContainsFunc(action.Show, incomplete)
}

// incomplete reports whether a row lacks what the page needs to show it.
func incomplete(row screen.Shown) bool {
	return row.ID == "" || row.Type == "" || row.Value == ""
}

// share is the received part of what is due.
func share(t *testing.T, r *connector.Received) string {
	t.Helper()
	if r == nil {
		return ""
	}
	arrived, ok := new(big.Rat).SetString(r.Amount)
	if !ok || arrived.Sign() <= 0 || r.Currency == "" {
		t.Fatalf("received %+v", r)
	}
	if r.Due == "" {
		return "any"
	}
	due, ok := new(big.Rat).SetString(r.Due)
	if !ok {
		t.Fatalf("received %+v", r)
	}
	switch twice := new(big.Rat).Add(arrived, arrived); {
	case arrived.Cmp(due) > 0:
		return "more"
	case arrived.Cmp(due) == 0:
		return "all"
	case twice.Cmp(due) == 0:
		return "half"
	}
	return r.Amount
}
