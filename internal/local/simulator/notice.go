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
	noticeLimit = 10 * time.Second // for one try
	disorderBy  = 3 * time.Second  // how late an old notice comes
	decideAfter = 30 * time.Second // for the provider itself
)

// afterExecution schedules what follows by itself from a new operation. The caller has locked the ledger.
func (s *Simulator) afterExecution(o *Operation) {
	if o.fault != NoticeFirst { // which sends it with the response
		s.scheduleNotice(o)
	}
	if o.State == Waiting && o.Step == NoStep {
		s.later(decideAfter, func() { s.Act(o.ID, Approve) })
	}
	if o.State == Waiting && o.Step != NoStep && !o.ExpiresAt.IsZero() {
		s.later(max(0, o.ExpiresAt.Sub(s.Now())), func() { s.Act(o.ID, Expire) })
	}
	s.failLater(o)
}

// failLater lets an approved charge, refund or payout with that fault fail. The caller has locked the ledger.
func (s *Simulator) failLater(o *Operation) {
	if o.fault == FailsLater && o.State == Approved {
		s.later(failsAfter, func() { s.Act(o.ID, Fail) })
	}
}

// scheduleNotice sends the notice about an operation as it is now, a little later. The caller has locked the ledger.
func (s *Simulator) scheduleNotice(o *Operation) {
	if o.NoticeURL == "" || s.familyNamed(o.Family).notice == nil {
		return
	}
	now := *o
	o.sequence++
	delay := noticeAfter
	switch {
	case o.fault == NoticesDisorder && o.sequence == 1:
		delay = disorderBy
	case o.fault == ReportsTwice:
		delay = 0
	case s.isHidden(o):
		delay += o.CreatedAt.Add(foundLate).Sub(s.Now())
	}
	send := func() { s.sendNotice(now) }
	s.later(delay, send)
	if o.fault == NoticesDoubled {
		s.later(delay, send)
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
	sent := SentNotice{
		Family: o.Family, Operation: o.ID, Reference: o.Reference, State: o.State, To: o.NoticeURL, Try: try, At: s.Now(),
		Spoilt: o.fault == WrongSignature && try == 1 && f.spoil != nil,
	}
	if sent.Spoilt {
		f.spoil(request)
	}
	s.send(request, &sent)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices = keep(s.notices, &sent, s.Keep)
	if taken := sent.Status >= 200 && sent.Status < 300 && !sent.Spoilt; !taken && try < noticeTries {
		s.later(again, func() { s.tryNotice(o, try+1, 2*again) })
	}
}

// send sends a notice and notes what its receiver responds.
func (s *Simulator) send(request *http.Request, sent *SentNotice) {
	ctx, cancel := context.WithTimeout(context.Background(), noticeLimit)
	defer cancel()
	response, err := s.Client.Do(request.WithContext(ctx))
	if err != nil {
		sent.Error = err.Error()
		return
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
	sent.Status = response.StatusCode
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
