package settings

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// lossy is a store that saves nothing, or everything without a response.
type lossy struct {
	*memory.Store
	before, after bool
}

var errLost = errors.New("lost")

func (s *lossy) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	if s.before {
		return errLost
	}
	err := s.Store.Save(ctx, now, records...)
	if s.after {
		return errLost
	}
	return err
}

// The first use is stored at once, then the total once a minute, whatever became of an earlier save. Each instance, use
// and overlap has a document of its own, which is gone when the overlap ends.
func TestUseCounts(t *testing.T) {
	noon := time.Date(2030, 3, 4, 12, 0, 0, 0, time.UTC)
	to, made := &lossy{Store: memory.NewStore()}, byte(0)
	random := func(n int) []byte {
		made++
		return append(make([]byte, n-1), made)
	}
	counts, another := &UseCounts{}, &UseCounts{}
	old := Use{"pens", "password", true, noon.Add(time.Hour)}
	use := func(c *UseCounts, u Use, after time.Duration) string {
		save := c.Count(noon.Add(after), u, random)
		if save == nil {
			return "counted"
		}
		if err := save(t.Context(), to); err != nil {
			return err.Error()
		}
		return "stored"
	}
	stored := func(after time.Duration) (text string) {
		records, err := to.List(t.Context(), noon.Add(after), store.UsesOf("pens", 100))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			var of UseCount
			if err := r.Decode(&of); err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%s %d %s; ", r.Key.Sort[:len(r.Key.Sort)-14], of.Count, of.Last.Sub(noon))
		}
		return text
	}
	both := func(second time.Duration) { to.before, to.after = second == 60*time.Second, second == 120*time.Second }
	for _, step := range []struct {
		second     time.Duration
		want, have string
	}{
		{0, "stored", "password/old/00 1 0s; "},
		{59, "counted", "password/old/00 1 0s; "},
		{60, "lost", "password/old/00 1 0s; "},
		{119, "counted", "password/old/00 1 0s; "},
		{120, "lost", "password/old/00 5 2m0s; "},
		{180, "conflict on 1 documents", "password/old/00 5 2m0s; "},
		{239, "counted", "password/old/00 5 2m0s; "},
		{240, "stored", "password/old/00 8 4m0s; "},
	} {
		after := step.second * time.Second
		both(after)
		if got := use(counts, old, after); got != step.want {
			t.Errorf("after %s: %s, want %s", after, got, step.want)
		}
		if have := stored(after); have != step.have {
			t.Errorf("after %s: %s, want %s", after, have, step.have)
		}
	}
	present, later := old, old
	present.Old, later.Until = false, noon.Add(2*time.Hour)
	for _, u := range []Use{present, later} {
		use(counts, u, 5*time.Minute)
	}
	use(another, old, 5*time.Minute)
	const want = "password/old/00 1 5m0s; password/old/00 1 5m0s; password/old/00 8 4m0s; password/new/00 1 5m0s; "
	if have := stored(5 * time.Minute); have != want {
		t.Errorf("%s, want %s", have, want)
	}
	if have := stored(time.Hour); have != "password/old/00 1 5m0s; " {
		t.Errorf("when the overlap has ended: %s", have)
	}
}
