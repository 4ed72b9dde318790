package checkout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Call is a request of a merchant that changes something. IdempotencyKey is
// its Idempotency-Key header, "" if it has none.
type Call struct {
	Path           string // of the request, e.g. /api/v1/payment/refund
	Body           []byte
	IdempotencyKey string
}

// idempotencyTTL is how long an Idempotency-Key is remembered.
const idempotencyTTL = 24 * time.Hour

// firstCall is what is remembered of the first call with an Idempotency-Key.
// It is stored in the same write as what the call did, so of two calls at once
// only one does anything.
type idempotencyRecord struct {
	Sum      string          `json:"sum"`              // SHA-256 of path and body, hex
	Awaited  *awaited        `json:"asked,omitempty"`  // what the answer waits for
	Response json.RawMessage `json:"answer,omitempty"` // once it was given

	key     store.Key
	version int64
	at      time.Time
}

// record is the first call as a store keeps it.
func (f *idempotencyRecord) record() store.Record {
	r := store.Encode(f.key, f.version, f)
	r.ExpiresAt = f.at.Add(idempotencyTTL)
	return r
}

// Complete implements Shortened.
func (f *idempotencyRecord) Complete(r store.Record) error {
	f.version = r.Version
	return nil
}

// with adds what is remembered of a call to the documents that it stores. A
// call without an Idempotency-Key is nil and adds nothing.
func (f *idempotencyRecord) with(a *awaited, response Response, records ...store.Record) []store.Record {
	if f == nil {
		return records
	}
	f.Awaited = a
	if response != nil {
		f.Response = store.Encode(f.key, 0, response).Doc
	}
	return append(records, f.record())
}

// once does an authentic call, or where its Idempotency-Key was used in
// the last 24 hours returns as the first call was answered, waiting for it if
// it still runs. A refused call does nothing and is not remembered. do stores
// first with what it does.
// Errors: those of do; CodeInvalid for a bad key and one that was used with another body.
func (s *Service) idempotent(ctx context.Context, caller merchant.Caller, call Call, do func(idem *idempotencyRecord) (Response, error)) (Response, error) {
	if call.IdempotencyKey == "" {
		return do(nil)
	}
	if !request.IsIdempotencyKey(call.IdempotencyKey) {
		return nil, request.ErrIdempotencyKey(method.NotValid("It should have 1 to 255 printable ASCII characters."))
	}
	idem := newIdempotencyRecord(caller.Owner, call, s.Now())
	if response, found, err := s.replay(ctx, caller, idem); found || err != nil {
		return response, err
	}
	response, err := do(idem)
	if store.ConflictOn(err, idem.key) {
		response, found, err := s.replay(ctx, caller, idem)
		if err == nil && !found {
			err = errors.New("an idempotency key was taken and is gone")
		}
		return response, err
	}
	if err != nil {
		return nil, err
	}
	s.storeResponse(ctx, idem, response)
	return response, nil
}

// again returns a call whose Idempotency-Key is known.
func (s *Service) replay(ctx context.Context, caller merchant.Caller, call *idempotencyRecord) (response Response, found bool, err error) {
	now := s.Now()
	known := &idempotencyRecord{key: call.key, at: call.at}
	stored, err := s.load(ctx, now, call.key, known)
	if err != nil {
		return nil, false, fmt.Errorf("read idempotency key: %w", err)
	}
	switch {
	case !stored:
		return nil, false, nil
	case known.Sum != call.Sum:
		return nil, true, request.ErrIdempotencyKey("This key was used with another request.")
	case known.Response != nil:
		return storedResponse{known.Response}, true, nil
	}
	response, err = s.await(ctx, caller.Merchant, *known.Awaited)
	return response, true, err
}

// remember keeps the answer that was given. Without it a repeat would be
// answered by how things stand then.
func (s *Service) storeResponse(ctx context.Context, idem *idempotencyRecord, response Response) {
	if idem.Response != nil {
		return
	}
	idem.version, idem.Response = 1, store.Encode(idem.key, 0, response).Doc
	err := s.Store.Save(context.WithoutCancel(ctx), s.Now(), idem.record())
	if err != nil && !store.IsConflict(err) {
		s.Log.WarnContext(ctx, "answer to an idempotency key not stored", "error", err)
	}
}

func newIdempotencyRecord(o request.Owner, call Call, now time.Time) *idempotencyRecord {
	name := sha256.Sum256([]byte(o.Text() + "\x00" + call.IdempotencyKey))
	sum := sha256.Sum256([]byte(call.Path + "\x00" + string(call.Body)))
	return &idempotencyRecord{Sum: hex.EncodeToString(sum[:]), key: store.Key{Partition: "once/" + hex.EncodeToString(name[:]), Sort: "once"}, at: now}
}
