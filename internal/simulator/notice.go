package simulator

import (
	"context"
	"io"
	"net/http"
	"time"
)

// The times of notices.
const (
	noticeAfter = 200 * time.Millisecond // after what it tells of
	noticeAgain = 2 * time.Second        // after a notice that was not taken; then twice as long each time
	noticeTries = 6
	disorderBy  = 3 * time.Second // how late an old notice comes
)

// afterExecution schedules what follows by itself from a new operation. The caller has locked the ledger.
func (s *Simulator) afterExecution(o *Operation) {
	if o.fault != NoticeFirst && o.fault != ReportsTwice { // which send it with the response
		s.scheduleNotice(o)
	}
	if o.State == Waiting && o.Step == NoStep {
		s.After(30*time.Second, func() { s.Act(o.ID, Approve) })
	}
	if o.Step != NoStep && !o.ExpiresAt.IsZero() {
		s.After(o.ExpiresAt.Sub(s.Now()), func() { s.Act(o.ID, Expire) })
	}
	s.failLater(o)
}

// failLater lets an approved operation with that fault fail. The caller has locked the ledger.
func (s *Simulator) failLater(o *Operation) {
	if o.fault != FailsLater || o.State != Approved {
		return
	}
	s.After(failsAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		o.State, o.Moved = Reversed, zero(o.Amount)
		s.scheduleNotice(o)
	})
}

// scheduleNotice sends the notice about an operation as it is now, a little later. The caller has locked the ledger.
func (s *Simulator) scheduleNotice(o *Operation) {
	if o.NoticeURL == "" || s.familyNamed(o.Family).notice == nil {
		return
	}
	now := *o
	o.sequence++
	delay := noticeAfter
	if o.fault == NoticesDisorder && o.sequence == 1 {
		delay = disorderBy
	}
	send := func() { s.sendNotice(now) }
	s.After(delay, send)
	if o.fault == NoticesDoubled {
		s.After(delay, send)
	}
}

// sendNotice sends a notice until it is taken, at most noticeTries times.
func (s *Simulator) sendNotice(o Operation) { s.tryNotice(o, 1, noticeAgain) }

func (s *Simulator) tryNotice(o Operation, try int, again time.Duration) {
	f := s.familyNamed(o.Family)
	if f.notice == nil || o.NoticeURL == "" {
		return
	}
	request := f.notice(s, o)
	if request == nil {
		return
	}
	if o.fault == WrongSignature && try == 1 && f.spoil != nil {
		f.spoil(request)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	response, err := s.Client.Do(request.WithContext(ctx))
	if err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
		_ = response.Body.Close()
	}
	if err == nil && response.StatusCode >= 200 && response.StatusCode < 300 || try >= noticeTries {
		return
	}
	s.After(again, func() { s.tryNotice(o, try+1, 2*again) })
}

// Notice returns the notice about an operation as it is now, nil if there is none.
func (s *Simulator) Notice(family, reference string) *http.Request {
	o, found := s.Find(family, reference)
	f := s.familyNamed(family)
	if !found || f.notice == nil {
		return nil
	}
	return f.notice(s, o)
}
