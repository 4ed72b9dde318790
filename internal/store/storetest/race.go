package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"checkout/internal/store"
)

// atOnce runs do for 0 to n-1, all at the same time.
func atOnce(n int, do func(i int)) {
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		group.Go(func() { <-start; do(i) })
	}
	close(start)
	group.Wait()
}

// won reports whether a save succeeded. An error other than a conflict fails the test.
func (s *suite) won(records ...store.Record) bool {
	err := s.store.Save(s.ctx, noon, records...)
	var conflict *store.ConflictError
	if err != nil && !errors.As(err, &conflict) {
		s.Error(err)
	}
	return err == nil
}

func oneWinner(s *suite) {
	var winner, winners atomic.Int64
	atOnce(200, func(i int) {
		if s.won(document("a", fmt.Sprintf(`{"writer":%d}`, i))) {
			winner.Store(int64(i))
			winners.Add(1)
		}
	})
	if winners.Load() != 1 {
		s.Fatalf("%d of 200 adds of one key won", winners.Load())
	}
	want := document("a", fmt.Sprintf(`{"writer":%d}`, winner.Load()))
	want.Version = 1
	s.stored(noon, want)
}

func oneWinnerOfSeveral(s *suite) {
	var winner, winners atomic.Int64
	docs := func(i int) []store.Record {
		doc := fmt.Sprintf(`{"writer":%d}`, i)
		return []store.Record{document("taken", doc), document(fmt.Sprint("own", i), doc)}
	}
	atOnce(40, func(i int) {
		if s.won(docs(i)...) {
			winner.Store(int64(i))
			winners.Add(1)
		}
	})
	if winners.Load() != 1 {
		s.Fatalf("%d of 40 adds of one key won", winners.Load())
	}
	want := docs(int(winner.Load()))
	want[0].Version, want[1].Version = 1, 1
	s.same(s.get(noon, want[0].Key, want[1].Key), want...)
	if left := s.list(noon, store.Query{Partition: "order/0123", Prefix: "own", Limit: 100}); len(left) != 1 {
		s.Errorf("%d saves left something behind, want 1", len(left))
	}
}

const (
	writers = 8
	rounds  = 10
)

// change changes the numbers of documents.
func (s *suite) change(by func(numbers []int), keys ...store.Key) {
	update := store.Update{
		Doing: "count", Store: s.store, Now: func() time.Time { return noon }, Tries: writers * rounds,
	}
	err := update.Do(s.ctx, func(now time.Time) ([]store.Record, error) {
		records, err := s.store.Get(s.ctx, now, keys...)
		if err != nil {
			return nil, err
		}
		numbers := make([]int, len(records))
		for i, r := range records {
			numbers[i], _ = strconv.Atoi(string(r.Doc))
		}
		by(numbers)
		for i := range records {
			records[i].Doc = strconv.AppendInt(nil, int64(numbers[i]), 10)
		}
		return records, nil
	})
	if err != nil {
		s.Error(err)
	}
}

func counters(s *suite) {
	atOnce(writers, func(i int) {
		for range rounds {
			s.change(func(n []int) { n[0]++ }, key("counter"))
		}
	})
	want := document("counter", strconv.Itoa(writers*rounds))
	want.Version = writers * rounds
	s.stored(noon, want)
}

// transfers moves money between three accounts, two in each save. The total must stay the same.
func transfers(s *suite) {
	accounts := []store.Record{document("0", "1000"), document("1", "1000"), document("2", "1000")}
	s.save(noon, accounts...)
	atOnce(writers, func(i int) {
		for round := range rounds {
			from, to := i%3, (i+1+round%2)%3
			s.change(func(n []int) { n[0]--; n[1]++ }, key(strconv.Itoa(from)), key(strconv.Itoa(to)))
		}
	})
	sum, versions := 0, int64(0)
	for _, r := range s.get(noon, key("0"), key("1"), key("2")) {
		n, _ := strconv.Atoi(string(r.Doc))
		sum, versions = sum+n, versions+r.Version
	}
	if sum != 3000 || versions != 3+2*writers*rounds {
		s.Errorf("the accounts hold %d after %d saves, want 3000 after %d", sum, versions, 3+2*writers*rounds)
	}
}
