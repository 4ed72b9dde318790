package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"checkout/internal/api"
	"checkout/internal/app/callbacks"
	"checkout/internal/app/function"
	"checkout/internal/app/indexes"
	"checkout/internal/app/pages"
	"checkout/internal/app/providers"
	"checkout/internal/app/wallets"
	"checkout/internal/card/vault"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/operator/listing"
	"checkout/internal/queue/inmemory"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// Embedded is the whole service in one process, with all data in memory.
type Embedded struct {
	*App
	Store *memory.Store
	Queue *inmemory.Queue

	Merchants *settings.Merchants
	wrapper   vault.Wrapper

	indexing sync.Mutex
	changes  *memory.Changes // of orders; nil if the listing is switched off
	indexer  listing.Indexer
}

// InMemory builds the service with a store and queues in memory. Run starts its workers. OPERATORS=false switches the
// listing of payments off.
func InMemory(env Env, log *slog.Logger, now func() time.Time) (*Embedded, error) {
	local, err := vault.NewLocal(rand.Reader, now)
	if err != nil {
		return nil, fmt.Errorf("make the vault's key: %w", err)
	}
	wrapper, err := vault.NewLocalWrapper(rand.Reader)
	if err != nil {
		return nil, err
	}
	e := &Embedded{Store: memory.NewStore(), wrapper: wrapper}
	secrets := vault.NewSecrets(e.Store, wrapper, now, settings.SecretUses...)
	e.Merchants = &settings.Merchants{
		Store: e.Store, Secrets: secrets, Now: now, Random: function.Random, Connectors: connector.Declarations(),
		LocalRun: true,
	}
	s := &checkout.Core{Now: now, Store: e.Store}
	b, err := function.NewBuilder(env, log, s)
	if err != nil {
		return nil, err
	}
	e.App, e.Queue = b.App, inmemory.NewQueue(now, log)
	s.Jobs, s.Secrets = e.Queue, secrets
	e.Merchant.Sealer, e.Worker.Vault = local, local
	e.Worker.Callbacks, e.Worker.Batches, e.Operator.Callbacks = e.Queue, e.Queue, e.Queue
	for _, p := range []function.Part{
		function.BaseURL, function.WalletURL, providers.Connectors, providers.SandboxPages, wallets.Tokens,
		pages.MerchantSessions, callbacks.Sender,
	} {
		p.Add(b)
	}
	e.indexer = indexes.NewIndexer(b)
	if env("OPERATORS") != "false" {
		e.changes = e.Store.Follow(store.OrderPartition(""))
	}
	e.Queue.Handle(e.Worker.RunJob, e.Worker.SendCallback)
	return e, e.Worker.RotateDayKeys(context.Background()) // what on AWS the first sweep does
}

// Run handles the messages of the queues until ctx ends. Every minute it sweeps and removes expired documents.
func (e *Embedded) Run(ctx context.Context) {
	var queue sync.WaitGroup
	queue.Go(func() { e.Queue.Run(ctx) })
	queue.Go(func() { e.followChanges(ctx) })
	defer queue.Wait()
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := e.Worker.Sweep(ctx); err != nil {
				e.Core.Log.Error("sweep", "error", err)
			}
			e.Store.DropExpired(e.Core.Now())
		}
	}
}

// IndexChanges lists the payments of all orders that were saved until now. When it returns without an error, the
// listing has caught up.
func (e *Embedded) IndexChanges(ctx context.Context) error {
	if e.changes == nil {
		return nil
	}
	e.indexing.Lock() // whoever is indexing has taken changes
	defer e.indexing.Unlock()
	failed, err := e.indexer.Index(ctx, e.changes.Take())
	e.changes.Add(failed...)
	return err
}

// indexAgain is after what time changes that could not be indexed are tried again.
const indexAgain = time.Second

// followChanges indexes changes until ctx ends.
func (e *Embedded) followChanges(ctx context.Context) {
	if e.changes == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.changes.Ready():
		}
		if err := e.IndexChanges(ctx); err != nil && ctx.Err() == nil {
			e.Core.Log.Error("index", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(indexAgain):
			}
		}
	}
}

// Admin serves the admin API. Whoever serves it has to say who calls, by api.WithCaller.
func (e *Embedded) Admin() http.Handler { return e.API.Handler(api.Admin()) }

// Listing compares the listing with all orders.
func (e *Embedded) Listing() listing.Rebuilder {
	return listing.Rebuilder{Indexer: e.indexer, Orders: e.Store.Scan, Listing: e.Store.Scan}
}
