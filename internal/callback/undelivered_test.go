package callback

import (
	"math"
	"testing"

	"checkout/internal/store"
)

// At most so many of each shard are listed, however many pages these are, and only then it is said that there are more.
func TestSomeOfEachShard(t *testing.T) {
	w := newShop(t)
	in := map[int]int{} // how many each shard has
	for i := range 4000 {
		key, err := store.CallbackKey(paymentID(i+1), 1)
		if err != nil {
			t.Fatal(err)
		}
		if shard := store.DueShard(store.DueParked, key); shard < 2 {
			w.add(i+1, Callback{State: Parked, dueAt: w.now})
			in[shard]++
		}
	}
	most := 0
	for _, n := range in {
		most = max(most, n)
	}
	if most <= listedPage {
		t.Fatalf("no shard has more than a page: %v", in)
	}
	for _, atMost := range []int{1, listedPage - 1, listedPage, listedPage + 1, most - 1, most, most + 1, math.MaxInt} {
		want := 0
		for _, n := range in {
			want += min(n, atMost)
		}
		found, more, err := w.UndeliveredOf(t.Context(), Query{}, atMost)
		if len(found) != want || more != (atMost < most) || err != nil {
			t.Errorf("at most %d: %d of %d listed, more: %t, %v", atMost, len(found), want, more, err)
		}
	}
}
