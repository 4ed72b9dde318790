package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/internal/api"
	"checkout/internal/app/callbacks"
	"checkout/internal/app/function"
	"checkout/internal/app/providers"
	"checkout/internal/callback"
	"checkout/internal/card/vault"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/preview"
	"checkout/internal/operator/query"
	"checkout/internal/operator/signin"
	"checkout/internal/payer"
	"checkout/internal/queue/inmemory"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/wallet/session"
	"checkout/internal/wallet/tokens"
	"checkout/internal/worker"
)

// Embedded is the whole service in one process, with all data in memory. All its types are built over the same store
// and queue.
type Embedded struct {
	api.Services
	API       *api.API
	Runner    *worker.Runner
	Callbacks *worker.CallbackSender
	Sweeper   *worker.Sweeper

	Store *memory.Store
	Queue *inmemory.Queue
	// Queues is where the types send their messages: to Queue, unless a test has put others in its place.
	Queues *Queues

	Merchants *change.Merchants

	indexing sync.Mutex
	changes  *memory.Changes // of orders; nil if the listing is switched off
	indexer  listing.Indexer
}

// Queues has all queues.
type Queues struct {
	payment.JobQueue
	worker.JobBatches
	callback.Queue
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
	e := &Embedded{Store: memory.NewStore(), Queue: inmemory.NewQueue(now, log)}
	e.Merchants = &change.Merchants{
		Store: e.Store, Sealer: vault.NewSealer(e.Store, wrapper, now), Now: now, Random: function.Random,
		Connectors: connector.Declarations(), LocalRun: true,
	}
	if e.Core, err = function.NewCore(env, log, now, e.Store); err != nil {
		return nil, err
	}
	e.Core.Secrets = vault.NewSecrets(e.Store, wrapper, now, settings.SecretUses...)
	e.Queues = &Queues{e.Queue, e.Queue, e.Queue}
	e.build(env, local)
	e.Editor = operator.NewEditor(e.Core, e.Merchants)
	e.Previews = api.Previews{Drafts: e.Merchants, Previewer: preview.New(e.Core.Store, e.Core.Now),
		Trials: merchant.NewTrials(e.Core, strings.TrimRight(env("BASE_URL"), "/"))}
	ttl, err := function.ListingTTL(env)
	if err != nil {
		return nil, err
	}
	e.indexer = listing.NewIndexer(e.Core.Store, e.Core.Store, now, ttl)
	if env("OPERATORS") != "false" {
		e.changes = e.Store.Follow(store.OrderPartition(""))
	}
	e.Queue.Handle(e.Runner.RunJob, e.Callbacks.SendCallback)
	ctx := context.Background() // on AWS the first sweep does this, and the connector function when it starts
	return e, errors.Join(e.Sweeper.RotateDayKeys(ctx), e.Runner.Open(ctx))
}

// build builds all types, each with its ports.
func (e *Embedded) build(env Env, vault *vault.Vault) {
	core, queues := e.Core, e.Queues
	url := func(variable string) string { return strings.TrimRight(env(variable), "/") }
	base := url("BASE_URL")
	connectors, notices := providers.Connect(core, queues, base)
	e.Services = api.Services{
		Core: core, Creator: merchant.NewCreator(core, queues, vault, base), Statuses: merchant.NewStatuses(core, queues),
		FollowUps: merchant.NewFollowUps(core, queues), Recurrer: merchant.NewRecurrer(core, queues),
		Page:    payer.NewPage(core, queues, session.NewClient(), base).WithGooglePay(url("WALLET_URL")),
		Notices: notices, Sandbox: providers.SandboxPages(connectors, env("SANDBOX")),
		People: operator.NewPeople(core), Reader: query.NewReader(core), Auditor: operator.NewAuditor(core, nil),
		Actor: operator.NewActor(core, queues, queues),
	}
	e.API = function.NewAPI(core, env)
	openers := worker.NewOpeners(vault, tokens.New(core.Store, core.Now, core.Log))
	e.Runner = worker.NewRunner(core, queues, worker.NewProviders(connectors, base), openers)
	e.Callbacks = worker.NewCallbackSender(core, queues, callbacks.NewSender(env))
	e.Sweeper = worker.NewSweeper(core, queues, queues, vault)
}

// Handler serves the API of payers, merchants and providers.
func (e *Embedded) Handler() http.Handler { return e.API.Handler(api.All(&e.Services)) }

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
			if err := e.Sweeper.Sweep(ctx); err != nil {
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
func (e *Embedded) Admin() http.Handler { return e.API.Handler(api.Admin(&e.Services)) }

// SignIn serves the admin API to people who sign in with a provider, on the page of an origin.
func (e *Embedded) SignIn(with signin.Provider, origin string) http.Handler {
	sessions := signin.NewSessions(e.Core.Store, e.Core.Now, e.Core.Random)
	return e.API.Handler(slices.Concat(api.Admin(&e.Services), api.AdminLogin(sessions, with, origin)))
}

// Listing compares the listing with all orders.
func (e *Embedded) Listing() listing.Rebuilder {
	return listing.Rebuilder{Indexer: e.indexer, Orders: e.Store.Scan, Listing: e.Store.Scan}
}
