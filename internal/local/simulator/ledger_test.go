package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// run is a simulator whose time is moved by hand.
type run struct {
	simulator *Simulator
	now       time.Time
	planned   []planned
	received  map[string]plainResult // last responses by reference
}

type planned struct {
	at time.Time
	do func()
}

func newRun() *run {
	r := &run{now: time.Unix(1_900_000_000, 0), received: map[string]plainResult{}}
	r.simulator = newOf(Options{
		Now:   func() time.Time { return r.now },
		After: func(d time.Duration, do func()) { r.planned = append(r.planned, planned{r.now.Add(d), do}) },
	}, []family{plain})
	return r
}

// wait moves the time, and does what was planned.
func (r *run) wait(d time.Duration) {
	until := r.now.Add(d)
	for {
		first := -1
		for i, p := range r.planned {
			if !p.at.After(until) && (first < 0 || p.at.Before(r.planned[first].at)) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		p := r.planned[first]
		r.planned = append(r.planned[:first], r.planned[first+1:]...)
		r.now = p.at
		p.do()
	}
	r.now = until
}

// send sends an operation. Its result is zero if it was not executed.
func (r *run) send(q plainRequest) (result plainResult) {
	text, _ := json.Marshal(q)
	w := httptest.NewRecorder()
	r.simulator.ServeHTTP(w, httptest.NewRequest("POST", "/plain/operations", bytes.NewReader(text)))
	if w.Code == 200 && json.Unmarshal(w.Body.Bytes(), &result) == nil {
		r.received[q.Reference] = result
	}
	return result
}

// minor reads minor units.
func minor(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

// TestLedger does at random what callers, payers and time can do. The sums of each charge are what the ledger's own
// entries add up to, and never too much is captured, refunded or disputed.
func TestLedger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRun()
		sent := map[string]plainRequest{}
		reference := 0
		amounts := rapid.SampledFrom([]string{"1", "2", "300", "500", "999", "1000", "1905", "1909", "1934", "1935"})
		t.Repeat(map[string]func(*rapid.T){
			"charge": func(t *rapid.T) {
				reference++
				q := plainRequest{
					Kind: rapid.SampledFrom([]Kind{Charge, Charge, Payout}).Draw(t, "kind"), Amount: amounts.Draw(t, "amount"),
					Reference: fmt.Sprint("r", reference), Hold: rapid.Bool().Draw(t, "hold"), Seconds: 600,
					Step: rapid.SampledFrom([]Step{NoStep, NoStep, StepPage, StepSend}).Draw(t, "step"),
				}
				q.Hold = q.Hold && q.Kind == Charge && q.Step != StepSend
				sent[q.Reference] = q
				r.send(q)
			},
			"follow": func(t *rapid.T) {
				if len(sent) == 0 {
					t.Skip()
				}
				charge := fmt.Sprint("r", rapid.IntRange(1, reference).Draw(t, "charge"))
				reference++
				q := plainRequest{
					Kind: rapid.SampledFrom([]Kind{Capture, Void, Refund}).Draw(t, "kind"), Amount: amounts.Draw(t, "amount"),
					Charge: charge, Reference: fmt.Sprint("r", reference),
				}
				sent[q.Reference] = q
				r.send(q)
			},
			"repeat": func(t *rapid.T) {
				if len(sent) == 0 {
					t.Skip()
				}
				before := len(r.simulator.Operations())
				q := sent[fmt.Sprint("r", rapid.IntRange(1, reference).Draw(t, "reference"))]
				id := r.received[q.Reference].ID
				if again := r.send(q); id != "" && (again.ID != id || len(r.simulator.Operations()) != before) {
					t.Fatalf("%+v was executed twice", q)
				}
			},
			"act": func(t *rapid.T) {
				if len(sent) == 0 {
					t.Skip()
				}
				o, _ := r.simulator.Find("plain", fmt.Sprint("r", rapid.IntRange(1, reference).Draw(t, "reference")))
				all := actions()
				r.simulator.Act(o.ID, all[rapid.IntRange(0, len(all)-1).Draw(t, "choice")].Choice)
			},
			"wait": func(t *rapid.T) {
				r.wait(time.Duration(rapid.IntRange(1, 4000).Draw(t, "seconds")) * time.Second)
			},
			"": func(t *rapid.T) { checkLedger(t, r.simulator) },
		})
	})
}

// checkLedger compares the totals of every charge with the entries of the ledger.
func checkLedger(t *rapid.T, s *Simulator) {
	refunded := map[string]int{}
	for _, o := range s.Operations() {
		if o.Kind == Refund && o.State == Approved {
			refunded[o.Parent] += minor(o.Moved.Minor())
		}
	}
	for _, o := range s.Operations() {
		if o.Kind != Charge && o.Kind != Payout {
			continue
		}
		totals, found := s.Totals("plain", o.Reference)
		captured, back := minor(totals.Captured.Minor()), minor(totals.Refunded.Minor())
		taken := minor(totals.Disputed.Minor())
		asked := minor(o.Amount.Minor())
		over := o.Step != StepSend && captured > asked || captured > 3*asked
		wrong := !found || over || captured < back+taken || back != refunded[o.ID] || captured > 0 && totals.Voided
		switch o.State {
		case Approved:
			wrong = wrong || captured == 0 && o.Amount.Minor() != "0" || taken != 0
		case Reversed:
			wrong = wrong || !totals.Voided && back+taken != captured
		default:
			wrong = wrong || captured != 0 || back != 0 || taken != 0
		}
		if wrong {
			t.Fatalf("%+v of %+v", totals, o)
		}
	}
}

// TestFollowUps is the ledger as a table: one charge of 10.00, and what is done to it in turn.
func TestFollowUps(t *testing.T) {
	for name, test := range map[string]struct {
		hold  bool
		steps string // operation and amount, then the state it has to have
		want  string // authorised, captured, refunded, disputed
	}{
		"capture a part":        {true, "capture 400 approved", "1000 400 0 0"},
		"capture too much":      {true, "capture 1001 declined", "1000 0 0 0"},
		"capture twice":         {true, "capture 400 approved, capture 400 declined", "1000 400 0 0"},
		"capture what is paid":  {false, "capture 400 declined", "1000 1000 0 0"},
		"void a hold":           {true, "void 1000 approved, capture 400 declined", "1000 0 0 0"},
		"void what is paid":     {false, "void 1000 approved, refund 1 declined", "1000 0 0 0"},
		"void what is refunded": {false, "refund 1 approved, void 1000 declined", "1000 1000 1 0"},
		"refund in parts":       {false, "refund 600 approved, refund 400 approved, refund 1 declined", "1000 1000 1000 0"},
		"refund a hold":         {true, "refund 1 declined", "1000 0 0 0"},
		"refund a part":         {true, "capture 400 approved, refund 401 declined, refund 400 approved", "1000 400 400 0"},
		"a refund that waits":   {false, "refund 909 waiting, refund 92 declined, refund 91 approved", "1000 1000 91 0"},
		"dispute the rest":      {false, "refund 300 approved, dispute 0 reversed, refund 1 declined", "1000 1000 300 700"},
		"fail after a void":     {false, "void 1000 approved, fail 0 reversed", "1000 0 0 0"},
	} {
		r := newRun()
		r.send(plainRequest{Kind: Charge, Reference: "r", Amount: "1000", Hold: test.hold})
		for i, step := range strings.Split(test.steps, ", ") {
			var kind, amount, want string
			_, _ = fmt.Sscan(step, &kind, &amount, &want)
			state := State("")
			if amount == "0" {
				o, _ := r.simulator.Act(r.received["r"].ID, Choice(kind))
				state = o.State
			} else {
				state = r.send(plainRequest{Kind: Kind(kind), Charge: "r", Amount: amount, Reference: fmt.Sprint("f", i)}).State
			}
			if string(state) != want {
				t.Errorf("%s: %s is %s", name, step, state)
			}
		}
		totals, _ := r.simulator.Totals("plain", "r")
		got := fmt.Sprint(totals.Authorised.Minor(), " ", totals.Captured.Minor(), " ", totals.Refunded.Minor(), " ",
			totals.Disputed.Minor())
		if got != test.want {
			t.Errorf("%s: %s, not %s", name, got, test.want)
		}
	}
}

// TestLaterFailures lets an hour pass after a success that turns into a failure, of a charge, a payout and what was
// captured later, and not of what is voided by then.
func TestLaterFailures(t *testing.T) {
	r := newRun()
	r.send(plainRequest{Kind: Charge, Reference: "charge", Amount: "1934"})
	r.send(plainRequest{Kind: Payout, Reference: "payout", Amount: "1934"})
	r.send(plainRequest{Kind: Charge, Reference: "hold", Amount: "1934", Hold: true})
	r.send(plainRequest{Kind: Charge, Reference: "voided", Amount: "1934"})
	r.send(plainRequest{Kind: Void, Charge: "voided", Reference: "void", Amount: "1000"})
	state := func(reference string) string {
		o, _ := r.simulator.Find("plain", reference)
		return string(o.State) + " " + o.Reason
	}
	r.wait(2 * time.Hour)
	if got := state("hold"); got != "authorised " {
		t.Errorf("hold: %s", got)
	}
	r.send(plainRequest{Kind: Capture, Charge: "hold", Reference: "capture", Amount: "500"})
	r.wait(59 * time.Minute)
	if got := state("hold"); got != "approved " {
		t.Errorf("captured: %s", got)
	}
	r.wait(time.Minute)
	for reference, want := range map[string]string{
		"charge": "reversed failed_later", "payout": "reversed failed_later", "hold": "reversed failed_later",
		"voided": "reversed voided",
	} {
		if got := state(reference); got != want {
			t.Errorf("%s: %s", reference, got)
		}
	}
}

// TestOldestIsForgotten executes more than is held.
func TestOldestIsForgotten(t *testing.T) {
	r := newRun()
	r.simulator.Keep = 10
	for i := range 25 {
		r.send(plainRequest{Kind: Charge, Reference: fmt.Sprint("r", i), Amount: "1000"})
	}
	_, old := r.simulator.Find("plain", "r14")
	_, new := r.simulator.Find("plain", "r15")
	held := [...]int{len(r.simulator.Operations()), len(r.simulator.Requests()), len(r.simulator.byID),
		len(r.simulator.references)}
	if old || !new || held != [...]int{10, 10, 10, 10} {
		t.Errorf("%v %v %v", old, new, held)
	}
}
