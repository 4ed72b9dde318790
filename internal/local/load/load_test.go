package load_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/client"
	"checkout/internal/local/load"
)

// serve starts the embedded service, with an empty page, behind a handler that may stand in its way.
func serve(t *testing.T, before func(w http.ResponseWriter, r *http.Request) (stop bool)) load.Config {
	t.Helper()
	page := t.TempDir()
	if err := os.WriteFile(filepath.Join(page, "index.html"), []byte("<p>a page"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := local.Start(t.Context(), local.Config{Root: "../../..", Page: page, Wallet: page, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	service := httputil.NewSingleHostReverseProxy(to)
	service.ErrorLog = log.New(t.Output(), "", 0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !before(w, r) {
			service.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return load.Config{
		URL: server.URL, Merchant: client.Merchant{Key: s.Demo.TestKey, Password: s.Demo.Password},
		Rates: []int{10}, Each: time.Second, Bound: time.Hour, Timeout: 5 * time.Minute, Patience: 5 * time.Minute,
		Open: 1000,
	}
}

func open(http.ResponseWriter, *http.Request) bool { return false }

// stall waits until the client gives up.
func stall(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // a server notices the end of the connection only after it has read the body
	<-r.Context().Done()
}

// isSession reports whether a request creates a session.
func isSession(r *http.Request) bool { return r.URL.Path == "/api/v1/session" }

// measure runs with JSON, and returns steps and conclusion. Nothing is left over.
func measure(t *testing.T, ctx context.Context, c load.Config) (steps []load.Step, end load.Conclusion) {
	t.Helper()
	var out bytes.Buffer
	c.JSON = true
	if err := load.Run(ctx, c, &out); err != nil {
		t.Fatal(err)
	}
	var left bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&left, 1); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(left.String(), "load.(*stage)") {
		t.Errorf("it goes on:\n%s", &left)
	}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	for i, line := range lines {
		var into any = &end
		if i < len(lines)-1 {
			steps = append(steps, load.Step{})
			into = &steps[i]
		}
		if err := json.Unmarshal(line, into); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return steps, end
}

// A service that takes all checkouts has a table without errors.
func TestWithoutErrors(t *testing.T) {
	c := serve(t, open)
	c.Rates = []int{5, 10}
	steps, end := measure(t, t.Context(), c)
	if len(steps) != 2 || end.Stopped {
		t.Fatalf("%+v %+v", steps, end)
	}
	for i, step := range steps {
		if want := c.Rates[i]; step.Offered != c.Rates[i] || step.Done != want || len(step.Errors) > 0 {
			t.Errorf("%+v: want %d done", step, want)
		}
		for _, name := range strings.Fields("session page form pay status outcome whole") {
			if p := step.Times[name]; p.P50 <= 0 || p.P50 > p.P95 || p.P95 > p.P99 {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
	var out bytes.Buffer
	if err := load.Run(t.Context(), c, &out); err != nil || strings.Count(out.String(), "\n") < 5 ||
		!strings.Contains(out.String(), " outcome ") || !strings.Contains(out.String(), "\nit keeps up with ") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// What is refused is counted by its status, and the service breaks at that rate.
func TestHalfIsRefused(t *testing.T) {
	var calls atomic.Int64
	c := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		refused := isSession(r) && calls.Add(1)%2 == 0
		if refused {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return refused
	})
	steps, end := measure(t, t.Context(), c)
	if len(steps) != 1 || steps[0].Done != 5 || len(steps[0].Errors) != 1 || steps[0].Errors["429 session"] != 5 {
		t.Errorf("%+v", steps)
	}
	if end.KeepsUp != 0 || end.BreaksAt != 10 || !strings.Contains(end.Why, "of 10 a second are done") {
		t.Errorf("%+v", end)
	}
}

// A service that stalls is shown as such: by timeouts, and by times that count from the planned arrival. A run ends
// after two steps that were too much.
func TestItStalls(t *testing.T) {
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if isSession(r) {
			stall(r)
		}
		return isSession(r)
	})
	c.Rates, c.Timeout, c.Bound = []int{10, 20, 40}, 300*time.Millisecond, 100*time.Millisecond
	steps, end := measure(t, t.Context(), c)
	if len(steps) != 2 || steps[0].Done != 0 || steps[0].Errors["timeout session"] != 10 ||
		steps[0].Times["session"].P50 < 300_000 {
		t.Errorf("%+v", steps)
	}
	if end.BreaksAt != 10 || !strings.Contains(end.Why, "0.0 of 10 a second are done, p99 of session is ") {
		t.Errorf("%+v", end)
	}
}

// More checkouts than may be open are not sent, so that memory is bounded.
func TestMoreThanMayBeOpen(t *testing.T) {
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) bool {
		stall(r)
		return true
	})
	c.Open, c.Rates, c.Timeout = 3, []int{20}, 2*time.Second
	steps, _ := measure(t, t.Context(), c)
	if len(steps) != 1 || steps[0].Errors["not sent"] == 0 ||
		steps[0].Errors["not sent"]+steps[0].Errors["timeout session"] != 20 {
		t.Errorf("%+v", steps)
	}
}

// An interrupted run says what it has measured, and does not count what it cuts off.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var calls atomic.Int64
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/v1/payment/status" && calls.Add(1) == 5 {
			stop()
		}
		return false
	})
	c.Each = time.Hour
	steps, end := measure(t, ctx, c)
	if len(steps) != 1 || !steps[0].Stopped || steps[0].Done < 1 || len(steps[0].Errors) > 0 || steps[0].Broken != "" {
		t.Errorf("%+v", steps)
	}
	if !end.Stopped || end.KeepsUp != 0 || end.BreaksAt != 0 {
		t.Errorf("%+v", end)
	}
}
