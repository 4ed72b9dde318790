package lambda

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var binary string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "probe")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(folder, "bootstrap")
	if out, err := exec.Command("go", "build", "-o", binary, "./testdata/probe").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// patience is how long tests wait for what has to happen.
const patience = 5 * time.Minute

// host has one function, f, changed as the test likes.
func host(t *testing.T, change func(*Spec)) *Host {
	t.Helper()
	spec := Spec{
		Name: "f", FullName: "stack-f", ARN: "arn:f", Binary: binary, Handler: "bootstrap", Timeout: 60 * time.Second,
		MemoryMB:    512,
		Concurrency: -1, Environment: map[string]string{"TABLE": "t"}, AccessKeyID: "LOCALF",
	}
	if change != nil {
		change(&spec)
	}
	h := New(Config{Region: "eu-central-1", EndpointURL: "http://127.0.0.1:1", Most: 8, Patience: patience, Now: time.Now},
		[]Spec{spec})
	t.Cleanup(h.Close)
	return h
}

// gate is a Unix socket that calls wait at until it opens.
type gate struct {
	t        *testing.T
	path     string
	listener net.Listener
	held     []net.Conn
}

func newGate(t *testing.T) *gate {
	t.Helper()
	folder, err := os.MkdirTemp("", "gate") // the test's own may have too long a name for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	g := &gate{t: t, path: filepath.Join(folder, "gate")}
	if g.listener, err = net.Listen("unix", g.path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.listener.Close(); g.open() })
	return g
}

func (g *gate) event() []byte { return []byte(`{"do":"wait","gate":"` + g.path + `"}`) }

// arrivals waits for n calls.
func (g *gate) arrivals(n int) {
	g.t.Helper()
	for range n {
		g.listener.(*net.UnixListener).SetDeadline(time.Now().Add(patience))
		connection, err := g.listener.Accept()
		if err != nil {
			g.t.Fatalf("%d calls of %d: %v", len(g.held), n, err)
		}
		g.held = append(g.held, connection)
	}
}

// open lets the calls that have arrived go on.
func (g *gate) open() {
	for _, connection := range g.held {
		connection.Close()
	}
	g.held = nil
}

// behind calls f once more in the background, and returns when the call has arrived at the gate.
func (g *gate) behind(h *Host) chan Result {
	g.t.Helper()
	results := make(chan Result, 1)
	go func() {
		result, _ := h.Invoke(context.Background(), "f", g.event())
		results <- result
	}()
	g.arrivals(1)
	return results
}

// until waits for something.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// ended waits for the response to a call.
func ended(t *testing.T, results chan Result) Result {
	t.Helper()
	select {
	case result := <-results:
		return result
	case <-time.After(patience):
		t.Fatal("a call never ended")
		return Result{}
	}
}

func invoke(t *testing.T, h *Host, event string) Result {
	t.Helper()
	result, err := h.Invoke(t.Context(), "f", []byte(event))
	if err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	return result
}

func pid(t *testing.T, result Result) int {
	t.Helper()
	var out struct{ PID int }
	if err := json.Unmarshal(result.Payload, &out); err != nil || out.PID == 0 || result.FunctionError != "" {
		t.Fatalf("no good response: %s %s", result.FunctionError, result.Payload)
	}
	return out.PID
}

func TestCallsInARowUseOneEnvironment(t *testing.T) {
	h := host(t, nil)
	first := pid(t, invoke(t, h, `{}`))
	for range 200 {
		if again := pid(t, invoke(t, h, `{}`)); again != first {
			t.Fatalf("process %d, then %d", first, again)
		}
	}
	counts := h.Counts()["f"]
	if counts.Invocations != 201 || counts.ColdStarts != 1 || counts.Errors != 0 || counts.Duration <= 0 {
		t.Errorf("counts %+v", counts)
	}
	h.Reset()
	if counts := h.Counts()["f"]; counts != (Counts{}) {
		t.Errorf("after reset %+v", counts)
	}
}

func TestCallsAtOnceUseEnvironmentsOfTheirOwn(t *testing.T) {
	h, g := host(t, nil), newGate(t)
	responses := []chan Result{g.behind(h), g.behind(h)}
	if n := h.Environments("f"); n != 2 {
		t.Errorf("%d environments", n)
	}
	g.open()
	if pid(t, ended(t, responses[0])) == pid(t, ended(t, responses[1])) {
		t.Error("two calls at the same time shared a process")
	}
}

func TestMoreCallsThanTheLaptopAllowsWait(t *testing.T) {
	h, g := host(t, nil), newGate(t)
	h.config.Most = 2
	results := make(chan Result, 5)
	for range 5 {
		go func() {
			result, _ := h.Invoke(context.Background(), "f", g.event())
			results <- result
		}()
	}
	g.arrivals(2)
	until(t, "three calls wait", func() bool {
		f := h.functions["f"]
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.waiting) == 3
	})
	var pids []int
	for left := 5; left > 0; left-- {
		g.held[0].Close()
		g.held = g.held[1:]
		pids = append(pids, pid(t, ended(t, results)))
		if left > 2 {
			g.arrivals(1)
		}
	}
	slices.Sort(pids)
	if n := len(slices.Compact(pids)); n != 2 {
		t.Errorf("%d processes, allowed are 2", n)
	}
}

// TestAnEnvironmentThatIsSlowToAskAgain has one that has responded and not asked for the next call: a call without an
// idle environment waits for it, but not for ever.
func TestAnEnvironmentThatIsSlowToAskAgain(t *testing.T) {
	h, g := host(t, nil), newGate(t)
	h.config.Patience = time.Millisecond
	busy := g.behind(h)
	h.functions["f"].finish() // as if it had responded
	other := g.behind(h)
	if n := h.Environments("f"); n != 2 {
		t.Errorf("%d environments", n)
	}
	g.open()
	ended(t, busy)
	ended(t, other)
}

func TestReservedConcurrencyThrottles(t *testing.T) {
	h, g := host(t, func(s *Spec) { s.Concurrency = 1 }), newGate(t)
	first := pid(t, invoke(t, h, `{}`))
	busy := g.behind(h)
	if _, err := h.Invoke(t.Context(), "f", []byte(`{}`)); !errors.Is(err, ErrThrottled) {
		t.Errorf("error %v", err)
	}
	g.open()
	if pid(t, ended(t, busy)) != first || pid(t, invoke(t, h, `{}`)) != first {
		t.Error("a second environment")
	}
	if n := h.Counts()["f"].Throttles; n != 1 {
		t.Errorf("%d throttles", n)
	}
}

func TestWhatGoesWrongInAFunction(t *testing.T) {
	cases := []struct {
		name, event, kind, message string
		replaced                   bool
	}{
		{"error", `{"do":"error"}`, "errorString", "a plain error", false},
		{"panic", `{"do":"panic"}`, "string", "on purpose", true},
		{"exit", `{"do":"exit"}`, "Runtime.ExitError", "Runtime exited with error: exit status 7", true},
		{"too long", `{"do":"wait"}`, "Sandbox.Timedout", "Task timed out after 1.50 seconds", true},
		{"too large", `{"do":"large"}`, "Function.ResponseSizeTooLarge", "the response exceeds", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := host(t, func(s *Spec) { s.Timeout = 1500 * time.Millisecond })
			before := pid(t, invoke(t, h, `{}`))
			result := invoke(t, h, c.event)
			var said struct{ ErrorType, ErrorMessage string }
			if err := json.Unmarshal(result.Payload, &said); err != nil {
				t.Fatal(err)
			}
			if result.FunctionError != "Unhandled" || said.ErrorType != c.kind ||
				!strings.Contains(said.ErrorMessage, c.message) {
				t.Errorf("%s: %s", result.FunctionError, result.Payload)
			}
			after := pid(t, invoke(t, h, `{}`))
			if (before != after) != c.replaced && c.name != "too large" {
				t.Errorf("process %d, then %d", before, after)
			}
			if n := h.Counts()["f"].Errors; n != 1 {
				t.Errorf("%d errors counted", n)
			}
		})
	}
}

func TestFunctionsThatDoNotStart(t *testing.T) {
	for name, change := range map[string]func(*Spec){
		"exit":      func(s *Spec) { s.Environment = map[string]string{"INIT": "exit"} },
		"panic":     func(s *Spec) { s.Environment = map[string]string{"INIT": "panic"} },
		"no binary": func(s *Spec) { s.Binary += "-missing" },
	} {
		t.Run(name, func(t *testing.T) {
			h := host(t, change)
			result := invoke(t, h, `{}`)
			if result.FunctionError == "" || !bytes.Contains(result.Payload, []byte("Runtime.")) {
				t.Errorf("%q %s", result.FunctionError, result.Payload)
			}
			if n := h.Environments("f"); n != 0 {
				t.Errorf("%d environments left", n)
			}
		})
	}
	if _, err := host(t, nil).Invoke(t.Context(), "other", nil); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown function: %v", err)
	}
}

func TestAFunctionSeesItsOwnVariablesOnly(t *testing.T) {
	t.Setenv("OF_THE_HOST", "secret")
	var lines []string
	if err := json.Unmarshal(invoke(t, host(t, nil), `{"do":"env"}`).Payload, &lines); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		seen[name] = value
	}
	for name, value := range map[string]string{
		"TABLE": "t", "AWS_LAMBDA_FUNCTION_NAME": "stack-f", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
		"AWS_REGION":        "eu-central-1",
		"AWS_ACCESS_KEY_ID": "LOCALF", "AWS_ENDPOINT_URL": "http://127.0.0.1:1", "_HANDLER": "bootstrap",
	} {
		if seen[name] != value {
			t.Errorf("%s is %q, want %q", name, seen[name], value)
		}
	}
	for _, name := range []string{"OF_THE_HOST", "HOME", "USER", "GOPATH", "JOB_QUEUE_URL"} {
		if value, ok := seen[name]; ok {
			t.Errorf("%s=%s reached the function", name, value)
		}
	}
}

func TestDeadlineAndIdentity(t *testing.T) {
	var out struct {
		OK  bool
		MS  int64
		ID  string
		ARN string
	}
	if err := json.Unmarshal(invoke(t, host(t, nil), `{"do":"deadline"}`).Payload, &out); err != nil {
		t.Fatal(err)
	}
	if !out.OK || out.MS < 30000 || out.MS > 60000 || out.ID == "" || out.ARN != "arn:f" {
		t.Errorf("%+v", out)
	}
}

func TestKillEndsCallsAndProcesses(t *testing.T) {
	h, g := host(t, nil), newGate(t)
	process := pid(t, invoke(t, h, `{}`))
	result := g.behind(h)
	if n := h.Kill("f"); n != 1 {
		t.Errorf("killed %d", n)
	}
	if result := ended(t, result); !bytes.Contains(result.Payload, []byte("signal: killed")) {
		t.Errorf("%s", result.Payload)
	}
	if err := syscall.Kill(process, 0); err == nil {
		t.Error("the process lives on")
	}
	if after := pid(t, invoke(t, h, `{}`)); after == process {
		t.Error("not replaced")
	}
}

func TestLogsAreStoredAndPassedOn(t *testing.T) {
	h := host(t, nil)
	var out bytes.Buffer
	h.functions["f"].log.out = &out
	invoke(t, h, `{"do":"print"}`)
	h.Close()
	if written := h.Logs("f"); !strings.Contains(written, "started\n") || !strings.Contains(written, "seen in the log\n") {
		t.Errorf("kept %q", written)
	}
	if !strings.Contains(out.String(), "f | seen in the log\n") {
		t.Errorf("passed on %q", out.String())
	}
	if _, err := h.Invoke(t.Context(), "f", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestLogBytesAreCounted(t *testing.T) {
	for _, c := range []struct {
		level, event string
		lines        int // of Lambda's own
	}{{"INFO", `{"do":"print"}`, 2}, {"WARN", `{"do":"print"}`, 0}, {"WARN", `{"do":"error"}`, 1}} {
		h := host(t, func(s *Spec) { s.SystemLog = c.level })
		invoke(t, h, c.event)
		h.Close() // all that was printed has arrived
		printed := int64(0)
		for line := range strings.Lines(h.Logs("f")) {
			printed += int64(len(line) - 1 + EventOverhead)
		}
		own := h.Counts()["f"].LogBytes - printed
		if least, most := int64(c.lines*(130+EventOverhead)), int64(c.lines*(240+EventOverhead)); own < least || own > most {
			t.Errorf("%s, %s: Lambda's own lines have %d bytes, want %d to %d", c.level, c.event, own, least, most)
		}
	}
}

func TestGivingUpWhileWaiting(t *testing.T) {
	h, g := host(t, nil), newGate(t)
	h.config.Most = 1
	pid(t, invoke(t, h, `{}`))
	busy := g.behind(h)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := h.Invoke(ctx, "f", []byte(`{}`)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	g.open()
	pid(t, ended(t, busy))
	pid(t, invoke(t, h, `{}`))
}
