package memory

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"checkout/internal/store"
)

// Every partition that is saved while somebody follows is among the changes once it is taken after that, whoever saves
// at the same time. Those without the prefix, and refused saves, are not.
func TestChanges(t *testing.T) {
	s := NewStore()
	save := func(partition string, version int64) error {
		r := store.Record{Key: store.Key{Partition: partition, Sort: "s"}, Doc: []byte("1"), Version: version}
		return s.Save(t.Context(), time.Now(), r)
	}
	if err := save("order/0", 0); err != nil {
		t.Fatal(err)
	}
	c := s.Follow("order/")
	if err := save("order/0", 7); !store.IsConflict(err) {
		t.Fatal(err)
	}
	if err := save("other/1", 0); err != nil || len(c.Ready()) > 0 || len(c.Take()) > 0 {
		t.Errorf("%v; there are changes", err)
	}
	const n = 100
	var savers sync.WaitGroup
	for i := range n {
		savers.Go(func() {
			if err := save(fmt.Sprint("order/", i+1), 0); err != nil {
				t.Error(err)
			}
		})
	}
	var taken []string
	for len(taken) < n {
		<-c.Ready()
		taken = append(taken, c.Take()...)
	}
	savers.Wait()
	slices.Sort(taken)
	if taken = slices.Compact(taken); len(taken) != n || len(c.Take()) > 0 {
		t.Errorf("%d of %d changes", len(taken), n)
	}
	c.Add(taken[0])
	if <-c.Ready(); !slices.Equal(c.Take(), taken[:1]) {
		t.Error("what was put back is not there")
	}
}
