package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/reason"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

var sentAt = time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)

// queuedJobs are the delays of the messages that a queue has got.
type queuedJobs []time.Duration

func (q *queuedJobs) SendCallback(context.Context, callback.Message, time.Duration) error { return nil }

func (q *queuedJobs) SendCallbacks(context.Context, []callback.Message) (int, error) { return 0, nil }

func (q *queuedJobs) SendJob(_ context.Context, _ payment.JobMessage, delay time.Duration) error {
	*q = append(*q, delay)
	return nil
}

// lookedUp is a provider that has one response to every look-up, and takes no charge.
type lookedUp struct {
	result connector.Result
	err    error
}

func (l lookedUp) QueryStatus(context.Context, connector.ProviderRequest) (connector.Result, error) {
	return l.result, l.err
}

func (lookedUp) Charge(context.Context, connector.Charge) (connector.Result, error) {
	return connector.Result{}, errors.New("charged")
}

// blind is a provider that can't be looked up.
type blind struct{ connector.Connector }

// runOf is the run of a refund that was sent, at a time, after its payment was stored.
func runOf(t *testing.T, now time.Time, change func(*payment.Job)) (execution, *queuedJobs) {
	t.Helper()
	queue := &queuedJobs{}
	core := &checkout.Core{Store: memory.NewStore(), Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return now }, Random: func(n int) []byte { return make([]byte, n) }}
	id := store.NewPaymentID(store.OrderHash("live/shop", "1"), sentAt, make([]byte, 4))
	p := &payment.Payment{ID: id, Status: payment.StatusSettled, ChargeOutcome: payment.ChargeOutcome{ChargeReference: id}}
	p.Owner, p.CreatedAt = fault.Owner{Merchant: "shop"}, sentAt
	p.Jobs = payment.Jobs{{Kind: payment.JobRefund, Reference: "r", SentAt: sentAt, Tries: 1, Notified: true,
		DueAt: sentAt.Add(payment.JobLease)}}
	change(&p.Jobs[0])
	if err := core.Store.Save(t.Context(), now, p.Record()); err != nil {
		t.Fatal(err)
	}
	run := execution{core: core, runner: NewRunner(core, queue, Providers{}, Openers{})}
	run.runner.ProviderTimeout = time.Second
	run.task.Payment, run.task.Reference = stored(t, run, id), "r"
	return run, queue
}

func stored(t *testing.T, run execution, id string) *payment.Payment {
	t.Helper()
	p, err := run.core.Payment(t.Context(), run.core.Now(), id)
	if err != nil || p == nil {
		t.Fatal(p, err)
	}
	return p
}

// What a run has found out of a job does not count once another worker has sent the job, a person has decided it or it
// has ended.
func TestAStaleRunChangesNothing(t *testing.T) {
	now := sentAt.Add(payment.JobLease + time.Second)
	ends := map[string]func(recorder) error{
		"unknown":          func(r recorder) error { return r.postpone(t.Context(), payment.Undefined) },
		"undecided":        func(r recorder) error { return r.postpone(t.Context(), payment.Waiting) },
		"not sent":         func(r recorder) error { return r.notSent(t.Context(), connector.ErrNotSent) },
		"declined, unsent": func(r recorder) error { return r.declineUnsent(t.Context(), reason.Unreachable) },
	}
	for meanwhile, change := range map[string]func(*payment.Payment){
		"nothing":  func(p *payment.Payment) { p.Callbacks++ },
		"sent":     func(p *payment.Payment) { p.Jobs[0].Send(now) },
		"unsent":   func(p *payment.Payment) { p.Jobs[0].QueueAgain(now, 0) },
		"ended":    func(p *payment.Payment) { p.Jobs.Remove("r") },
		"decided":  func(p *payment.Payment) { p.Jobs[0].Decide(payment.Decision{At: now}) },
		"no write": nil,
	} {
		for name, end := range ends {
			run, queue := runOf(t, now, func(*payment.Job) {})
			if change != nil {
				other := stored(t, run, run.task.Payment.ID)
				change(other)
				if err := run.core.Store.Save(t.Context(), now, other.Record()); err != nil {
					t.Fatal(err)
				}
			}
			before, err := json.Marshal(stored(t, run, run.task.Payment.ID))
			if err != nil {
				t.Fatal(err)
			}
			if err := end(run.recorder()); err != nil {
				t.Errorf("%s, meanwhile %s: %v", name, meanwhile, err)
			}
			after, err := json.Marshal(stored(t, run, run.task.Payment.ID))
			if err != nil {
				t.Fatal(err)
			}
			stale := meanwhile != "nothing" && meanwhile != "no write"
			if name == "declined, unsent" && meanwhile == "decided" {
				continue // nothing was sent: that is certain, and what a person has decided does not count
			}
			if same := string(before) == string(after); same != stale || stale && len(*queue) > 0 {
				t.Errorf("%s, meanwhile %s: %s became %s, messages %v", name, meanwhile, before, after, *queue)
			}
		}
	}
}

// A request that does not reach its provider is sent five times, then it is declined: each time it was certain that
// nothing was sent.
func TestTriesOfARequestThatIsNotSent(t *testing.T) {
	for tries, want := range []string{1: "queued [5s]", 2: "queued [15s]", 3: "queued [30s]", 4: "queued [1m0s]",
		5: "declined []", 6: "declined []"} {
		if tries == 0 {
			continue
		}
		run, queue := runOf(t, sentAt, func(job *payment.Job) { job.Tries = tries })
		if err := run.recorder().notSent(t.Context(), connector.ErrNotSent); err != nil {
			t.Fatal(err)
		}
		p := stored(t, run, run.task.Payment.ID)
		got := "declined"
		if job := p.Jobs.Find("r"); job != nil {
			if got = string(job.State(sentAt)); job.Tries != tries || !job.DueAt.After(sentAt.Add((*queue)[0])) {
				t.Errorf("%d tries: %+v", tries, job)
			}
		}
		if got = fmt.Sprint(got, " ", *queue); got != want {
			t.Errorf("after %d tries: %s, want %s", tries, got, want)
		}
		if ended := p.Transactions; (len(ended) == 1 && ended[0].Status == payment.Fail) != (tries >= maxSends) {
			t.Errorf("after %d tries: %+v", tries, ended)
		}
	}
}

// Only a look-up that finds nothing, when that proves something, says that a request was lost and may be sent again.
func TestWhatALookUpProves(t *testing.T) {
	lease := sentAt.Add(payment.JobLease)
	says := func(outcome connector.Outcome, err error) lookedUp {
		return lookedUp{connector.Result{Outcome: outcome}, err}
	}
	nothing := says(connector.OutcomeUnknown, nil)
	for name, test := range map[string]struct {
		by   connector.Connector
		at   time.Time
		want string
	}{
		"found nothing":               {nothing, lease, "lost"},
		"found nothing, too early":    {nothing, lease.Add(-1), "unknown 1"},
		"no response":                 {lookedUp{err: errors.New("timeout")}, lease, "unknown 1"},
		"did not reach it":            {lookedUp{err: connector.ErrNotSent}, lease, "unknown 1"},
		"can't look it up":            {blind{}, lease, "unknown 0"},
		"not decided yet":             {says(connector.OutcomePending, nil), lease, "undecided 1"},
		"declined":                    {says(connector.OutcomeDeclined, nil), lease, "fail"},
		"nothing, and then an error":  {says(connector.OutcomeUnknown, errors.New("reset")), lease, "unknown 1"},
		"declined, and then an error": {says(connector.OutcomeDeclined, errors.New("x")), lease, "unknown 1"},
	} {
		run, _ := runOf(t, test.at, func(*payment.Job) {})
		run.connector = test.by
		run.charge.Kind = connector.RequestRefund
		lost, err := run.lookUp(t.Context())
		p := stored(t, run, run.task.Payment.ID)
		got := ""
		switch job := p.Jobs.Find("r"); {
		case lost:
			got = "lost"
		case job == nil:
			got = string(p.Transactions[0].Status)
		default:
			got = fmt.Sprint(job.State(test.at), " ", job.LookUps)
			if job.Tries != 2 || !job.SentAt.Equal(sentAt) || job.Finding == nil || !job.DueAt.After(test.at) {
				t.Errorf("%s: %+v", name, job)
			}
		}
		if err != nil || got != test.want {
			t.Errorf("%s: %s, want %s, %v", name, got, test.want, err)
		}
	}
}
