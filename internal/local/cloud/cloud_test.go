package cloud

import (
	"context"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/engine"
)

var (
	binaries string
	engines  *engine.Engines
)

// TestMain builds the probe once and shares the engines. Without them every test here fails, with the reason.
func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	folder, err := os.MkdirTemp("", "binaries")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	binaries = folder
	probe := filepath.Join(folder, "bootstrap")
	build := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", probe, "./testdata/probe")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the probe does not build: %s\n", out)
		return 1
	}
	for _, name := range []string{"echo", "worker", "tick"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			panic(err)
		}
		if err := os.Link(probe, filepath.Join(folder, name, "bootstrap")); err != nil {
			panic(err)
		}
	}
	engines, err = StartEngines(context.Background(), "../../..", os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, "FAIL:", err)
		return 1
	}
	defer engines.Close()
	return m.Run()
}

func config(t *testing.T) Config {
	stack := "t" + strings.NewReplacer("/", "-", "_", "-").Replace(t.Name())
	return Config{
		Template: "testdata/template.yaml", BinaryDir: binaries, StaticDir: "testdata/page",
		WalletDir: "testdata/wallet", StackName: stack,
		NoSchedule: true, Engines: engines, Slower: 10,
		Visibility: 20 * time.Second, // longer than the batching window, a cold start and a call, also on a busy machine
	}
}

func start(t *testing.T, config Config) *Cloud {
	t.Helper()
	c, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// do has the echo function call an operation of AWS. It returns the response or the error, and whether it went well.
func do(t *testing.T, c *Cloud, words ...string) (string, bool) {
	t.Helper()
	payload, _ := json.Marshal(map[string]any{"Do": words})
	result, err := c.Invoke(t.Context(), "echo", payload)
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Payload), result.FunctionError == ""
}

// count is how often the probe has added a name to the table.
func count(t *testing.T, c *Cloud, name string) string {
	t.Helper()
	var out struct {
		Item struct{ N struct{ N string } }
	}
	query := map[string]any{"TableName": c.TableName("Table"), "Key": map[string]any{"pk": map[string]string{"S": name}},
		"ConsistentRead": true}
	if err := c.engines.Tables().Call(t.Context(), "GetItem", query, &out); err != nil {
		t.Fatal(err)
	}
	return out.Item.N.N
}

// eventually waits for what other processes do.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

func TestRequestThroughTheGateway(t *testing.T) {
	c := start(t, config(t))
	request, _ := http.NewRequest("POST", c.BaseURL()+"/api/x%20y?a=1&a=2", strings.NewReader(`{"k":1}`))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var event struct {
		RawPath               string
		Body                  string
		PathParameters        map[string]string
		QueryStringParameters map[string]string
	}
	if err := json.NewDecoder(response.Body).Decode(&event); err != nil {
		t.Fatal(err)
	}
	if event.RawPath != "/api/x y" || event.Body != `{"k":1}` || event.PathParameters["name"] != "x y" ||
		event.QueryStringParameters["a"] != "1,2" {
		t.Errorf("event %+v", event)
	}
	if h := response.Header; h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "own" ||
		len(h.Values("Set-Cookie")) != 2 {
		t.Errorf("headers %v", h)
	}
	for path, want := range map[string]string{"/": "<title>page", "/api/x?panic=1": `{"message":"Internal Server Error"}`,
		"/api/x?binary=1": "\x00\xff", "/api/a/b": `{"message":"Not Found"}`} {
		method := http.MethodPost
		if path == "/" {
			method = http.MethodGet
		}
		request, _ := http.NewRequest(method, c.BaseURL()+path, nil)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if !strings.Contains(string(body), want) {
			t.Errorf("%s: %q", path, body)
		}
	}
}

// The frame of Google Pay is another origin, which has neither the page nor the API.
func TestTheFrameIsAnotherOrigin(t *testing.T) {
	c := start(t, config(t))
	for path, want := range map[string]struct {
		status int
		body   string
	}{"/": {200, `data-page="` + c.BaseURL() + `"`}, "/api/x": {403, "AccessDenied"}} {
		response, err := http.Get(c.WalletURL() + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != want.status || !strings.Contains(string(body), want.body) ||
			response.Header.Get("X-Shown") != "frame" || response.Header.Get("Last-Modified") != "" {
			t.Errorf("%s: %d %s %v", path, response.StatusCode, body, response.Header)
		}
	}
	if url := c.Template().Functions[0].Environment["WALLET_URL"]; url != c.WalletURL() {
		t.Errorf("functions are told %s", url)
	}
}

func TestPoliciesAreEnforced(t *testing.T) {
	c := start(t, config(t))
	cases := []struct {
		words   []string
		refused string
	}{
		{[]string{"put", "p"}, ""},
		{[]string{"get", "p"}, ""},
		{[]string{"scan"}, "not authorized to perform: dynamodb:Scan on resource: " + c.Template().Tables[0].ARN},
		{[]string{"transact", "t", "put"}, ""},
		{[]string{"transact", "t", "delete"}, "not authorized to perform: dynamodb:DeleteItem"},
		{[]string{"send", "DEAD", "x"}, "not authorized to perform: sqs:SendMessage"},
		{[]string{"send", "JOBS", "ok"}, ""},
		{[]string{"pair", "monday"}, ""},
		{[]string{"key"}, "not authorized to perform: kms:GenerateDataKey on resource: " + c.Template().Keys[0].ARN +
			" because with an explicit deny in a resource-based policy"},
	}
	for _, k := range cases {
		said, ok := do(t, c, k.words...)
		if ok != (k.refused == "") || !strings.Contains(said, k.refused) ||
			(!ok && !strings.Contains(said, "AccessDeniedException")) {
			t.Errorf("%v: %s", k.words, said)
		}
	}
}

func TestKeyPairsOpenForTheirContext(t *testing.T) {
	c := start(t, config(t))
	said, _ := do(t, c, "pair", "monday")
	var pair struct{ PublicKey, PrivateKeyCiphertextBlob []byte }
	if err := json.Unmarshal([]byte(said), &pair); err != nil {
		t.Fatalf("%s: %v", said, err)
	}
	public, err := x509.ParsePKIXPublicKey(pair.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	blob := base64.StdEncoding.EncodeToString(pair.PrivateKeyCiphertextBlob)
	var opened struct{ Plaintext []byte }
	said, _ = do(t, c, "open", "monday", blob)
	if err := json.Unmarshal([]byte(said), &opened); err != nil {
		t.Fatalf("%s: %v", said, err)
	}
	private, err := x509.ParsePKCS8PrivateKey(opened.Plaintext)
	if err != nil {
		t.Fatal(err)
	}
	if key, ok := private.(*ecdsa.PrivateKey); !ok || !key.PublicKey.Equal(public) {
		t.Errorf("the private half is %T", private)
	}
	if said, ok := do(t, c, "open", "tuesday", blob); ok || !strings.Contains(said, "InvalidCiphertextException") {
		t.Errorf("another day: %s", said)
	}
	again, _ := do(t, c, "pair", "monday")
	if strings.Contains(again, base64.StdEncoding.EncodeToString(pair.PublicKey)) {
		t.Error("the same pair again")
	}
}

func TestQueueWithPartialBatchAndRedrive(t *testing.T) {
	t.Parallel() // it waits for the queue
	c := start(t, config(t))
	for _, body := range []string{"good-1", "bad-1", "good-2"} {
		if said, ok := do(t, c, "send", "JOBS", body); !ok {
			t.Fatal(said)
		}
	}
	eventually(t, "the bad message is in the dead letter queue", func() bool {
		depth, err := c.QueueDepth(t.Context(), "DeadJobs")
		return err == nil && depth.Visible == 1
	})
	if g1, g2, bad := count(t, c, "good-1"), count(t, c, "good-2"), count(t, c, "bad-1"); g1 != "1" || g2 != "1" ||
		bad != "2" {
		t.Errorf("good %s %s, bad %s times", g1, g2, bad)
	}
	if depth, err := c.QueueDepth(t.Context(), "Jobs"); err != nil || depth != (Depth{}) {
		t.Errorf("%+v %v", depth, err)
	}
	if used := c.Snapshot()["echo"]; used.AWS.Messages != 3 || used.AWS.Requests["sqs:SendMessage"] != 3 {
		t.Errorf("usage %+v", used)
	}
}

func TestKilledWorkerGetsTheMessageAgain(t *testing.T) {
	t.Parallel() // it waits for the queue
	c := start(t, config(t))
	fault := c.KillAfter("worker", "dynamodb:UpdateItem", 0)
	if said, ok := do(t, c, "send", "JOBS", "once"); !ok {
		t.Fatal(said)
	}
	eventually(t, "the message is carried out again", func() bool { return count(t, c, "once") == "2" })
	if fault.Hits() != 1 {
		t.Errorf("%d kills", fault.Hits())
	}
	eventually(t, "the queue is empty", func() bool {
		depth, err := c.QueueDepth(t.Context(), "Jobs")
		return err == nil && depth == Depth{}
	})
}

func TestBrokenCalls(t *testing.T) {
	c := start(t, config(t))
	drop := c.Inject(endpoint.Fault{Function: "echo", Operation: "dynamodb:PutItem"})
	if said, ok := do(t, c, "put", "a"); ok || !strings.Contains(said, "ConditionalCheckFailed") || drop.Hits() != 1 {
		t.Errorf("dropped response: the SDK's retry should find its own write: %s", said)
	}
	c.Inject(endpoint.Fault{Do: endpoint.KillBefore})
	if said, ok := do(t, c, "add", "b"); ok || !strings.Contains(said, "signal: killed") || count(t, c, "b") != "" {
		t.Errorf("killed before: %s, count %q", said, count(t, c, "b"))
	}
	c.KillAfter("echo", "", 0)
	if said, ok := do(t, c, "add", "c"); ok || !strings.Contains(said, "signal: killed") || count(t, c, "c") != "1" {
		t.Errorf("killed after: %s, count %q", said, count(t, c, "c"))
	}
	c.Inject(endpoint.Fault{Do: endpoint.Refuse, Status: 400,
		Body: `{"__type":"ResourceNotFoundException","message":"gone"}`})
	if said, ok := do(t, c, "add", "d"); ok || !strings.Contains(said, "ResourceNotFoundException") {
		t.Errorf("refused: %s", said)
	}
	c.Inject(endpoint.Fault{Do: endpoint.Delay, Delay: 100 * time.Millisecond})
	before := time.Now()
	if said, ok := do(t, c, "add", "e"); !ok || time.Since(before) < 100*time.Millisecond {
		t.Errorf("delayed: %s", said)
	}
	unused := c.KillAfter("worker", "", 0)
	if unused.Cancel(); unused.Hits() != 0 {
		t.Error("a fault of another function was hit")
	}
}

func TestScheduleCapacityAndLogs(t *testing.T) {
	c := start(t, config(t))
	if err := c.Fire(t.Context(), "tick"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, c, "tick"); n != "1" || !strings.Contains(c.Logs("tick"), "ticked") {
		t.Errorf("ticks %s, log %q", n, c.Logs("tick"))
	}
	if err := c.Fire(t.Context(), "echo"); err == nil {
		t.Error("a function without schedule was fired")
	}
	used := c.Snapshot()["tick"]
	if used.Invocations != 1 || used.AWS.Requests["dynamodb:UpdateItem"] != 1 || used.AWS.WriteUnits != 1000 ||
		used.AWS.ReadUnits != 0 {
		t.Errorf("usage %+v", used)
	}
	if _, ok := do(t, c, "get", "tick"); !ok || c.Snapshot()["echo"].AWS.ReadUnits != 500 {
		t.Errorf("usage %+v", c.Snapshot()["echo"])
	}
	if _, ok := do(t, c, "transact", "x", "put"); !ok || c.Snapshot()["echo"].AWS.WriteUnits != 2000 {
		t.Errorf("usage %+v", c.Snapshot()["echo"])
	}
	c.Reset()
	if used := c.Snapshot()["tick"]; used.Invocations != 0 || used.AWS.WriteUnits != 0 {
		t.Errorf("after reset %+v", used)
	}
}

// The older release serves half of the calls, except those of a function that it lacks.
func TestOlderRelease(t *testing.T) {
	settings := config(t)
	settings.OldDir = t.TempDir()
	if err := os.Symlink(filepath.Join(binaries, "echo"), filepath.Join(settings.OldDir, "echo")); err != nil {
		t.Fatal(err)
	}
	c := start(t, settings)
	for range 20 {
		if text, ok := do(t, c, "add", "x"); !ok {
			t.Fatal(text)
		}
		if err := c.Fire(t.Context(), "tick"); err != nil {
			t.Fatal(err)
		}
	}
	calls := c.Snapshot()
	if old := calls["echo"+Old].Invocations; old < 5 || old > 15 || calls["echo"].Invocations+old != 20 {
		t.Errorf("of 20 calls the older release has served %d, the other %d", old, calls["echo"].Invocations)
	}
	if served := calls["tick"].Invocations; served != 20 {
		t.Errorf("of 20 calls of a new function %d were served", served)
	}
	if n := c.Kill("echo"); n != 2 {
		t.Errorf("%d environments were killed", n)
	}
}

func TestWhatStopsAStart(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	nothing := func(string) string { return "" }
	for name, k := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"port":     {func(c *Config) { c.Port = taken }, "is taken: set PORT to"},
		"frame":    {func(c *Config) { c.WalletPort = taken }, "is taken: set WALLET_PORT to"},
		"binaries": {func(c *Config) { c.BinaryDir = t.TempDir() }, "for echo, worker, tick: run `make lambda`"},
		"template": {func(c *Config) { c.Template = "testdata/none.yaml" }, "none.yaml"},
		"engines":  {func(c *Config) { c.Engines, c.Root, c.Getenv = nil, t.TempDir(), nothing }, "run `make tools`"},
		"after": {func(c *Config) { c.AfterStart = func(*Cloud) error { return io.ErrUnexpectedEOF } },
			io.ErrUnexpectedEOF.Error()},
	} {
		settings := config(t)
		k.change(&settings)
		c, err := Start(t.Context(), settings)
		if err == nil {
			c.Close()
		}
		if err == nil || !strings.Contains(err.Error(), k.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestCloseEndsEveryProcess(t *testing.T) {
	settings := config(t)
	settings.Engines = nil
	settings.Root = "../../.."
	settings.Getenv = func(name string) string { // engines of its own
		if strings.HasSuffix(name, "_ENDPOINT") {
			return ""
		}
		return os.Getenv(name)
	}
	c := start(t, settings)
	if _, ok := do(t, c, "add", "x"); !ok {
		t.Fatal("no response")
	}
	pids := c.engines.Processes()
	if len(pids) == 0 {
		t.Fatal("no engines were started")
	}
	c.Close()
	for _, pid := range pids {
		if syscall.Kill(pid, 0) == nil {
			t.Errorf("engine %d lives on", pid)
		}
	}
	if n := c.host.Environments("echo"); n != 0 {
		t.Errorf("%d environments live on", n)
	}
	if response, err := http.Get(c.BaseURL()); err == nil {
		response.Body.Close()
		t.Error("the door is open")
	}
}
