// Package cost counts what the service's operations use of AWS, and what that costs. Nothing is estimated from the code:
// the real Lambda binaries run in the local cloud, and their requests are counted where they arrive.
package cost

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/visitor"
)

// Operation is something that a merchant or payer does, and what it uses.
type Operation struct {
	Name string
	Use  Use
}

// The operations, in the order in which Measure answers them.
const (
	PaidCheckout  = "paid checkout"
	Session       = "session"
	PageLoad      = "page load"
	StatusPayment = "status by payment_id"
	StatusOrder   = "status by order_id"
)

// The functions remember merchants for a minute and addresses of callbacks for ten seconds. What is measured has to
// happen within these times, less one second.
const (
	addressKnown  = 9 * time.Second
	merchantKnown = 59 * time.Second
	tries         = 5
)

var errSlow = errors.New("the machine is too busy: the functions forgot what they had read before the measurement was over")

// Measure counts each operation once with warm functions, one environment each. Lambda's time is the mean of as many
// rounds as are asked for, one or more.
func Measure(ctx context.Context, root string, rounds int) ([]Operation, error) {
	c, err := cloud.Start(ctx, cloud.Config{
		Root: root, StackName: "cost", Most: 1, NoSchedule: true,
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
	m := &meter{cloud: c, visitor: v}
	operations, err := m.warmRound(ctx)
	for try := 1; errors.Is(err, errSlow) && try < tries; try++ {
		operations, err = m.warmRound(ctx)
	}
	if err != nil {
		return nil, err
	}
	for range rounds - 1 {
		more, err := m.round(ctx, time.Now())
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

// meter measures in a running cloud.
type meter struct {
	cloud   *cloud.Cloud
	visitor *visitor.Visitor
}

// warmRound measures with functions that have done everything once, a moment ago.
func (m *meter) warmRound(ctx context.Context) ([]Operation, error) {
	for _, f := range m.cloud.Template().Functions {
		m.cloud.Kill(f.Name)
	}
	began := time.Now()
	order, err := m.visitor.Checkout(ctx)
	if err != nil {
		return nil, fmt.Errorf("first checkout: %w", err)
	}
	if err := m.visitor.StatusByPayment(ctx, order); err != nil {
		return nil, fmt.Errorf("first status: %w", err)
	}
	if err := m.quiet(ctx); err != nil {
		return nil, err
	}
	return m.round(ctx, began)
}

// round measures every operation once. It fails with errSlow, but with a whole answer, when the functions have
// forgotten on the way what they read after began.
func (m *meter) round(ctx context.Context, began time.Time) ([]Operation, error) {
	var paid, open *visitor.Order
	steps := []struct {
		name string
		do   func() error
		in   time.Duration // of began
	}{
		{PaidCheckout, func() (err error) { paid, err = m.visitor.Checkout(ctx); return err }, addressKnown},
		{Session, func() (err error) { open, err = m.visitor.Session(ctx); return err }, merchantKnown},
		{PageLoad, func() error { _, err := m.visitor.Screen(ctx, open, "form"); return err }, merchantKnown},
		{StatusPayment, func() error { return m.visitor.StatusByPayment(ctx, paid) }, merchantKnown},
		{StatusOrder, func() error { return m.visitor.StatusByOrder(ctx, paid) }, merchantKnown},
	}
	var operations []Operation
	slow := error(nil)
	for _, step := range steps {
		m.cloud.Reset()
		if err := step.do(); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		if err := m.quiet(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		used := m.cloud.Snapshot()
		if time.Since(began) > step.in {
			slow = errSlow
		}
		for name, u := range used {
			if u.ColdStarts+u.Errors+u.Throttles > 0 {
				return nil, fmt.Errorf("%s: %s had %d cold starts, %d errors, %d throttles", step.name, name, u.ColdStarts, u.Errors, u.Throttles)
			}
		}
		operations = append(operations, Operation{step.name, useOf(m.cloud.Template(), used)})
	}
	return operations, slow
}

// quiet waits until no message is waiting or being worked on.
func (m *meter) quiet(ctx context.Context) error {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		busy := false
		for _, queue := range []string{"Jobs", "Callbacks"} {
			depth, err := m.cloud.QueueDepth(ctx, queue)
			if err != nil {
				return err
			}
			busy = busy || depth != cloud.Depth{}
		}
		if !busy {
			return nil
		}
	}
	return errors.New("the queues did not become empty")
}
