package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/metric"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/store/storetest"

	"pgregory.net/rapid"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

// documents makes n documents of any kind, or all of one, which are due soon or have been for a while. Some have a
// queue that fails.
func documents(random *rand.Rand, n int) []store.Record {
	kinds := append(slices.Clone(store.DueKinds), "later-release")
	if random.IntN(2) == 0 {
		i := random.IntN(len(kinds))
		kinds = kinds[i : i+1]
	}
	records := make([]store.Record, n)
	for i := range records {
		kind := kinds[random.IntN(len(kinds))]
		key := store.Key{Partition: fmt.Sprintf("order/%015x", i), Sort: fmt.Sprintf("o/%016x/payment", i)}
		if kind == store.DueCallback || kind == store.DueCallback.Of(true) {
			key.Sort = fmt.Sprintf("callback/%016x/%06d", i, random.IntN(3))
		}
		at := noon.Add(time.Duration(random.IntN(200)-150) * time.Second)
		records[i] = store.Record{Key: key, Doc: []byte(`{}`), DueKind: kind, DueAt: at}
	}
	return records
}

// cursors makes cursors of some kinds, each with some shards that continue after a document, or after one that is gone.
func cursors(random *rand.Rand, records []store.Record) []store.Record {
	var all []store.Record
	for _, kind := range store.DueKinds {
		after := map[int]store.DueEntry{}
		for _, r := range records {
			if r.DueKind == kind && random.IntN(5) == 0 {
				after[store.DueShard(kind, r.Key)] = store.DueEntry{Key: r.Key, At: r.DueAt}
			}
		}
		if random.IntN(3) == 0 {
			after[random.IntN(kind.Shards())] = store.DueEntry{Key: store.Key{Partition: "gone", Sort: "gone"}, At: noon}
		}
		if len(after) > 0 {
			all = append(all, store.Encode(store.SweepKey(kind), 0, cursor{After: after}))
		}
	}
	return all
}

// scanning is a sweep by one scan or by queries, with its store and what it has sent.
type scanning struct {
	Sweep
	docs *storetest.Scripted
	log  bytes.Buffer
	mu   sync.Mutex
	sent []string // batches
}

func newScanning(t rapid.TB, records []store.Record) *scanning {
	t.Helper()
	s := &scanning{docs: &storetest.Scripted{Store: memory.NewStore()}}
	for some := range slices.Chunk(records, 100) {
		if err := s.docs.Store.Save(context.Background(), noon, some...); err != nil {
			t.Fatal(err)
		}
	}
	log := slog.New(slog.NewTextHandler(&s.log, nil))
	s.Sweep = Sweep{Meter: metric.Meter{Log: log, Now: func() time.Time { return noon }}, Store: s.docs, Send: s.sends}
	return s
}

func (s *scanning) sends(_ context.Context, kind store.DueKind, test bool, batch []Due) (refused int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, fmt.Sprint(kind, test, batch))
	return 0, nil
}

// count returns how many documents were sent.
func (s *scanning) count() (n int) {
	for _, batch := range s.sent {
		n += strings.Count(batch, "-8")
	}
	return n
}

// outcome is what a sweep has sent, measured and stored, and its error.
func (s *scanning) outcome(t rapid.TB, err error) string {
	t.Helper()
	slices.Sort(s.sent)
	lines := append(s.sent, fmt.Sprint(err))
	for line := range strings.Lines(s.log.String()) {
		if _, line, _ := strings.Cut(line, " "); strings.HasPrefix(line, "level=INFO msg=due ") { // without its time
			lines = append(lines, line)
		}
	}
	for _, kind := range store.DueKinds {
		r, err := store.GetOne(context.Background(), s.docs.Store, noon, store.SweepKey(kind))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %d %s", kind, r.Version, r.Doc))
	}
	return strings.Join(lines, "\n")
}

var errQueue = errors.New("the queue can't be reached")

// A sweep by one scan sends the same batches, leaves the same cursors and measures the same as one by queries: for
// documents of all kinds, with cursors anywhere, with a queue that refuses some messages or fails.
func TestScanSendsWhatQueriesSend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		records := documents(random, rapid.SampledFrom([]int{0, 1, 30, 300, maxScanned - 1}).Draw(t, "documents"))
		records = append(records, cursors(random, records)...)
		fails := rapid.SampledFrom([]string{"none", "a3-", "5-"}).Draw(t, "fails")
		outcome := func(scans bool) string {
			s := newScanning(t, records)
			s.Send = func(ctx context.Context, kind store.DueKind, test bool, batch []Due) (int, error) {
				if slices.ContainsFunc(batch, func(d Due) bool { return strings.Contains(d.PaymentID, fails) }) {
					return 0, errQueue
				}
				_, _ = s.sends(ctx, kind, test, batch)
				return len(batch) / 3, nil
			}
			s.docs.Before = func(request string) error {
				if request == "due all" && !scans {
					return storetest.ErrFails
				}
				return nil
			}
			err := s.Run(t.Context())
			queried := slices.ContainsFunc(s.docs.Requests(), func(r string) bool {
				return strings.HasPrefix(r, "due ") && r != "due all"
			})
			if queried == scans || strings.Contains(s.log.String(), "left to queries") == scans {
				t.Errorf("it scans: %v, it queries: %v; log: %s", scans, queried, &s.log)
			}
			return s.outcome(t, err)
		}
		if got, want := outcome(true), outcome(false); got != want {
			t.Errorf("by one scan:\n%s\nby queries:\n%s", got, want)
		}
	})
}

// A listing with too many entries is left to queries, which send all that is due.
func TestLongListingIsQueried(t *testing.T) {
	for n, scans := range map[int]bool{maxScanned - 1: true, maxScanned + 1: false} {
		records := documents(rand.New(rand.NewPCG(1, 0)), n)
		for i := range records {
			records[i].DueKind, records[i].DueAt = store.DueChain.Of(i%2 > 0), noon
		}
		s := newScanning(t, records)
		if err := s.Run(t.Context()); err != nil || s.count() != n {
			t.Errorf("%d of %d were sent: %v", s.count(), n, err)
		}
		requests := slices.DeleteFunc(s.docs.Requests(), func(r string) bool { return !strings.HasPrefix(r, "due ") })
		if (len(requests) == 1) != scans {
			t.Errorf("%d entries took the requests %q", n, requests)
		}
	}
}

// A scan that does not end is given up, and leaves the queries their time.
func TestScanThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScanning(t, documents(rand.New(rand.NewPCG(2, 0)), 300))
		s.Store = hanging{s.docs}
		began := time.Now()
		if err := s.Run(t.Context()); err != nil || len(s.sent) == 0 || time.Since(began) != scanTime {
			t.Errorf("after %s: %v, %q", time.Since(began), err, s.sent)
		}
	})
}

// hanging is a store whose scan does not end by itself.
type hanging struct{ store.Store }

func (hanging) AllDue(ctx context.Context, _ int) (store.DueListing, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A sweep by one scan ends when its time is over, as one by queries does, and the next one continues there.
func TestScanAndTime(t *testing.T) {
	records := documents(rand.New(rand.NewPCG(3, 0)), maxScanned-1)
	for i := range records {
		records[i].DueKind, records[i].DueAt = store.DueChain, noon
	}
	outcomes := map[string]bool{}
	for _, scans := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := newScanning(t, records)
			s.docs.Before = func(request string) error {
				if request == "due all" && !scans {
					return storetest.ErrFails
				}
				return nil
			}
			s.Send = func(ctx context.Context, kind store.DueKind, test bool, batch []Due) (int, error) {
				time.Sleep(3 * time.Second)
				return s.sends(ctx, kind, test, batch)
			}
			var all string
			for sweep := range 4 {
				err := s.Run(t.Context())
				all += s.outcome(t, err)
				if n := s.count(); n < min(len(records), 300*(sweep+1)) || n > 350*(sweep+1) {
					t.Errorf("%d were sent after %d sweeps", n, sweep+1)
				}
			}
			outcomes[all] = true
		})
	}
	if len(outcomes) != 1 {
		t.Errorf("a scan and queries differ: %v", outcomes)
	}
}
