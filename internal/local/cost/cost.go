// Package cost counts what the service's operations use of AWS, and what that costs. The real Lambda binaries run in
// the local cloud, which counts their requests.
package cost

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/visitor"
)

// Operation is something that a merchant or payer does, and what it uses.
type Operation struct {
	Name string
	Use  Use
}

// The operations, in the order in which Measure returns them.
const (
	paidCheckout  = "paid checkout"
	session       = "session"
	pageLoad      = "page load"
	statusPayment = "status by payment_id"
	statusOrder   = "status by order_id"

	refund  = "refund"
	capture = "capture"
	void    = "void"
	retry   = "retry"
	later   = "later payment"

	savingCheckout = "checkout saving card"
	savedCheckout  = "with saved card"
	keySession     = "session with key"
	keyAgain       = "same again"
	explain        = "explain"

	walletCheckout   = "checkout with wallet"
	walletFromServer = "token from server"
	virtualCheckout  = "wallet, virtual flow"

	listing = "listing of checkout"
)

// The functions cache merchants for a minute, addresses of callbacks and circuit breakers for ten seconds. What is
// measured has to happen within these times, less one second.
const (
	addressKnown  = 9 * time.Second
	merchantKnown = 59 * time.Second
	tries         = 5
)

var errSlow = errors.New("the machine is too busy: the functions' caches expired, or they waited too long for each " +
	"other, before the measurement was over")

// Measure counts each operation once with warm functions, one environment each. Lambda's time is the mean of a number
// of rounds, one or more.
func Measure(ctx context.Context, root string, rounds int) ([]Operation, error) {
	c, err := cloud.Start(ctx, cloud.Config{
		Root: root, StackName: "cost", Most: 1, NoSchedule: true, NoStreams: true, Slower: 10,
		Environment: map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true"},
	})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	v, err := visitor.Start(ctx, c, root)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	live, err := visitor.StartLive(ctx, c, root)
	if err != nil {
		return nil, err
	}
	defer live.Close()
	v.Browser, live.Browser = true, true
	m := &meter{cloud: c, visitor: v, live: live}
	var all []Operation
	for _, steps := range []func(context.Context) []step{m.visit, m.followUps, m.chains, m.savedCards, m.wallets,
		m.listing} {
		operations, err := m.measure(ctx, steps, rounds)
		if err != nil {
			return nil, err
		}
		all = append(all, operations...)
	}
	return all, nil
}

// meter measures in a running cloud.
type meter struct {
	cloud   *cloud.Cloud
	visitor *visitor.Visitor
	live    *visitor.Visitor // of a merchant's live key
}

// measure measures some steps, and repeats them if the machine was too busy.
func (m *meter) measure(ctx context.Context, steps func(context.Context) []step, rounds int) ([]Operation, error) {
	operations, err := m.warmRound(ctx, steps)
	for try := 1; errors.Is(err, errSlow) && try < tries; try++ {
		operations, err = m.warmRound(ctx, steps)
	}
	if err != nil {
		return nil, err
	}
	for range rounds - 1 {
		more, err := m.round(ctx, time.Now(), steps(ctx))
		if err != nil && !errors.Is(err, errSlow) {
			return nil, err
		}
		for i := range more {
			operations[i].Use.Compute += more[i].Use.Compute
		}
	}
	for i := range operations {
		operations[i].Use.Compute /= int64(rounds)
	}
	return operations, nil
}

// warmRound does the steps once without measuring, so that functions and caches are warm, and measures the second time.
func (m *meter) warmRound(ctx context.Context, steps func(context.Context) []step) ([]Operation, error) {
	for _, f := range m.cloud.Template().Functions {
		m.cloud.Kill(f.Name)
	}
	began := time.Now()
	for _, s := range steps(ctx) {
		if err := s.do(); err != nil {
			return nil, fmt.Errorf("first %s: %w", s.name, err)
		}
	}
	if err := m.quiet(ctx); err != nil {
		return nil, err
	}
	return m.round(ctx, began, steps(ctx))
}

// round does every step once and measures those with a name. It fails with errSlow, and still returns everything, if
// caches of the functions have expired meanwhile, or a function that waits had to load more than twice.
func (m *meter) round(ctx context.Context, began time.Time, steps []step) ([]Operation, error) {
	var operations []Operation
	slow := error(nil)
	for _, s := range steps {
		m.settled()
		m.cloud.Reset()
		if err := s.do(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		if err := m.quiet(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		if s.name == "" {
			continue
		}
		used, front := m.settled()
		if time.Since(began) > s.in || s.waits != "" && used[s.waits].AWS.Requests["dynamodb:GetItem"] > s.reads+2 {
			slow = errSlow
		}
		for name, u := range used {
			if u.ColdStarts+u.Errors+u.Throttles > 0 {
				return nil, fmt.Errorf("%s: %s had %d cold starts, %d errors, %d throttles",
					s.name, name, u.ColdStarts, u.Errors, u.Throttles)
			}
		}
		if s.only != "" {
			used, front = map[string]cloud.Usage{s.only: used[s.only]}, gateway.Counts{}
		}
		operations = append(operations, Operation{s.name, useOf(m.cloud.Template(), used, front, s.waits)})
	}
	return operations, slow
}

// settled returns the counts when they have stopped growing: a function's last line, and the count of a response, may
// be added a moment after the response itself.
func (m *meter) settled() (map[string]cloud.Usage, gateway.Counts) {
	used, front := m.cloud.Snapshot(), m.cloud.Front()
	for {
		time.Sleep(20 * time.Millisecond)
		again, frontAgain := m.cloud.Snapshot(), m.cloud.Front()
		if reflect.DeepEqual(used, again) && front == frontAgain {
			return used, front
		}
		used, front = again, frontAgain
	}
}

// quiet waits until no message is waiting or being worked on.
func (m *meter) quiet(ctx context.Context) error {
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if depth, err := m.cloud.Waiting(ctx); err != nil || depth == (cloud.Depth{}) {
			return err
		}
	}
	return errors.New("the queues did not become empty")
}
