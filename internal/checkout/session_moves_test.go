package checkout

import (
	"fmt"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// What a change of a payment means for its session.
func TestSessionFollows(t *testing.T) {
	contradicted := payment.Job{Kind: payment.JobContradiction, Reference: "charge"}
	charge := payment.Job{Kind: payment.JobCharge, Reference: "charge"}
	prepared := paymentState{status: payment.StatusPrepare, undecided: true}
	decline := payment.Effects{Event: &payment.Event{Reason: &reason.Reason{Code: "declined"}}}
	tooMuch := payment.Effects{Event: &payment.Event{Reason: &reason.Reason{Code: reason.PaidTooMuch}}}
	late := payment.Effects{Unapplied: screen.TextPaidTooLate, Event: &payment.Event{Reason: &reason.Reason{Code: "late"}}}
	success := payment.Effects{Event: &payment.Event{}}
	for name, test := range map[string]struct {
		session Session
		status  payment.Status
		jobs    payment.Jobs
		was     paymentState
		e       payment.Effects
		want    string
	}{
		"declined":        {Session{Declines: 1}, "decline", nil, prepared, decline, "open 2 declined paid false"},
		"declined enough": {Session{Declines: 2}, "decline", nil, prepared, decline, "declined 3 declined paid false"},
		"declined, money too late": {Session{}, "decline", nil, prepared,
			payment.Effects{Unapplied: screen.TextPaidTooLate, Event: decline.Event}, "declined 1 declined paid false late"},
		"declined after money came too late": {Session{UnappliedMoney: screen.TextPaidTooLate}, "decline", nil, prepared,
			decline, "declined 1  paid false late"},
		"cancelled by its payer": {Session{LatestAttempt: LatestAttempt{Ending: screen.ActionCancel}}, "decline", nil,
			prepared, decline, "cancelled 1 declined paid false"},
		"another way": {Session{LatestAttempt: LatestAttempt{Ending: screen.ActionAnother}}, "decline", nil, prepared,
			decline, "open 1  paid false"},
		"cancelled, but money came": {Session{LatestAttempt: LatestAttempt{Ending: screen.ActionCancel}}, "decline", nil,
			prepared, payment.Effects{Unapplied: screen.TextPaidTooLittle, Event: decline.Event},
			"open 1 declined paid false " + string(screen.TextPaidTooLittle)},
		"settled":    {Session{UnappliedMoney: "x"}, "settled", nil, prepared, success, "complete 0  paid true"},
		"authorised": {Session{}, "pending", nil, prepared, success, "complete 0  paid true"},
		"overpaid":   {Session{}, "settled", nil, prepared, tooMuch, "complete 0 paid_too_much paid true"},
		"accepted after its decline": {Session{State: SessionDeclined}, "settled", nil, paymentState{status: "decline"},
			success, "complete 0  paid true"},
		"refunded": {Session{State: SessionComplete}, "refund", nil, paymentState{status: "settled"}, success,
			"complete 0  paid false, unchanged"},
		"declined after its success": {Session{State: SessionComplete, LatestAttempt: LatestAttempt{PaymentID: "charge"}},
			"decline", nil, paymentState{status: "pending"}, decline, "declined 0  paid false"},
		"another one declined after its success": {Session{State: SessionComplete,
			LatestAttempt: LatestAttempt{PaymentID: "next"}}, "decline", nil, paymentState{status: "pending"}, decline,
			"complete 0  paid false, unchanged"},
		"money after the decline": {Session{State: SessionOpen}, "decline", nil, paymentState{status: "decline"}, late,
			"declined 0 late paid false late"},
		"money after the decline, while another attempt runs": {Session{State: SessionProcessing}, "decline", nil,
			paymentState{status: "decline"}, late, "processing 0 late paid false late"},
		"money after the decline of a session that is paid": {Session{State: SessionComplete}, "decline", nil,
			paymentState{status: "decline"}, late, "complete 0  paid false, unchanged"},
		"contradicted": {Session{State: SessionOpen}, "decline", payment.Jobs{contradicted}, paymentState{status: "decline"},
			success, "open 0  paid false, held"},
		"contradicted twice": {Session{State: SessionOpen, Contradicted: []string{"other", "charge"}}, "decline",
			payment.Jobs{contradicted}, paymentState{status: "decline"}, success, "open 0  paid false, held, unchanged"},
		"contradiction decided": {Session{State: SessionOpen, Contradicted: []string{"charge"}}, "decline", nil,
			paymentState{status: "decline"}, success, "open 0  paid false"},
		"contradiction decided beside another": {Session{State: SessionOpen, Contradicted: []string{"charge", "other"}},
			"decline", nil, paymentState{status: "decline"}, success, "open 0  paid false, held"},
		"still undecided": {Session{State: SessionProcessing}, "prepare", payment.Jobs{charge}, prepared, success,
			"processing 0  paid false, unchanged"},
	} {
		sess := test.session
		sess.MaxDeclines = 3
		p := paid(test.status, test.jobs...)
		p.Method = "crypto"
		if len(test.jobs) > 0 && test.jobs[0].Kind == payment.JobContradiction {
			p.Jobs = nil
			p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
		}
		changed := Task{Payment: p, Session: &sess}.follow(test.was, test.e, paidAt)
		reason := ""
		if sess.Reason != nil {
			reason = string(sess.Reason.Code)
		}
		money := map[screen.Text]string{"": "", screen.TextPaidTooLate: " late"}[sess.UnappliedMoney]
		if sess.UnappliedMoney == screen.TextPaidTooLittle {
			money = " " + string(screen.TextPaidTooLittle)
		}
		got := fmt.Sprintf("%s %d %s paid %t%s", sess.State, sess.Declines, reason, sess.Paid != nil, money)
		if sess.IsHeld() {
			got += ", held"
		}
		if !changed {
			got += ", unchanged"
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if sess.Paid != nil && (sess.PaymentID != p.ID || sess.Method != p.Method) {
			t.Errorf("%s: it is complete by %q, %q", name, sess.PaymentID, sess.Method)
		}
	}
	if (Task{Payment: paid("settled")}).follow(prepared, success, paidAt) {
		t.Error("a payment without a session changes one")
	}
}

// A session that waits for its payer expires, one that waits for a provider does not.
func TestStateAt(t *testing.T) {
	end := paidAt.Add(time.Hour)
	redirect := &connector.RequiredAction{Kind: connector.ActionRedirect}
	pending := &connector.RequiredAction{Kind: connector.ActionPending}
	for name, test := range map[string]struct {
		session       Session
		before, after SessionState
	}{
		"open": {Session{State: SessionOpen}, SessionOpen, SessionExpired},
		"held": {Session{State: SessionOpen, Contradicted: []string{"p"}}, SessionHeld, SessionExpired},
		"complete": {Session{State: SessionComplete, Contradicted: []string{"p"}}, SessionComplete,
			SessionComplete},
		"with the provider":    {Session{State: SessionProcessing}, SessionProcessing, SessionProcessing},
		"the payer pays there": {processing(pending), SessionProcessing, SessionProcessing},
		"the payer is there":   {processing(redirect), SessionProcessing, SessionExpired},
		"another amount moved": {Session{State: SessionProcessing, LatestAttempt: LatestAttempt{Action: redirect,
			OtherAmount: true}}, SessionProcessing, SessionProcessing},
	} {
		sess := test.session
		sess.ExpiresAt = end
		if before, after := sess.StateAt(end.Add(-1)), sess.StateAt(end); before != test.before || after != test.after {
			t.Errorf("%s: %s, then %s", name, before, after)
		}
	}
}

func processing(a *connector.RequiredAction) Session {
	return Session{State: SessionProcessing, LatestAttempt: LatestAttempt{Action: a}}
}

// A payer may end an attempt only while nothing has arrived, and go another way only if an attempt is left.
func TestEndings(t *testing.T) {
	end := paidAt.Add(time.Hour)
	can := connector.RequiredAction{Kind: connector.ActionPending, CanEnd: true, ExpiresAt: end.Add(time.Hour)}
	for name, test := range map[string]struct {
		change func(s *Session)
		want   string
	}{
		"it is shown what to pay with": {func(*Session) {}, "[another cancel]"},
		"the last attempt":             {func(s *Session) { s.Declines = 3 }, "[cancel]"},
		"the session ends with it":     {func(s *Session) { s.ExpiresAt = paidAt }, "[cancel]"},
		"it is being ended":            {func(s *Session) { s.Ending = screen.ActionCancel }, "[]"},
		"a part has arrived":           {func(s *Session) { s.Received = &connector.Received{} }, "[]"},
		"nothing is shown":             {func(s *Session) { s.Action = nil }, "[]"},
		"the provider can't end it":    {func(s *Session) { s.Action.CanEnd = false }, "[]"},
		"the payer's time is over":     {func(s *Session) { s.Action.ExpiresAt = paidAt }, "[]"},
		"paid":                         {func(s *Session) { s.State = SessionComplete }, "[]"},
	} {
		action := can
		sess := processing(&action)
		sess.ExpiresAt, sess.MaxDeclines, sess.Declines = end, 4, 2
		if test.change(&sess); fmt.Sprint(sess.Endings(paidAt)) != test.want {
			t.Errorf("%s: %s", name, sess.Endings(paidAt))
		}
	}
}

// A callback goes into the queue of its owner's mode, is parked without an address, and that of a decline waits for the
// end of a session that may still be paid.
func TestCallbackOfAnEvent(t *testing.T) {
	m := &settings.Merchant{ID: "shop", Mappings: []settings.Mapping{
		{Name: "main"}, {Name: "final", Compatibility: settings.Compatibility{"callbacks": "final"}},
		{Name: "last", Compatibility: settings.Compatibility{"declines": "last"}}}}
	event := payment.Event{Type: payment.EventSale, Status: payment.Success}
	p := paid(payment.StatusSettled)
	p.Owner, p.Mapping, p.NotificationURL = fault.Owner{Merchant: "shop"}, "main", "https://shop.example/callback"
	p.ID = store.NewPaymentID(store.OrderHash(p.Owner.Text(), "1"), paidAt, make([]byte, 4))
	for _, test := range []bool{false, true} {
		p.Test = test
		c := newCallback(paidAt, m, p, event)
		r := c.Record(paidAt)
		if r.DueKind != store.DueCallback.Of(test) || c.Owner.Test != test || c.State != callback.Waiting ||
			c.Seq != p.Callbacks || !c.NextAt.Equal(paidAt) {
			t.Errorf("test %t: %+v in %s", test, c, r.DueKind)
		}
	}
	p.NotificationURL = ""
	if c := newCallback(paidAt, m, p, event); c.State != callback.Parked {
		t.Errorf("without an address: %+v", c)
	}
	interim := payment.Event{Type: payment.EventRedirect, Status: payment.Success}
	if newCallback(paidAt, nil, p, event) != nil || newCallback(paidAt, m, p, interim) == nil {
		t.Error("a merchant that is gone gets a callback, or one that wants all does not")
	}
	p.Mapping = "final"
	if newCallback(paidAt, m, p, interim) != nil || newCallback(paidAt, m, p, event) == nil {
		t.Error("a merchant that wants final outcomes gets another, or not those")
	}
	for _, test := range []struct {
		mapping  string
		status   payment.Status
		state    SessionState
		withheld bool
	}{
		{"last", payment.StatusDecline, SessionOpen, true}, {"main", payment.StatusDecline, SessionOpen, false},
		{"last", payment.StatusSettled, SessionOpen, false}, {"last", payment.StatusDecline, SessionDeclined, false},
		{"last", payment.StatusDecline, "", false}, {"last", payment.StatusDecline, SessionHeld, true},
	} {
		p.Mapping, p.Status = test.mapping, test.status
		task := Task{Payment: p, Session: &Session{ID: "s", State: test.state, ExpiresAt: paidAt.Add(time.Hour)}}
		switch test.state {
		case "":
			task.Session = nil
		case SessionHeld:
			task.Session.State, task.Session.Contradicted = SessionOpen, []string{"p"}
		}
		c := newCallback(paidAt, m, p, event)
		withhold(c, paidAt, m, task)
		over := paidAt.Add(time.Hour + endsWithin)
		if withheld := c.SessionID == "s" && c.NextAt.Equal(over); withheld != test.withheld ||
			withheld && (c.State != callback.Waiting || task.Session.WithheldSeq != c.Seq) {
			t.Errorf("%+v: %+v", test, c)
		}
	}
}

// A decline that was retried can't become a success, unless the retry was declined, too.
func TestPaidByRetry(t *testing.T) {
	docs := memory.NewStore()
	s := &Core{Store: docs, Now: func() time.Time { return paidAt }}
	for n, status := range []payment.Status{payment.StatusSettled, payment.StatusPending, payment.StatusPrepare,
		payment.StatusDecline, payment.StatusRefund, ""} {
		retry := paid(status)
		retry.ID = store.NewPaymentID(store.OrderHash("live/shop", fmt.Sprint(n)), paidAt, make([]byte, 4))
		if status != "" {
			if err := docs.Save(t.Context(), paidAt, retry.Record()); err != nil {
				t.Fatal(err)
			}
		}
		p := paid(payment.StatusDecline)
		p.RetriedBy = retry.ID
		why, err := s.PaidByRetry(t.Context(), p)
		if free := status == payment.StatusDecline || status == ""; err != nil || (why == "") != free {
			t.Errorf("the retry is %q: %q, %v", status, why, err)
		}
	}
	if why, err := s.PaidByRetry(t.Context(), paid(payment.StatusDecline)); why != "" || err != nil {
		t.Errorf("no retry: %q, %v", why, err)
	}
}
