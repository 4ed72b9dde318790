package checkout

import (
	"errors"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/store/storetest"
)

// A session is read by its whole id alone, until it is gone, and is named in the log line.
func TestSessionByItsID(t *testing.T) {
	first := func(random byte) string {
		return store.FirstSessionID(store.NewSessionID(orderHash, paidAt, []byte(strings.Repeat(string(random), 24))))
	}
	_, s := attempt(func(*payment.Payment, *Session) {})
	s.ID, s.FirstPaymentID, s.PaymentID = first('a'), "first", ""
	s.Request.Order.Amount, s.Request.ScheduleAmount = request.Entered(usd("10.00")), request.Entered(usd("3.00"))
	s.Amount = usd("7.00")
	docs := memory.NewStore()
	lock := store.Encode(s.Record().Key, 0, struct{}{})
	for _, r := range []store.Record{s.Record(), lock} {
		until := s.storedUntil()
		for _, test := range []struct {
			id    string
			now   time.Time
			found bool
		}{
			{first('a'), paidAt, true}, {first('a'), until.Add(-1), true}, {first('a'), until, false},
			{first('b'), paidAt, false}, {aSession, paidAt, false}, {"nobody's", paidAt, false}, {"", paidAt, false},
		} {
			docs = memory.NewStore()
			if err := docs.Save(t.Context(), paidAt, r); err != nil {
				t.Fatal(err)
			}
			note := fault.Note{}
			got, err := (&Core{Store: docs}).Session(fault.WithNote(t.Context(), &note), test.now, test.id)
			if found := test.found && string(r.Doc) != string(lock.Doc); (got != nil) != found || (err == nil) != found {
				t.Errorf("%s at %s: %v, %v", test.id, test.now, got, err)
			} else if !found && fault.CodeOf(err) != fault.CodeNotFound {
				t.Errorf("%s: %v", test.id, err)
			} else if found && (got.ID != test.id || note.Session != store.PublicID(test.id) || note.Payment != "first" ||
				got.Amount != usd("7.00") || got.Request.Order.Amount.Value != usd("10.00") ||
				got.Request.ScheduleAmount.Value != usd("3.00") || got.MaxDeclines != 2 || got.version != 1) {
				t.Errorf("%s: %+v, %+v", test.id, got, note)
			}
		}
	}
	if r := s.Record(); !r.ExpiresAt.Equal(s.ExpiresAt.Add(sessionTTL + lingers)) {
		t.Errorf("the document is stored until %s", r.ExpiresAt)
	}
	note := fault.Note{}
	s.PaymentID = "latest"
	if LogSession(fault.WithNote(t.Context(), &note), s); note.Payment != "latest" {
		t.Errorf("%+v", note)
	}
	failure := errors.New("it fails")
	broken := s.Record()
	broken.Doc = []byte(`{"id":`)
	if err := docs.Save(t.Context(), paidAt, store.Record{Key: broken.Key, Doc: broken.Doc, Version: 1}); err != nil {
		t.Fatal(err)
	}
	script := &storetest.Scripted{Store: docs, Before: func(string) error { return failure }}
	for _, of := range []store.Store{docs, script} {
		if got, err := (&Core{Store: of}).Session(t.Context(), paidAt, s.ID); got != nil || err == nil ||
			fault.CodeOf(err) == fault.CodeNotFound {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// The payer's second form is taken for the step that it is for, while the session waits for it.
func TestAwaitsForm(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *Session)
		step   string
		want   bool
	}{
		"its step":         {func(*Session) {}, "2", true},
		"another step":     {func(*Session) {}, "1", false},
		"no step":          {func(*Session) {}, "", false},
		"complete":         {func(s *Session) { s.State = SessionComplete }, "2", false},
		"held":             {func(s *Session) { s.Contradicted = []string{"p"} }, "2", false},
		"no form":          {func(s *Session) { s.Action.Fields = nil }, "2", false},
		"nothing to do":    {func(s *Session) { s.Action = nil }, "2", false},
		"too late":         {func(s *Session) { s.Action.ExpiresAt = paidAt }, "2", false},
		"just in time":     {func(s *Session) { s.Action.ExpiresAt = paidAt.Add(1) }, "2", true},
		"session is over":  {func(s *Session) { s.Action.Kind, s.ExpiresAt = connector.ActionRedirect, paidAt }, "2", false},
		"a form elsewhere": {func(s *Session) { s.ExpiresAt = paidAt }, "2", true},
	} {
		action := asks
		action.Step = 2
		s := processing(&action)
		s.ExpiresAt = paidAt.Add(time.Hour)
		if test.change(&s); s.AwaitsForm(test.step, paidAt) != test.want {
			t.Errorf("%s: %t", name, !test.want)
		}
	}
}

// A saved card is offered until it ends or is removed; the others keep their places.
func TestOfferedCards(t *testing.T) {
	ends := method.CardEnds(3, 2030)
	s := Session{Saved: []card.Saved{{Token: "a", View: card.View{ExpiryMonth: 3, ExpiryYear: 2030}},
		{Token: "b", View: card.View{ExpiryMonth: 3, ExpiryYear: 2099}, RemovedAt: paidAt},
		{Token: "c", View: card.View{ExpiryMonth: 3, ExpiryYear: 2099}}}}
	for now, want := range map[time.Time]string{ends.Add(-1): "a,,c", ends: ",,c"} {
		tokens := []string{}
		for _, c := range s.OfferedCards(now) {
			tokens = append(tokens, c.Token)
		}
		if got := strings.Join(tokens, ","); got != want || s.Saved[0].Token != "a" {
			t.Errorf("%s: %s, stored %+v", now, got, s.Saved)
		}
	}
}

// The payer waits since they have paid, or since they have come back or filled in a form after that.
func TestWaitsSince(t *testing.T) {
	at := func(seconds int) time.Time { return paidAt.Add(time.Duration(seconds) * time.Second) }
	for _, test := range []struct {
		attempts []time.Time
		acted    time.Time
		want     time.Time
	}{
		{nil, at(3), at(3)}, {nil, time.Time{}, time.Time{}}, {[]time.Time{at(1), at(2)}, time.Time{}, at(2)},
		{[]time.Time{at(1), at(2)}, at(1), at(2)}, {[]time.Time{at(1), at(2)}, at(3), at(3)},
	} {
		s := Session{AttemptedAt: test.attempts, LatestAttempt: LatestAttempt{ActedAt: test.acted}}
		if got := s.WaitsSince(); !got.Equal(test.want) {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// The page's address has the language that the merchant has chosen.
func TestPageURL(t *testing.T) {
	s := &Session{ID: "id"}
	without := s.PageURL("https://pay.example")
	s.Request.Language = "ua"
	with := s.PageURL("https://pay.example")
	if without != "https://pay.example/?session=id" || with != without+"&language=ua" {
		t.Error(without, with)
	}
	for code, want := range map[string]string{"ua": "uk", "zho": "zh-Hant", "de": "de"} {
		if got := PageTag(code); got != want {
			t.Errorf("%s is %s", code, got)
		}
	}
}

// What a payer does with a session before a provider has said anything.
func TestPayersMoves(t *testing.T) {
	for _, entered := range []bool{false, true} {
		s := &Session{State: SessionOpen, FirstPaymentID: "first", Attempts: []string{"1"}, LatestAttempt: LatestAttempt{
			PaymentID: "old", PayerReturned: true, WithheldSeq: 3}}
		s.Request.Order.Amount = request.Entered(usd("10.00"))
		if entered {
			s.Request.Order.Amount = request.Amount{Text: "-1"}
		}
		p := &payment.Payment{ID: "p", Amount: usd("7.00")}
		p.Method = "card"
		s.Begin(p, "2")
		if s.State != SessionProcessing || s.FirstPaymentID != "" || s.PaymentID != "p" || s.Method != "card" ||
			s.PayerReturned || s.WithheldSeq != 0 || s.Amount.IsZero() == entered || len(s.Attempts) != 2 ||
			s.Attempts[1] != "2" {
			t.Errorf("%+v", s)
		}
		if s.Return(paidAt); !s.PayerReturned || !s.ActedAt.Equal(paidAt) {
			t.Errorf("%+v", s)
		}
		if s.Cancel(); s.State != SessionCancelled {
			t.Errorf("%+v", s)
		}
	}
}

// What the payer has to do next, what has arrived and that a payout is under way stands in the session as soon as the
// payment knows.
func TestSessionGoesOn(t *testing.T) {
	waiting := payment.Effects{Event: &payment.Event{Status: payment.Waiting}}
	sent := payment.Effects{Event: &payment.Event{Status: payment.Success}}
	part := &connector.Received{Amount: "1"}
	copies := connector.RequiredAction{Kind: connector.ActionPending, Show: []screen.Shown{{Type: screen.ShownCopy}}}
	nothing := connector.RequiredAction{Kind: connector.ActionPending}
	for name, test := range map[string]struct {
		was  *connector.RequiredAction
		next func(p *payment.Payment)
		e    payment.Effects
		want string
	}{
		"nothing new":         {&shows, func(p *payment.Payment) { p.Action = &shows }, waiting, ""},
		"what to read":        {nil, func(p *payment.Payment) { p.Action = &shows }, sent, "action"},
		"what to pay with":    {nil, func(p *payment.Payment) { p.Action = &copies }, sent, "action instructed"},
		"the bank's page":     {nil, func(p *payment.Payment) { p.Action = &redirect }, sent, "action"},
		"a form after it":     {&shows, func(p *payment.Payment) { p.Action = &asks }, sent, "action"},
		"no form after it":    {&asks, func(p *payment.Payment) { p.Action = &nothing }, sent, "action acted"},
		"nothing as before":   {&nothing, func(p *payment.Payment) { p.Action = &redirect }, sent, "action"},
		"the bank after that": {&redirect, func(p *payment.Payment) { p.Action = &asks }, sent, "action"},
		"nothing to do":       {&redirect, func(p *payment.Payment) { p.Action = nil }, sent, ""},
		"a part has arrived":  {nil, func(p *payment.Payment) { p.Received = part }, sent, "received"},
		"a payout is under way": {nil, func(p *payment.Payment) { p.Operation = method.Credit }, waiting,
			"under way"},
		"a payout is sent":          {nil, func(p *payment.Payment) { p.Operation = method.Credit }, sent, ""},
		"a payout, nothing is told": {nil, func(p *payment.Payment) { p.Operation = method.Credit }, payment.Effects{}, ""},
		"a purchase is under way":   {nil, func(*payment.Payment) {}, waiting, ""},
	} {
		p, s := attempt(func(p *payment.Payment, s *Session) { s.Ending = "cancel" })
		p.Action, s.Action = test.was, test.was
		was := stateOf(p)
		test.next(p)
		changed := Task{Payment: p, Session: s}.follow(was, test.e, paidAt)
		var got []string
		if s.Action != test.was {
			got = append(got, "action")
		}
		if s.Instructed {
			got = append(got, "instructed")
		}
		if s.ActedAt.Equal(paidAt) {
			got = append(got, "acted")
		}
		if s.Received == part && s.Ending == "" {
			got = append(got, "received")
		}
		if s.UnderWay {
			got = append(got, "under way")
		}
		if text := strings.Join(got, " "); text != test.want || changed != (text != "") {
			t.Errorf("%s: %q, changed %t", name, text, changed)
		}
	}
}
