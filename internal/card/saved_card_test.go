package card

import (
	"testing"
	"time"

	"checkout/internal/fault"
)

// A saved card opens only for its owner, in its mode and by its token, and is stored for 90 days after it has expired.
func TestSavedCardIsBound(t *testing.T) {
	made := map[string]bool{}
	for _, c := range []Saved{
		{Token: "a", Owner: fault.Owner{Merchant: "shop"}}, {Token: "b", Owner: fault.Owner{Merchant: "shop"}},
		{Token: "a", Owner: fault.Owner{Merchant: "shop", Test: true}},
		{Token: "a", Owner: fault.Owner{Merchant: "other"}},
	} {
		if made[c.AssociatedData()] {
			t.Errorf("%s opens another card, too", c.AssociatedData())
		}
		made[c.AssociatedData()] = true
	}
	c := Saved{Token: "a", View: View{ExpiryMonth: 12, ExpiryYear: 2030}}
	if end := time.Date(2031, 1, 1, 12, 0, 0, 0, time.UTC); !c.Ends().Equal(end) ||
		!c.Record().ExpiresAt.Equal(end.AddDate(0, 0, 90)) {
		t.Errorf("it ends at %s, and is stored until %s", c.Ends(), c.Record().ExpiresAt)
	}
}

// Sealed cards open with the keys of yesterday, today and tomorrow.
func TestKeyOpens(t *testing.T) {
	now := time.Date(2030, 3, 1, 0, 30, 0, 0, time.UTC)
	for day, want := range map[string]bool{"2030-02-27": false, "2030-02-28": true, "2030-03-01": true, "2030-03-02": true,
		"2030-03-03": false} {
		if keyOpens(day, now) != want {
			t.Errorf("%s: %t", day, !want)
		}
	}
}
