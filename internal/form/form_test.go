package form

import (
	"testing"

	"checkout/internal/method"
)

// Each page field stores its value in a place of its own.
func TestEveryPlaceIsStored(t *testing.T) {
	var v Values
	stored := map[*string]method.Place{}
	for _, f := range method.PageFields {
		at := places[f.Place]
		if f.Place == method.InSealedCard || f.Place == method.InParameters {
			if (f.Place == method.InSealedCard) != f.Sealed || at != nil {
				t.Errorf("%s goes to %s", f.ID, f.Place)
			}
			continue
		}
		if at == nil || f.Sealed {
			t.Errorf("%s is not stored: places of form.go lacks %q, or the field is sealed", f.ID, f.Place)
			continue
		}
		if other := stored[at(&v)]; other != "" {
			t.Errorf("%s and %s are stored in the same place", other, f.Place)
		}
		stored[at(&v)] = f.Place
	}
	if len(stored) != len(places) {
		t.Errorf("%d places for %d of the page", len(places), len(stored))
	}
}
