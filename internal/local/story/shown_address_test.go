package story

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// dead stores an address of the shop that gets no callbacks any more, and parked callbacks of it.
func (w *World) dead(o fault.Owner, n int, url string) {
	w.t.Helper()
	now := w.clock.Now()
	id := store.NewPaymentID(store.OrderHash(o.Text(), url), now, []byte{0, 0, 0, byte(n)})
	c := callback.Callback{
		PaymentID: id, Seq: 1, Owner: o, URL: url, CreatedAt: now, State: callback.Parked,
		Fields: callback.Fields{{Name: "id", Value: id}, {Name: "type", Value: "sale"}},
	}
	key := store.BreakerKey(callback.BreakerAddress(o, url))
	breaker := store.Encode(key, 0, map[string]any{"open_until": now.Add(15 * time.Minute)})
	if err := w.app.Store.Save(w.t.(*testing.T).Context(), now, c.Record(now), breaker); err != nil {
		w.t.Fatalf("store an address: %v", err)
	}
}

// The circuit breaker of an address is closed by what people see of the address, and so are those of all of its owner's
// that look the same.
func TestAddressesAreOpenedAsTheyAreShown(t *testing.T) {
	w := open(t)
	owner := fault.Owner{Merchant: w.shop.merchant.ID, Test: true}
	live := fault.Owner{Merchant: owner.Merchant}
	w.dead(owner, 1, "https://ann:secret@shop.example/hook?token=1")
	w.dead(owner, 2, "https://ann:other@shop.example/hook?token=2")
	w.dead(owner, 3, "https://shop.example/hook?token=1")
	w.dead(live, 4, "https://ann:secret@shop.example/hook?token=1")
	for i := range 41 {
		w.dead(live, 5+i, fmt.Sprint("https://shop.example/order?number=", i))
	}
	by := grant.Person{Who: ann, Grants: []grant.Grant{everything(ann)}}
	isOpen := func() (all []string) {
		found, err := w.app.Reader.Addresses(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range found {
			if !a.OpenUntil.IsZero() && !strings.Contains(a.URL, "/order?") {
				all = append(all, a.Mode+" "+a.URL)
			}
		}
		return all
	}
	before := isOpen()
	const shown = "https://...@shop.example/hook?..."
	for range 2 {
		if err := w.as("").CloseAddress(t.Context(), owner, shown); err != nil {
			t.Error(err)
		}
	}
	after := isOpen()
	slices.Sort(after)
	if len(before) != 4 || !slices.Equal(after, []string{"live " + shown, "test https://shop.example/hook?..."}) {
		t.Errorf("%q, then %q", before, after)
	}
	change := "its circuit breaker is closed: " + shown
	if got := w.acted(); len(got) != 1 || got[0] != "ann address/"+owner.Text()+" "+change+"; "+change {
		t.Errorf("audit log %q", got)
	}
	err := w.as("").CloseAddress(t.Context(), live, "https://shop.example/order?...")
	if fault.CodeOf(err) != fault.CodeNotAllowed {
		t.Errorf("41 at once: %v", err)
	}
}
