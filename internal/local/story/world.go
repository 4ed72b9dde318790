package story

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"checkout/internal/app"
	"checkout/internal/connector/sandbox"
	"checkout/internal/local/client"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Tester is what a story needs of *testing.T and *rapid.T.
type Tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// World is the whole service over HTTP, with a clock that only the story moves and a shop that receives callbacks.
// When the story ends, everything that was stored, queued, logged and sent is searched for card data and passwords.
type World struct {
	t      Tester
	clock  *Clock
	app    *app.Embedded
	store  *faultyStore
	queue  *lossyQueue
	bank   *watchedSandbox
	sender *hurriedSender
	log    *Journal
	server *httptest.Server
	client *http.Client // of the server
	shop   *Shop

	tokenParts []string // of wallets' tokens, and what is encrypted in them

	repeats bool // its provider repeats card data

	// patient gives each request an Idempotency-Key, repeats it once after a 500, and ignores a sweep that fails.
	patient bool
}

// Parts are what a world is made of that its opener makes.
type Parts struct {
	T      Tester
	Clock  *Clock
	App    *app.Embedded
	Log    *Journal
	Server *httptest.Server
	Client *http.Client // of the server
}

// NewWorld returns a world of these parts, without shops.
func NewWorld(p Parts) *World {
	return &World{t: p.T, clock: p.Clock, app: p.App, log: p.Log, server: p.Server, client: p.Client}
}

// open starts a world with one merchant, which the story may change.
func open(t Tester, changes ...func(*settings.Merchant)) *World {
	t.Helper()
	w := NewWorld(Parts{
		T: t, Clock: &Clock{now: time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)}, Log: &Journal{},
		Server: httptest.NewUnstartedServer(nil),
	})
	base := "http://" + w.server.Listener.Addr().String()
	env := map[string]string{"BASE_URL": base + "/", "ALLOW_LOOPBACK_CALLBACKS": "true"}
	var err error
	w.app, err = app.InMemory(func(name string) string { return env[name] }, app.Logger(w.log), w.clock.Outside)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	w.store = &faultyStore{Store: w.app.Store}
	core, connectors := w.app.Core, w.app.Runner.Connectors
	core.Store, core.Now = w.store, w.clock.Now
	w.UseQueue(w.app.Queue)
	can := core.Declarations[settings.SandboxConnector]
	can.Credentials = bankCredentials
	for _, name := range []string{realBank, anotherBank} {
		w.declares(name, can)
	}
	bank := connectors[settings.SandboxConnector].(*sandbox.Sandbox)
	bank.Store = w.store
	w.bank = &watchedSandbox{Sandbox: bank, t: t, inFlight: map[string]time.Time{}}
	connectors[settings.SandboxConnector] = w.bank
	// Whoever waits for the workers lets them work.
	w.Pauses(func(context.Context, time.Duration) error {
		w.work()
		return nil
	})
	w.sender = &hurriedSender{Sender: w.app.Callbacks.Sender, waiting: map[string]func(){}}
	w.app.Callbacks.Sender = w.sender
	w.server.Config.Handler = w.app.Handler()
	w.server.Start()
	w.client = w.server.Client()
	t.Cleanup(w.server.Close)
	w.shop = w.newShop("", changes...)
	t.Cleanup(w.findLeaks)
	t.Cleanup(w.CheckOrders)
	return w
}

// Pauses has merchants' calls and operators wait by pause.
func (w *World) Pauses(pause func(context.Context, time.Duration) error) {
	w.app.Core.Pause = pause
}

// LeftOut reports whether a sweep leaves out a case: none, but with the race detector, which makes each about ten times
// slower, all but every tenth. The cases of such a sweep differ in what is sent or fails, not in what happens at once.
func LeftOut(i int) bool { return RaceDetector && i%10 != 5 }

// work lets the workers handle all messages that are due now.
func (w *World) work() {
	w.app.Queue.Deliver(context.Background())
}

// sweep runs the sweep, which sends overdue work to its queue again.
func (w *World) sweep() {
	w.t.Helper()
	if err := w.app.Sweeper.Sweep(context.Background()); err != nil && !w.patient {
		w.t.Fatalf("sweep: %v", err)
	}
}

// call makes one HTTP request and returns status and body.
func (w *World) call(method, path string, body any) (int, []byte) {
	w.t.Helper()
	return w.Send("", method, path, body)
}

// Send makes one HTTP request with an Idempotency-Key, "" for none.
func (w *World) Send(key, method, path string, body any) (int, []byte) {
	w.t.Helper()
	code, response, err := w.try(client.Request{Method: method, Path: path, Key: key, Body: body})
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	return code, response
}

// try makes one HTTP request.
func (w *World) try(r client.Request) (int, []byte, error) {
	if w.patient && r.Key == "" {
		r.Key = fmt.Sprintf("%x", sha256.Sum256([]byte(r.Path+string(store.CompactJSON(r.Body)))))
	}
	service := client.Service{URL: w.server.URL, HTTP: w.client, Accept: "*/*"}
	code, response, err := service.Call(context.Background(), r)
	if w.patient && code == http.StatusInternalServerError {
		w.patient = false // repeat only once
		defer func() { w.patient = true }()
		return w.try(r)
	}
	return code, response, err
}

// Journal collects the log.
type Journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *Journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(line)
}

func (j *Journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}
