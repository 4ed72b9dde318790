package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/app/function"
	"checkout/internal/local/client"

	"github.com/aws/aws-lambda-go/lambda"
)

// handler is one measured handler.
type handler struct {
	name string
	measured
}

// measured is a benchmark's result with the processor time of all threads, which depends less on other load of the
// machine than the elapsed time does.
type measured struct {
	testing.BenchmarkResult
	processor time.Duration // of one call
}

// orders is how many events for new orders are made before measuring. They are used again after a minute of the
// service's clock, when their sessions are no longer duplicates.
const orders = 1000

// inMemory is the service with everything in memory, as Lambda would call it.
type inMemory struct {
	options  Options
	password string
	now      time.Time
	session  lambda.Handler
	status   lambda.Handler
}

// measureHandlers runs Go benchmarks of the session and the status function.
func measureHandlers(ctx context.Context, options Options) ([]handler, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(function.GCPercent)) // as functions have it
	testing.Init()
	if err := flag.Set("test.benchtime", options.Handlers); err != nil {
		return nil, err
	}
	m := &inMemory{options: options, now: time.Now()}
	if err := m.build(ctx); err != nil {
		return nil, err
	}
	creations, err := m.creations()
	if err != nil {
		return nil, err
	}
	status, err := m.event("status/by_order_id.json", "order-000000")
	if err != nil {
		return nil, err
	}
	session, err := benchmark(func(i int) error {
		if i%orders == 0 {
			m.now = m.now.Add(time.Minute)
		}
		return call(ctx, m.session, creations[i%orders])
	})
	if err != nil {
		return nil, err
	}
	// A new service, because in the old one order-000000 has many sessions, and the status reads them all.
	if err := m.build(ctx); err != nil {
		return nil, err
	}
	if err := call(ctx, m.session, creations[0]); err != nil {
		return nil, err
	}
	found, err := benchmark(func(int) error { return call(ctx, m.status, status) })
	return []handler{{"session creation", session}, {"status by order_id", found}}, err
}

// creations returns events that create the sessions of as many orders as orders says.
func (m *inMemory) creations() (events [][]byte, err error) {
	for i := range orders {
		event, err := m.event("session/create.json", fmt.Sprintf("order-%06d", i))
		if err != nil {
			return nil, err
		}
		events = append(events, event)
	}
	return events, nil
}

// benchmark calls do with 0, 1, 2 ... until the time of a benchmark is over.
func benchmark(do func(i int) error) (measured, error) {
	var m measured
	var failed error
	i := 0
	m.BenchmarkResult = testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		began := processor()
		for b.Loop() {
			if failed = do(i); failed != nil {
				b.FailNow()
			}
			i++
		}
		m.processor = (processor() - began) / time.Duration(b.N)
	})
	return m, failed
}

// processor is how long this process has used processors.
func processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0 // never for this process
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func (m *inMemory) build(ctx context.Context) error {
	env := map[string]string{"BASE_URL": "https://checkout.example"}
	getenv := func(name string) string { return env[name] }
	e, err := app.InMemory(getenv, app.Logger(io.Discard), func() time.Time { return m.now })
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(m.options.Root, "infra", "merchants.json"))
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte("{SIMULATOR_URL}"), []byte("https://simulator.example"))
	merchants, err := app.LoadMerchants(ctx, e.Merchants, text, "https://shop.example")
	if err != nil {
		return err
	}
	if len(merchants) == 0 {
		return fmt.Errorf("no merchant in infra/merchants.json")
	}
	m.password = merchants[0].Password
	m.session = lambda.NewHandler(app.Functions()["session"].Handler(e.App))
	m.status = lambda.NewHandler(app.Functions()["status"].Handler(e.App))
	return nil
}

// event is a sample event of the repository for another order.
func (m *inMemory) event(file, number string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(m.options.Root, "events", file))
	if err != nil {
		return nil, err
	}
	event, err := forOrder(text, m.password, number)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return event, nil
}

// forOrder is a sample event for another order, signed with the merchant's password.
func forOrder(sample []byte, password, number string) ([]byte, error) {
	var event, body map[string]any
	if err := json.Unmarshal(sample, &event); err != nil {
		return nil, err
	}
	inside, _ := event["body"].(string)
	if err := json.Unmarshal([]byte(inside), &body); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	if order, ok := body["order"].(map[string]any); ok {
		order["number"] = number
	} else {
		body["order_id"] = number
	}
	changed, err := json.Marshal(client.Merchant{Password: password}.Sign(body))
	if err != nil {
		return nil, err
	}
	event["body"] = string(changed)
	return json.Marshal(event)
}

// call calls a handler, and fails unless the status of the response is 200.
func call(ctx context.Context, h lambda.Handler, event []byte) error {
	response, err := h.Invoke(ctx, event)
	if err != nil {
		return err
	}
	const ok = `{"statusCode":200,`
	if !strings.HasPrefix(string(response), ok) {
		return fmt.Errorf("the handler returned %s", response)
	}
	return nil
}
