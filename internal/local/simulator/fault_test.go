package simulator

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const noticeTo = "http://receiver/notice"

// faultTests are what a caller and the receiver of notices see of each fault of an approved charge.
var faultTests = []struct {
	fault   Fault
	fails   bool          // the first request has no good response
	status  int           // of the first response; 0: there is none, or not in time
	after   time.Duration // when the first request is over
	waiting bool          // not executed by the first request
	notices string        // until two hours later
}{
	{NeverResponds, true, 0, callerWaits, false, "approved"},
	{RespondsLate, true, 0, callerWaits, false, "approved"},
	{ReportsTwice, false, 200, 0, false, "approved"},
	{DropsConnection, true, 0, 0, false, "approved"},
	{LosesRequest, true, 0, 0, true, "approved"},
	{NoticeFirst, false, 200, 0, false, "approved"},
	{NoticesDoubled, false, 200, 0, false, "approved, approved"},
	{NoticesDisorder, false, 200, 0, false, "approved"},
	{BrokenJSON, true, 200, 0, false, "approved"},
	{WrongSignature, false, 200, 0, false, "approved forged, approved"},
	{TooManyRequests, true, 429, 0, true, "approved"},
	{ServerError, true, 500, 0, false, "approved"},
	{SlowDrip, true, 200, callerWaits, false, "approved"},
	{FailsLater, false, 200, 0, false, "approved, reversed"},
	{OtherAmount, false, 200, 0, false, "approved"},
	{FoundLate, true, 502, 0, false, "approved"},
}

// TestFaults chooses each fault by an amount, by a card and by a control call, and repeats the request with the same
// reference: it is executed once.
func TestFaults(t *testing.T) {
	if len(faultTests) != len(faultsExplained) {
		t.Fatal("not every fault is tested")
	}
	for _, test := range faultTests {
		for by, q := range faultRequests(test.fault) {
			t.Run(string(test.fault)+" by "+by, func(t *testing.T) {
				inBubble(t, Options{}, func(t *testing.T, b *bench) {
					if by == "call" {
						status, text := b.control("POST", "/control/next", fmt.Sprintf(`{"kind":"charge","fault":%q}`, test.fault))
						if status != http.StatusNoContent {
							t.Fatal(status, text)
						}
					}
					q.Kind, q.Reference, q.Notice = Charge, "r1", noticeTo
					_, response, err := b.post(q)
					status := 0
					if response != nil {
						status = response.StatusCode
					}
					if (err != nil) != test.fails || status != test.status || time.Since(b.start) != test.after {
						t.Errorf("%v, status %d after %s", err, status, time.Since(b.start))
					}
					if test.fault == TooManyRequests && response.Header.Get("Retry-After") != "1" {
						t.Error("no Retry-After")
					}
					if n := len(b.simulator.Operations()); (n == 0) != test.waiting {
						t.Errorf("%d executed", n)
					}
					if test.fault == FoundLate {
						time.Sleep(foundLate)
					}
					moved := b.must(q).Moved
					if other := moved != q.Amount; other != (test.fault == OtherAmount) {
						t.Errorf("%s of %s moved", moved, q.Amount)
					}
					if got := b.told(2 * time.Hour); got != test.notices {
						t.Errorf("notices %s, not %s", got, test.notices)
					}
					if n := len(b.simulator.Operations()); n != 1 {
						t.Errorf("%d executed", n)
					}
				})
			})
		}
	}
}

func faultRequests(f Fault) map[string]plainRequest {
	for _, c := range choices {
		if c.fault == f {
			return map[string]plainRequest{
				"amount": {Amount: "1" + c.amount}, "card": {Amount: "1000", Card: c.card}, "call": {Amount: "1000"},
			}
		}
	}
	return nil
}

// TestNoticesAreTimed looks at when notices come beside the response, and beside later ones.
func TestNoticesAreTimed(t *testing.T) {
	charge := func(fault Fault, step Step) plainRequest {
		q := faultRequests(fault)["amount"]
		q.Kind, q.Reference, q.Notice, q.Step = Charge, "r1", noticeTo, step
		return q
	}
	t.Run("first", func(t *testing.T) {
		inBubble(t, Options{}, func(t *testing.T, b *bench) {
			b.must(charge(NoticeFirst, NoStep))
			if b.mu.Lock(); len(b.notices) != 1 { // without waiting
				t.Error("the notice is not there when the response is")
			}
			b.mu.Unlock()
		})
	})
	t.Run("at the same moment", func(t *testing.T) {
		inBubble(t, Options{}, func(t *testing.T, b *bench) {
			b.must(charge(ReportsTwice, NoStep))
			if b.told(time.Hour); len(b.times) != 1 || b.times[0] != 0 {
				t.Error(b.times)
			}
		})
	})
	t.Run("out of order", func(t *testing.T) {
		inBubble(t, Options{}, func(t *testing.T, b *bench) {
			o := b.must(charge(NoticesDisorder, StepPage))
			time.Sleep(time.Second)
			b.press(o.ID, map[string][]string{"choice": {"approve"}})
			if got := b.told(time.Hour); got != "approved, waiting" {
				t.Error(got)
			}
		})
	})
	t.Run("again until taken", func(t *testing.T) {
		inBubble(t, Options{}, func(t *testing.T, b *bench) {
			b.status = http.StatusServiceUnavailable
			b.must(plainRequest{Kind: Charge, Reference: "r1", Amount: "1000", Notice: noticeTo})
			if got := b.told(time.Hour); strings.Count(got, "approved") != noticeTries {
				t.Error(got)
			}
			tries := b.simulator.Notices()
			for i, n := range tries {
				if n.Try != i+1 || n.Status != b.status || n.State != Approved || n.Reference != "r1" {
					t.Errorf("%+v", n)
				}
			}
			if want := b.start.Add(noticeAfter + 31*noticeAgain); len(tries) != noticeTries || !tries[5].At.Equal(want) {
				t.Errorf("%d tries, the last at %s", len(tries), tries[len(tries)-1].At)
			}
		})
	})
}

// TestOtherRequestsFail lets a look-up fail, which no charge before it does.
func TestOtherRequestsFail(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, b *bench) {
		b.control("POST", "/control/next", `{"kind":"other","fault":"server_error"}`)
		b.must(plainRequest{Kind: Charge, Reference: "r1", Amount: "1000"})
		for _, want := range []int{500, 200} {
			if status, text := b.control("GET", "/plain/operations/r1", ""); status != want {
				t.Errorf("%d %s, not %d", status, text, want)
			}
		}
	})
}

// byChance charges by chance, some at the same time, and returns what happened to each reference.
func byChance(t *testing.T, seed uint64, together int) map[string]string {
	happened := map[string]string{}
	inBubble(t, Options{Seed: seed, Chance: 40}, func(_ *testing.T, b *bench) {
		var work sync.WaitGroup
		for first := range together {
			work.Go(func() {
				for i := first; i < 200; i += together {
					_, _, _ = b.post(plainRequest{Kind: Charge, Reference: fmt.Sprint("r", i), Amount: "1000"})
				}
			})
		}
		work.Wait()
		synctest.Wait()
		for _, r := range b.simulator.Requests() {
			for i := range 200 {
				if strings.Contains(r.Body, fmt.Sprintf(`"r%d"`, i)) {
					happened[fmt.Sprint("r", i)] = string(r.Fault)
				}
			}
		}
		for _, o := range b.simulator.Operations() {
			happened[o.Reference] += " " + o.ID + " " + o.Moved.Minor()
		}
	})
	return happened
}

// TestSeed runs the same charges one by one and eight at once: the same seed leads to the same faults and ids.
func TestSeed(t *testing.T) {
	one, eight, other := byChance(t, 7, 1), byChance(t, 7, 8), byChance(t, 8, 1)
	if len(one) != 200 || fmt.Sprint(one) != fmt.Sprint(eight) {
		t.Errorf("%v\n%v", one, eight)
	}
	if fmt.Sprint(one) == fmt.Sprint(other) {
		t.Error("another seed leads to the same")
	}
	seen := map[string]int{}
	for _, happened := range one {
		fault, _, _ := strings.Cut(happened, " ")
		seen[fault]++
	}
	if faulty := 200 - seen[""]; faulty < 50 || faulty > 110 {
		t.Errorf("%d of 200 have a fault, at a chance of 40 in 100", faulty)
	}
	for _, f := range faultsExplained {
		if seen[string(f.Fault)] == 0 {
			t.Errorf("%s never happens", f.Fault)
		}
	}
}

// TestCardsAreCards checks the check digits of the cards that choose.
func TestCardsAreCards(t *testing.T) {
	for _, c := range choices {
		sum := 0
		for i := range c.card {
			digit := int(c.card[len(c.card)-1-i] - '0')
			if i%2 == 1 {
				digit *= 2
			}
			sum += digit/10 + digit%10
		}
		if len(c.card) != 16 || sum%10 != 0 || c.happens() == "" || len(c.amount) != 3 {
			t.Errorf("%+v", c)
		}
	}
}
