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

// onceKept is how long an Idempotency-Key is remembered.
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
func (f *idempotencyRecord) with(a *awaited, answer Response, records ...store.Record) []store.Record {
	if f == nil {
		return records
	}
	f.Awaited = a
	if answer != nil {
		f.Response = store.Encode(f.key, 0, answer).Doc
	}
	return append(records, f.record())
}

// once does an authentic call, or where its Idempotency-Key was used in
// the last 24 hours returns as the first call was answered, waiting for it if
// it still runs. A refused call does nothing and is not remembered. do stores
// first with what it does.
// Errors: those of do; CodeInvalid for a bad key and one that was used with another body.
func (s *Service) idempotent(ctx context.Context, by merchant.Caller, call Call, do func(first *idempotencyRecord) (Response, error)) (Response, error) {
	if call.IdempotencyKey == "" {
		return do(nil)
	}
	if !request.IsIdempotencyKey(call.IdempotencyKey) {
		return nil, request.ErrIdempotencyKey(method.NotValid("It should have 1 to 255 printable ASCII characters."))
	}
	first := newIdempotencyRecord(by.Owner, call, s.Now())
	if answer, found, err := s.replay(ctx, by, first); found || err != nil {
		return answer, err
	}
	answer, err := do(first)
	if store.ConflictOn(err, first.key) {
		answer, found, err := s.replay(ctx, by, first)
		if err == nil && !found {
			err = errors.New("an idempotency key was taken and is gone")
		}
		return answer, err
	}
	if err != nil {
		return nil, err
	}
	s.storeResponse(ctx, first, answer)
	return answer, nil
}

// again returns a call whose Idempotency-Key is known.
func (s *Service) replay(ctx context.Context, by merchant.Caller, call *idempotencyRecord) (answer Response, found bool, err error) {
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
	answer, err = s.await(ctx, by.Merchant, *known.Awaited)
	return answer, true, err
}

// remember keeps the answer that was given. Without it a repeat would be
// answered by how things stand then.
func (s *Service) storeResponse(ctx context.Context, first *idempotencyRecord, answer Response) {
	if first.Response != nil {
		return
	}
	first.version, first.Response = 1, store.Encode(first.key, 0, answer).Doc
	err := s.Store.Save(context.WithoutCancel(ctx), s.Now(), first.record())
	if err != nil && !store.IsConflict(err) {
		s.Log.WarnContext(ctx, "answer to an idempotency key not stored", "error", err)
	}
}

func newIdempotencyRecord(o request.Owner, call Call, now time.Time) *idempotencyRecord {
	name := sha256.Sum256([]byte(o.Text() + "\x00" + call.IdempotencyKey))
	sum := sha256.Sum256([]byte(call.Path + "\x00" + string(call.Body)))
	return &idempotencyRecord{Sum: hex.EncodeToString(sum[:]), key: store.Key{Partition: "once/" + hex.EncodeToString(name[:]), Sort: "once"}, at: now}
}
