package app

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"checkout/internal/card/vault"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/store"
)

// LocalOperator is who changes merchants of a service in one process, as the audit log names them.
const LocalOperator = "local/admin"

// The paths of what a service in one process serves to the operator's command, which sets its merchants up there. Each
// is a POST of JSON, with the secret of the run as bearer token.
const (
	pathGet     = "/get"
	pathSave    = "/save"
	pathList    = "/list"
	pathNewKey  = "/new-key"
	pathNewPair = "/new-pair"
	pathUnwrap  = "/unwrap"
)

type (
	getCall struct {
		Now  time.Time
		Keys []store.Key
	}
	saveCall struct {
		Now     time.Time
		Records []store.Record
	}
	saved struct{ Conflict []store.Key } // none: all was stored
	list  struct {
		Now   time.Time
		Query store.Query
	}
	keyCall struct {
		Use     settings.SecretUse
		Owner   string
		Wrapped []byte // of pathUnwrap
	}
	dataKey struct{ Plain, Wrapped []byte }
	keyPair struct{ Public, Wrapped []byte }
)

// MerchantsHandler serves the documents and the keys of merchants to whoever knows a secret, for OpenMerchants in
// another process of this machine.
func (e *Embedded) MerchantsHandler(secret string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST "+pathGet, served(func(ctx context.Context, in getCall) ([]store.Record, error) {
		return e.Store.Get(ctx, in.Now, in.Keys...)
	}))
	mux.Handle("POST "+pathSave, served(func(ctx context.Context, in saveCall) (saved, error) {
		err := e.Store.Save(ctx, in.Now, in.Records...)
		if conflict := (*store.ConflictError)(nil); errors.As(err, &conflict) {
			return saved{conflict.Keys}, nil
		}
		return saved{}, err
	}))
	mux.Handle("POST "+pathList, served(func(ctx context.Context, in list) ([]store.Record, error) {
		return e.Store.List(ctx, in.Now, in.Query)
	}))
	mux.Handle("POST "+pathNewKey, served(func(ctx context.Context, in keyCall) (key dataKey, err error) {
		key.Plain, key.Wrapped, err = e.wrapper.NewKey(ctx, in.Use, in.Owner)
		return key, err
	}))
	mux.Handle("POST "+pathNewPair, served(func(ctx context.Context, in keyCall) (pair keyPair, err error) {
		pair.Public, pair.Wrapped, err = e.wrapper.NewPair(ctx, in.Use)
		return pair, err
	}))
	mux.Handle("POST "+pathUnwrap, served(func(ctx context.Context, in keyCall) (key dataKey, err error) {
		key.Plain, err = e.wrapper.Unwrap(ctx, in.Use, in.Owner, in.Wrapped)
		return key, err
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+secret)) != 1 {
			http.Error(w, "not allowed", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// served calls do with the JSON of a request.
func served[Q, R any](do func(context.Context, Q) (R, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in Q
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, "no JSON of this call", http.StatusBadRequest)
			return
		}
		out, err := do(r.Context(), in)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(out) // the caller sees that it is not whole
	})
}

// running is the store and the wrapper of a service in another process, which MerchantsHandler serves.
type running struct{ url, secret string }

// errNoDue is returned by Due and AllDue, which nothing that sets merchants up asks for.
var errNoDue = errors.New("what is due is not served")

// Get implements store.Store.
func (s running) Get(ctx context.Context, now time.Time, keys ...store.Key) (records []store.Record, err error) {
	return records, s.call(ctx, pathGet, getCall{now, keys}, &records)
}

// Save implements store.Store.
func (s running) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	var out saved
	err := s.call(ctx, pathSave, saveCall{now, records}, &out)
	if err == nil && len(out.Conflict) > 0 {
		return &store.ConflictError{Keys: out.Conflict}
	}
	return err
}

// List implements store.Store.
func (s running) List(ctx context.Context, now time.Time, query store.Query) (records []store.Record, err error) {
	return records, s.call(ctx, pathList, list{now, query}, &records)
}

// Due implements store.Store.
func (running) Due(context.Context, time.Time, store.DueQuery) ([]store.DueEntry, error) {
	return nil, errNoDue
}

// AllDue implements store.Store.
func (running) AllDue(context.Context, int) (store.DueListing, error) { return nil, errNoDue }

// NewKey implements vault.Wrapper.
func (s running) NewKey(ctx context.Context, use settings.SecretUse, owner string) (plain, wrapped []byte, err error) {
	var out dataKey
	err = s.call(ctx, pathNewKey, keyCall{Use: use, Owner: owner}, &out)
	return out.Plain, out.Wrapped, err
}

// NewPair implements vault.Wrapper.
func (s running) NewPair(ctx context.Context, use settings.SecretUse) (public, wrapped []byte, err error) {
	var out keyPair
	err = s.call(ctx, pathNewPair, keyCall{Use: use}, &out)
	return out.Public, out.Wrapped, err
}

// Unwrap implements vault.Wrapper.
func (s running) Unwrap(
	ctx context.Context, use settings.SecretUse, owner string, wrapped []byte,
) (plain []byte, err error) {
	var out dataKey
	err = s.call(ctx, pathUnwrap, keyCall{use, owner, wrapped}, &out)
	return out.Plain, err
}

// runningTimeout is how long a call may take, which is of this machine.
const runningTimeout = 10 * time.Second

func (s running) call(ctx context.Context, path string, in, out any) error {
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+s.secret)
	response, err := (&http.Client{Timeout: runningTimeout}).Do(r)
	if err != nil {
		return fmt.Errorf("the local run does not respond: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the local run refuses: %s", response.Status)
	}
	return json.NewDecoder(response.Body).Decode(out)
}

// openRunning opens the merchants of a service in another process.
func openRunning(env Env) *change.Merchants {
	s := running{env("LOCAL_SERVICE"), env("LOCAL_SECRET")}
	merchants := newMerchants(s, true)
	merchants.Sealer = vault.NewSealer(s, s, time.Now)
	return merchants
}
