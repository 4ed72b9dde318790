package query

import (
	"fmt"
	"testing"

	"checkout/internal/operator/grant"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// A person is shown the merchants that are named in their grants, or all if one is for all.
func TestMerchants(t *testing.T) {
	l := newListed(t)
	for _, id := range []string{"m-1", "m-2", "m-3"} {
		l.Save(store.Encode(store.MerchantIndexKey(id), 0, store.IndexedMerchant{ID: id}),
			store.Encode(store.SettingsKey(id), 0, settings.Merchant{ID: id, Name: "Shop " + id}))
	}
	for _, x := range []struct {
		by   grant.Person
		want string
	}{
		{grant.Person{}, "[]"},
		{person(grant.Viewer, "m-3", "gone", "m-1", "m-3"), "[{m-1 Shop m-1} {m-3 Shop m-3}]"},
		{person(grant.Viewer, "*"), "[{m-1 Shop m-1} {m-2 Shop m-2} {m-3 Shop m-3}]"},
	} {
		got, err := l.Merchants(t.Context(), x.by)
		if err != nil || got == nil || fmt.Sprint(got) != x.want {
			t.Errorf("%+v: %v, %v", x.by, got, err)
		}
	}
}
