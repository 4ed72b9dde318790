package dynamo

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"checkout/internal/store"
)

// lossy is a network that loses the first answers, or the first requests.
type lossy struct {
	answers, requests int    // how many are lost
	meanwhile         func() // is done each time, before the sender knows
	lost              atomic.Int64
}

var errLost = errors.New("connection lost")

func (l *lossy) RoundTrip(request *http.Request) (*http.Response, error) {
	lose := l.lost.Add(1) <= int64(l.answers+l.requests)
	if lose && l.requests > 0 {
		request.Body.Close()
		return nil, l.loss()
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || !lose {
		return answer, err
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	return nil, l.loss()
}

func (l *lossy) loss() error {
	if l.meanwhile != nil {
		l.meanwhile()
	}
	return errLost
}

// scene is two tables with a store on a good network and one on a lossy network.
type scene struct {
	*testing.T
	good, bad *Store
	network   *lossy
}

func newScene(t *testing.T) *scene {
	tables, network := newTables(t), &lossy{}
	return &scene{t, NewStore(newClient(t, nil), tables, rand.Text), NewStore(newClient(t, network), tables, rand.Text), network}
}

func (s *scene) save(records ...store.Record) {
	s.Helper()
	if err := s.good.Save(s.Context(), noon, records...); err != nil {
		s.Fatal(err)
	}
}

func (s *scene) stored(want ...store.Record) {
	s.Helper()
	for _, w := range want {
		got, err := s.good.Get(s.Context(), noon, w.Key)
		if err != nil || got[0].Version != w.Version || string(got[0].Doc) != string(w.Doc) {
			s.Errorf("%s is version %d %q, want version %d %q (%v)", w.Key.Sort, got[0].Version, got[0].Doc, w.Version, w.Doc, err)
		}
	}
}

// conflict checks that err is a conflict on exactly records.
func (s *scene) conflict(err error, records ...store.Record) {
	s.Helper()
	var keys []store.Key
	for _, r := range records {
		keys = append(keys, r.Key)
	}
	var conflict *store.ConflictError
	if !errors.As(err, &conflict) || !slices.Equal(conflict.Keys, keys) {
		s.Errorf("Save answered %v, want a conflict on %v", err, keys)
	}
}

func version(r store.Record, v int64, doc string) store.Record {
	r.Version, r.Doc = v, []byte(doc)
	return r
}

// records are what a test saves: n documents to be added, or, with stored,
// documents of version 2 to be replaced.
func (s *scene) records(n int, stored bool) []store.Record {
	s.Helper()
	var records []store.Record
	for i := range n {
		records = append(records, record(fmt.Sprint(i), "old"))
	}
	if stored {
		s.save(records...)
		for i := range records {
			records[i].Version = 1
		}
		s.save(records...)
	}
	for i := range records {
		records[i] = version(records[i], 2*records[i].Version, "ours")
	}
	return records
}

// Whatever is lost of a deletion, beside another document or alone, afterwards it is done.
func TestLostAnswerOfADeletion(t *testing.T) {
	for _, lost := range []struct{ answers, requests int }{{2, 0}, {0, 2}} {
		for _, alone := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d answers, %d requests, alone %v", lost.answers, lost.requests, alone), func(t *testing.T) {
				s := newScene(t)
				card, payment := sealed("card", "old"), record("payment", "ours")
				s.save(card, sealed("other", "theirs"))
				gone := card
				gone.Delete = true
				records := []store.Record{gone, payment}
				if alone {
					records = records[:1]
				}
				s.network.answers, s.network.requests = lost.answers, lost.requests
				if err := s.bad.Save(s.Context(), noon, records...); err != nil {
					t.Fatal(err)
				}
				s.stored(version(card, 0, ""), version(sealed("other", ""), 1, "theirs"))
				if !alone {
					s.stored(version(payment, 1, "ours"))
				}
			})
		}
	}
}

func eachKind(t *testing.T, run func(*scene, []store.Record)) {
	for _, n := range []int{1, 3} {
		for _, stored := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d documents, stored %v", n, stored), func(t *testing.T) {
				s := newScene(t)
				run(s, s.records(n, stored))
			})
		}
	}
}

func TestLostAnswerOfOurWrite(t *testing.T) {
	for lost := 1; lost <= 2; lost++ {
		eachKind(t, func(s *scene, records []store.Record) {
			s.network.answers = lost
			if err := s.bad.Save(s.Context(), noon, records...); err != nil {
				s.Fatalf("with %d answers lost: %v", lost, err)
			}
			for _, r := range records {
				s.stored(version(r, r.Version+1, "ours"))
			}
			s.conflict(s.bad.Save(s.Context(), noon, records...), records...) // a new Save is a new writer
		})
	}
}

func TestLostRequest(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		s.network.requests = 2
		if err := s.bad.Save(s.Context(), noon, records...); err != nil {
			s.Fatal(err)
		}
		for _, r := range records {
			s.stored(version(r, r.Version+1, "ours"))
		}
	})
}

func TestEveryAnswerLost(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		s.network.answers = 100
		err := s.bad.Save(s.Context(), noon, records...)
		var conflict *store.ConflictError
		if err == nil || errors.As(err, &conflict) {
			s.Fatalf("Save answered %v, want an error that is no conflict", err)
		}
		for _, r := range records { // carried out, though nobody was told
			s.stored(version(r, r.Version+1, "ours"))
		}
	})
}

func TestLostAnswerOfAConflict(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		last := records[len(records)-1]
		theirs := version(last, last.Version, "theirs")
		s.save(theirs)
		s.network.answers = 2
		s.conflict(s.bad.Save(s.Context(), noon, records...), last)
		s.stored(version(last, last.Version+1, "theirs"))
	})
}

// The request is lost, and somebody else is faster than its repeat.
func TestLostRequestThenTheirs(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		last := records[len(records)-1]
		s.network.requests = 1
		s.network.meanwhile = func() { s.save(version(last, last.Version, "theirs")) }
		s.conflict(s.bad.Save(s.Context(), noon, records...), last)
		s.stored(version(last, last.Version+1, "theirs"))
	})
}

// Our write is done, its answer is lost, and before the repeat somebody
// reads our document and saves the next version: the trace of our write is
// gone. DynamoDB remembers a transaction, so that is a success. It remembers
// no PutItem: nobody knows, which is not called a conflict.
func TestLostAnswerThenTheirs(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		last := records[len(records)-1]
		s.network.answers = 1
		s.network.meanwhile = func() { s.save(version(last, last.Version+1, "theirs")) }
		err := s.bad.Save(s.Context(), noon, records...)
		if len(records) > 1 && err != nil {
			s.Errorf("a transaction answered %v", err)
		}
		if len(records) == 1 && !errors.Is(err, ErrUnknown) {
			s.Errorf("a PutItem answered %v", err)
		}
		s.stored(version(last, last.Version+2, "theirs"))
	})
}

// The same end, but ours was never done: the request was lost, and two
// others saved. A PutItem can't tell that from the case above.
func TestLostRequestThenTwoOfTheirs(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		last := records[len(records)-1]
		s.network.requests = 1
		s.network.meanwhile = func() {
			s.save(version(last, last.Version, "theirs"))
			s.save(version(last, last.Version+1, "theirs"))
		}
		err := s.bad.Save(s.Context(), noon, records...)
		if len(records) > 1 {
			s.conflict(err, last)
		} else if !errors.Is(err, ErrUnknown) {
			s.Errorf("a PutItem answered %v", err)
		}
		s.stored(version(last, last.Version+2, "theirs"))
	})
}

// A network without losses leaves no doubt, however old the version that was read.
func TestOldVersionIsAConflict(t *testing.T) {
	s := newScene(t)
	r := s.records(1, true)[0]
	for v := r.Version; v < 6; v++ {
		s.save(version(r, v, "theirs"))
	}
	s.conflict(s.bad.Save(s.Context(), noon, r), r)
	s.conflict(s.bad.Save(s.Context(), noon, version(r, 0, "ours")), r)
}
