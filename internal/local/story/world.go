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

// Clock is a time that stands still until it is moved, or that goes on by itself since it began.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	began time.Time // zero: it stands still
	apart int       // how many calls of atOnce run: the clocks of their functions differ
	read  uint64    // how often it was read while they do
}

// Shop is a merchant and its callback receiver.
type Shop struct {
	w        *World
	merchant settings.Merchant
	server   *httptest.Server
	live     bool // uses its live key

	mu       sync.Mutex
	respond  func(Received) int // returns the HTTP status of the response; 0: no response; nil: always 200
	requests []Received
}

// Received is one request that came to a notification_url.
type Received struct {
	client.Callback
	Status int // of the response, 0 if there was none
	At     time.Time
}

// Now returns the time of the clock. While calls are made at once, two readings differ by up to clocksDiffer in either
// direction, as if each were of another function's clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.middle()
	if c.apart > 0 {
		c.read++
		now = now.Add(time.Duration(c.read*0x9e3779b97f4a7c15%uint64(clocksDiffer)) - clocksDiffer/2)
	}
	return now
}

// middle is the time between the clocks of functions.
func (c *Clock) middle() time.Time {
	if c.began.IsZero() {
		return c.now
	}
	return c.now.Add(time.Since(c.began))
}

// clocksDiffer is by how much the clocks of two functions may differ.
const clocksDiffer = 5 * time.Second
