package checkout

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/store/storetest"
)

// openFor returns an open session of a length that withholds no callback.
func openFor(length time.Duration) *Session {
	s := &Session{ID: aSession, State: SessionOpen, CreatedAt: paidAt, ExpiresAt: paidAt.Add(length), MaxDeclines: 3}
	s.Request.Owner = fault.Owner{Merchant: "shop"}
	return s
}

// A payer is given as much time again, once, and never more than any session may have.
func TestMoreTime(t *testing.T) {
	for name, test := range map[string]struct {
		minutes int
		change  func(s *Session)
		left    time.Duration // at the time of asking
		want    time.Duration // that the session lasts then
	}{
		"an hour":                 {60, nil, 2 * time.Minute, 2 * time.Hour},
		"at once":                 {60, nil, time.Hour, 2 * time.Hour},
		"the shortest":            {1, nil, 50 * time.Second, 2 * time.Minute},
		"as long as can be":       {360, nil, time.Minute, 720 * time.Minute},
		"more than half of that":  {700, nil, time.Minute, 720 * time.Minute},
		"all of that":             {720, nil, time.Minute, 720 * time.Minute},
		"in time":                 {60, nil, endsWithin + time.Millisecond, 2 * time.Hour},
		"too late":                {60, nil, endsWithin, time.Hour},
		"a second before the end": {60, nil, time.Second, time.Hour},
		"at the end":              {60, nil, 0, time.Hour},
		"after the end":           {60, nil, -time.Minute, time.Hour},
		"twice":                   {60, func(s *Session) { s.Extension = &Extension{} }, time.Minute, time.Hour},
		"while a payment is made": {60, func(s *Session) { s.State = SessionProcessing }, time.Minute, time.Hour},
		"paid":                    {60, func(s *Session) { s.State = SessionComplete }, time.Minute, time.Hour},
		"cancelled":               {60, func(s *Session) { s.State = SessionCancelled }, time.Minute, time.Hour},
		"held":                    {60, func(s *Session) { s.Contradicted = []string{"p"} }, time.Minute, time.Hour},
		"no more than a lock":     {60, func(s *Session) { s.State = "" }, time.Minute, time.Hour},
		"ended by an operator":    {60, func(s *Session) { s.Expire(paidAt.Add(time.Minute)) }, time.Minute, time.Minute},
		"longer than any may be":  {720 * 2, nil, time.Minute, 720 * 2 * time.Minute},
	} {
		s := openFor(time.Duration(test.minutes) * time.Minute)
		if test.change != nil {
			test.change(s)
		}
		now := paidAt.Add(time.Duration(test.minutes)*time.Minute - test.left)
		was, offered := s.ExpiresAt, s.MoreTimeWithin(now) > 0
		extended, records, err := (&Core{Store: memory.NewStore()}).Extend(t.Context(), now, s)
		if got := s.ExpiresAt.Sub(s.CreatedAt); err != nil || got != test.want || len(records) != 0 {
			t.Errorf("%s: it lasts %s, want %s; %v", name, got, test.want, err)
		}
		if moved := s.ExpiresAt.After(was); extended != moved || offered != moved {
			t.Errorf("%s: offered %t, extended %t, moved %t", name, offered, extended, moved)
		}
		if extended && (*s.Extension != Extension{At: now, Before: was} || s.MoreTimeWithin(now) != 0) {
			t.Errorf("%s: it can be extended again", name)
		}
		if r := s.Record(); !r.ExpiresAt.Equal(s.ExpiresAt.Add(sessionTTL + lingers)) {
			t.Errorf("%s: it is stored until %s", name, r.ExpiresAt)
		}
	}
}

// The decline that a session withholds moves with its end. Once that was sent, the session's payer gets no more time.
func TestMoreTimeMovesTheWithheldCallback(t *testing.T) {
	end := paidAt.Add(time.Hour)
	for name, test := range map[string]struct {
		session  string // whose end the callback waits for
		extended bool
	}{
		"withheld": {aSession, true}, "sent": {"", false},
	} {
		docs := memory.NewStore()
		core, s := &Core{Store: docs}, openFor(time.Hour)
		s.PaymentID, s.WithheldSeq = aPayment, 2
		c := &callback.Callback{PaymentID: aPayment, Seq: 2, State: callback.Waiting, SessionID: test.session,
			Fields: callback.Fields{{Name: "id", Value: aPayment}}, NextAt: end}
		if err := docs.Save(t.Context(), paidAt, c.Record(end), s.Record()); err != nil {
			t.Fatal(err)
		}
		now := end.Add(-time.Minute)
		s, err := core.Session(t.Context(), now, aSession)
		if err != nil {
			t.Fatal(err)
		}
		extended, records, err := core.Extend(t.Context(), now, s)
		if err != nil || extended != test.extended || s.ExpiresAt.After(end) != test.extended {
			t.Errorf("%s: extended %t until %s, %v", name, extended, s.ExpiresAt, err)
		}
		if !extended {
			continue
		}
		if err := docs.Save(t.Context(), now, append(records, s.Record())...); err != nil {
			t.Fatal(err)
		}
		r, moved := records[0], &callback.Callback{}
		if err := r.Decode(moved); err != nil || !r.DueAt.Equal(s.overAt()) || !moved.NextAt.Equal(s.overAt()) ||
			moved.SessionID != aSession {
			t.Errorf("%s: it is due %s: %+v, %v", name, r.DueAt, moved, err)
		}
		// Whoever has read the callback before can't store that it was sent: it is another one.
		c.SessionID = ""
		if err := docs.Save(t.Context(), now, c.Record(now)); !store.IsConflict(err) {
			t.Errorf("%s: the old callback is stored: %v", name, err)
		}
	}
	script := &storetest.Scripted{Store: memory.NewStore(), Before: func(string) error { return errors.New("it fails") }}
	s := openFor(time.Hour)
	s.PaymentID, s.WithheldSeq = aPayment, 2
	if extended, _, err := (&Core{Store: script}).Extend(t.Context(), end.Add(-time.Minute), s); extended || err == nil ||
		!s.ExpiresAt.Equal(end) {
		t.Errorf("without the callback: %t, %v", extended, err)
	}
}

func within(least, most time.Duration) *rapid.Generator[time.Duration] {
	const ms = time.Millisecond
	return rapid.Map(rapid.Int64Range(int64(least/ms), int64(most/ms)), func(n int64) time.Duration {
		return time.Duration(n) * ms
	})
}

// Each clock is at most 5 seconds wrong, and a function has 10 seconds from reading its clock until its write counts.
// No clock finds a session expired that is extended afterwards.
func TestNobodyFindsASessionExpiredThatGoesOn(t *testing.T) {
	extended := 0
	rapid.Check(t, func(t *rapid.T) {
		s := openFor(time.Duration(rapid.IntRange(1, 720).Draw(t, "minutes")) * time.Minute)
		end := s.ExpiresAt
		read := end.Add(-within(0, time.Minute).Draw(t, "asked before the end"))
		apart := within(-10*time.Second, 10*time.Second).Draw(t, "how far the other clock is ahead")
		stored := read.Add(within(0, 10*time.Second).Draw(t, "until it is stored"))
		before := *s
		if s.MoreTimeWithin(read) == 0 {
			return
		}
		extended++
		s.ExpiresAt, s.Extension = s.longerEnd(), &Extension{}
		other := within(-time.Minute, 0).Draw(t, "another reads, before it is stored")
		if now := stored.Add(other).Add(apart); before.StateAt(now) == SessionExpired {
			t.Fatalf("read at %s and stored at %s, it was over at %s by another clock", read, stored, now)
		}
	})
	if extended == 0 {
		t.Error("no session was extended")
	}
}

// As long as an attempt may still be stored, no clock finds its session over for good.
func TestNoAttemptComesAfterASessionIsOver(t *testing.T) {
	begun := 0
	rapid.Check(t, func(t *rapid.T) {
		s := openFor(time.Duration(rapid.IntRange(1, 720).Draw(t, "minutes")) * time.Minute)
		read := s.ExpiresAt.Add(within(-15*time.Second, 5*time.Second).Draw(t, "read, from the end"))
		if s.StateAt(read) != SessionOpen {
			return
		}
		begun++
		stored := read.Add(within(0, 10*time.Second).Draw(t, "until it is stored"))
		other := within(-time.Minute, 0).Draw(t, "another reads, before it is stored")
		apart := within(-10*time.Second, 10*time.Second).Draw(t, "how far the other clock is ahead")
		if now := stored.Add(other).Add(apart); s.IsOver(now) {
			t.Fatalf("read at %s and stored at %s, it was over at %s by another clock", read, stored, now)
		}
	})
	if begun == 0 {
		t.Error("no attempt was begun")
	}
	s := openFor(time.Hour)
	if s.IsOver(s.ExpiresAt) || !s.IsOver(s.overAt()) {
		t.Error("it is not over when its end holds for everybody")
	}
	if s.Cancel(); !s.IsOver(paidAt) {
		t.Error("a cancelled one is not over")
	}
}
