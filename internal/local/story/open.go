package story

import (
	"context"
	"net/http/httptest"
	"time"

	"checkout/internal/app"
	"checkout/internal/connector/sandbox"
	"checkout/internal/settings"
)

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

// UseQueue has the app send its messages to a queue, by way of one that can lose them.
func (w *World) UseQueue(q MessageQueue) {
	w.queue = &lossyQueue{MessageQueue: q}
	sendTo(w.app, w.queue)
}

// sendTo has an app send its messages to a queue.
func sendTo(a *app.Embedded, q MessageQueue) {
	a.Queues.JobQueue, a.Queues.JobBatches, a.Queues.Queue = q, q, q
}
