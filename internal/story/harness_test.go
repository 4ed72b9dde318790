package story

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/connector/sandbox"
	"checkout/internal/settings"
)

// tester is what a story needs of *testing.T and *rapid.T.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// world is the whole service over HTTP, with a clock that only the story moves and a shop that receives callbacks.
// When the story ends, everything that was stored, queued, logged and sent is searched for card data and passwords.
type world struct {
	t      tester
	clock  *clock
	app    *app.Embedded
	store  *faultyStore
	queue  *lossyQueue
	bank   *watchedSandbox
	sender *hurriedSender
	log    *journal
	server *httptest.Server
	client *http.Client // of the server
	shop   *shop

	tokenParts []string // of wallets' tokens, and what is encrypted in them

	repeats bool // its provider repeats card data

	// patient gives each request an Idempotency-Key, repeats it once after a 500, and ignores a sweep that fails.
	patient bool
}

// parts are what a world is made of that its opener makes.
type parts struct {
	T      tester
	Clock  *clock
	App    *app.Embedded
	Log    *journal
	Server *httptest.Server
	Client *http.Client // of the server
}

// newWorld returns a world of these parts, without shops.
func newWorld(p parts) *world {
	return &world{t: p.T, clock: p.Clock, app: p.App, log: p.Log, server: p.Server, client: p.Client}
}

// open starts a world with one merchant, which the story may change.
func open(t tester, changes ...func(*settings.Merchant)) *world {
	t.Helper()
	w := newWorld(parts{
		T: t, Clock: &clock{now: time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)}, Log: &journal{},
		Server: httptest.NewUnstartedServer(nil),
	})
	base := "http://" + w.server.Listener.Addr().String()
	env := map[string]string{"BASE_URL": base + "/", "ALLOW_LOOPBACK_CALLBACKS": "true"}
	var err error
	w.app, err = app.InMemory(func(name string) string { return env[name] }, app.Logger(w.log), w.clock.Now)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	w.store = &faultyStore{Store: w.app.Store}
	core, worker := w.app.Core, w.app.Worker
	core.Store = w.store
	w.useQueue(w.app.Queue)
	can := core.Declarations[settings.SandboxConnector]
	can.Credentials = bankCredentials
	for _, name := range []string{realBank, anotherBank} {
		w.declares(name, can)
	}
	bank := worker.Connectors[settings.SandboxConnector].(*sandbox.Sandbox)
	bank.Store = w.store
	w.bank = &watchedSandbox{Sandbox: bank, t: t, inFlight: map[string]time.Time{}}
	worker.Connectors[settings.SandboxConnector] = w.bank
	// Whoever waits for the workers lets them work.
	w.pauses(func(context.Context, time.Duration) error {
		w.work()
		return nil
	})
	w.sender = &hurriedSender{Sender: worker.Sender, waiting: map[string]func(){}}
	worker.Sender = w.sender
	w.server.Config.Handler = w.app.API.Handler(api.All())
	w.server.Start()
	w.client = w.server.Client()
	t.Cleanup(w.server.Close)
	w.shop = w.newShop("", changes...)
	t.Cleanup(w.findLeaks)
	t.Cleanup(w.checkOrders)
	return w
}

// pauses has merchants' calls and operators wait by pause.
func (w *world) pauses(pause func(context.Context, time.Duration) error) {
	w.app.Merchant.Pause, w.app.Operator.Pause = pause, pause
}

// leftOut reports whether a sweep leaves out a case: none, but with the race detector, which makes each about ten times
// slower, all but every tenth. The cases of such a sweep differ in what is sent or fails, not in what happens at once.
func leftOut(i int) bool { return raceDetector && i%10 != 5 }

// oneAtATime skips a long story in which nothing happens at once, with the race detector, which sees nothing there.
func oneAtATime(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("one thing at a time")
	}
}

// work lets the workers handle all messages that are due now.
func (w *world) work() {
	w.app.Queue.Deliver(context.Background())
}

// sweep runs the sweep, which sends overdue work to its queue again.
func (w *world) sweep() {
	w.t.Helper()
	if err := w.app.Worker.Sweep(context.Background()); err != nil && !w.patient {
		w.t.Fatalf("sweep: %v", err)
	}
}

// call makes one HTTP request and returns status and body.
func (w *world) call(method, path string, body any) (int, []byte) {
	w.t.Helper()
	return w.send("", method, path, body)
}

// send makes one HTTP request with an Idempotency-Key, "" for none.
func (w *world) send(key, method, path string, body any) (int, []byte) {
	w.t.Helper()
	var text []byte
	switch b := body.(type) {
	case nil:
	case string:
		text = []byte(b)
	default:
		var err error
		if text, err = json.Marshal(b); err != nil {
			w.t.Fatalf("%s: %v", path, err)
		}
	}
	out, err := http.NewRequest(method, w.server.URL+path, bytes.NewReader(text))
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	out.Header.Set("Content-Type", "application/json")
	out.Header.Set("Accept", "*/*")
	if w.patient && key == "" {
		key = fmt.Sprintf("%x", sha256.Sum256([]byte(path+string(text))))
	}
	if key != "" {
		out.Header.Set("Idempotency-Key", key)
	}
	got, err := w.client.Do(out)
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	defer got.Body.Close()
	response, err := io.ReadAll(got.Body)
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	if w.patient && got.StatusCode == http.StatusInternalServerError {
		w.patient = false // repeat only once
		defer func() { w.patient = true }()
		return w.send(key, method, path, body)
	}
	return got.StatusCode, response
}

// journal collects the log.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(line)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}
