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

// lossy is a network that loses the first responses, or the first requests.
type lossy struct {
	responses, requests int    // how many are lost
	meanwhile           func() // called after each loss, before the sender gets its error
	lost                atomic.Int64
}

var errLost = errors.New("connection lost")

func (l *lossy) RoundTrip(request *http.Request) (*http.Response, error) {
	lose := l.lost.Add(1) <= int64(l.responses+l.requests)
	if lose && l.requests > 0 {
		request.Body.Close()
		return nil, l.loss()
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || !lose {
		return response, err
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
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
	return &scene{
		T:       t,
		good:    NewStore(newClient(t, nil), tables, rand.Text),
		bad:     NewStore(newClient(t, network), tables, rand.Text),
		network: network,
	}
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
			s.Errorf("%s is version %d %q, want version %d %q (%v)",
				w.Key.Sort, got[0].Version, got[0].Doc, w.Version, w.Doc, err)
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
		s.Errorf("Save returned %v, want a conflict on %v", err, keys)
	}
}

func version(r store.Record, v int64, doc string) store.Record {
	r.Version, r.Doc = v, []byte(doc)
	return r
}

// records returns what a test saves: n documents to be added or, with stored, documents of version 2 to be replaced.
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

// A deletion succeeds after lost requests and lost responses, alone and together with another document.
func TestLostResponseOfADeletion(t *testing.T) {
	for _, lost := range []struct{ responses, requests int }{{2, 0}, {0, 2}} {
		for _, alone := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d responses, %d requests, alone %v", lost.responses, lost.requests, alone), func(t *testing.T) {
				s := newScene(t)
				card, payment := sealed("card", "old"), record("payment", "ours")
				s.save(card, sealed("other", "theirs"))
				gone := card
				gone.Delete = true
				records := []store.Record{gone, payment}
				if alone {
					records = records[:1]
				}
				s.network.responses, s.network.requests = lost.responses, lost.requests
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

func TestLostResponseOfOurWrite(t *testing.T) {
	for lost := 1; lost <= 2; lost++ {
		eachKind(t, func(s *scene, records []store.Record) {
			s.network.responses = lost
			if err := s.bad.Save(s.Context(), noon, records...); err != nil {
				s.Fatalf("with %d responses lost: %v", lost, err)
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

func TestEveryResponseLost(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		s.network.responses = 100
		err := s.bad.Save(s.Context(), noon, records...)
		var conflict *store.ConflictError
		if err == nil || errors.As(err, &conflict) {
			s.Fatalf("Save returned %v, want an error that is no conflict", err)
		}
		for _, r := range records { // written, though the caller could not know
			s.stored(version(r, r.Version+1, "ours"))
		}
	})
}

func TestLostResponseOfAConflict(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		last := records[len(records)-1]
		theirs := version(last, last.Version, "theirs")
		s.save(theirs)
		s.network.responses = 2
		s.conflict(s.bad.Save(s.Context(), noon, records...), last)
		s.stored(version(last, last.Version+1, "theirs"))
	})
}

// The request is lost, and somebody else saves before it is repeated.
func TestLostRequestThenTheirs(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		last := records[len(records)-1]
		s.network.requests = 1
		s.network.meanwhile = func() { s.save(version(last, last.Version, "theirs")) }
		s.conflict(s.bad.Save(s.Context(), noon, records...), last)
		s.stored(version(last, last.Version+1, "theirs"))
	})
}

// Our write succeeds, its response is lost, and before the repeat somebody reads our document and saves the next
// version, which overwrites our writer id. DynamoDB recognises a repeated transaction by its token, so that is a
// success. A PutItem has no token: its outcome is unknown, and it must not be reported as a conflict.
func TestLostResponseThenTheirs(t *testing.T) {
	eachKind(t, func(s *scene, records []store.Record) {
		last := records[len(records)-1]
		s.network.responses = 1
		s.network.meanwhile = func() { s.save(version(last, last.Version+1, "theirs")) }
		err := s.bad.Save(s.Context(), noon, records...)
		if len(records) > 1 && err != nil {
			s.Errorf("a transaction returned %v", err)
		}
		if len(records) == 1 && !errors.Is(err, errUnknown) {
			s.Errorf("a PutItem returned %v", err)
		}
		s.stored(version(last, last.Version+2, "theirs"))
	})
}

// The stored version is the same as above, but our write never arrived: the request was lost, and two others saved. A
// PutItem can't tell the two cases apart.
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
		} else if !errors.Is(err, errUnknown) {
			s.Errorf("a PutItem returned %v", err)
		}
		s.stored(version(last, last.Version+2, "theirs"))
	})
}

// Without lost requests an outdated version is always a conflict, however old it is.
func TestOldVersionIsAConflict(t *testing.T) {
	s := newScene(t)
	r := s.records(1, true)[0]
	for v := r.Version; v < 6; v++ {
		s.save(version(r, v, "theirs"))
	}
	s.conflict(s.bad.Save(s.Context(), noon, r), r)
	s.conflict(s.bad.Save(s.Context(), noon, version(r, 0, "ours")), r)
}
