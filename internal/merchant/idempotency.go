package merchant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Call is a request of a merchant that changes something. IdempotencyKey is its Idempotency-Key header, "" if there is
// none.
type Call struct {
	Path           string // of the request, e.g. /api/v1/payment/refund
	Body           []byte
	IdempotencyKey string
}

// idempotencyTTL is how long an idempotency record is stored.
const idempotencyTTL = 24 * time.Hour

// idempotencyRecord is stored for the first call with an Idempotency-Key, in the same write as what the call changes.
// So of two such calls at the same time only one changes anything.
type idempotencyRecord struct {
	Sum      string          `json:"sum"`                // SHA-256 of path and body, hex
	Awaited  *awaited        `json:"awaited,omitempty"`  // the job whose outcome is the response
	Response json.RawMessage `json:"response,omitempty"` // to the first call, once it was returned

	key     store.Key
	version int64
	at      time.Time
}

// record is the document of the idempotency record.
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

// with adds the idempotency record to the documents that a call stores. For a call without an Idempotency-Key, f is nil
// and nothing is added.
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

// duplicates reports whether a write failed because the order was sent just before, by another call. A repeated call
// with an Idempotency-Key meets its own lock, too.
func (f *idempotencyRecord) duplicates(err error, lock store.Key) bool {
	return store.ConflictOn(err, lock) && (f == nil || !store.ConflictOn(err, f.key))
}

// idempotent runs an authentic call. If its Idempotency-Key was used in the last 24 hours, it returns the response to
// the first call instead, and waits for that if the first call still runs. A refused call changes nothing and is not
// stored. do stores the record together with what it changes.
// Errors: those of do; CodeInvalid for a key that is not valid or was used with another body.
func (s *Service) idempotent(
	ctx context.Context, caller settings.Caller, call Call, do func(idem *idempotencyRecord) (Response, error),
) (Response, error) {
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

// replay returns the response to the first call with the same Idempotency-Key. found is false if call is the first.
func (s *Service) replay(
	ctx context.Context, caller settings.Caller, call *idempotencyRecord,
) (response Response, found bool, err error) {
	now := s.Now()
	known := &idempotencyRecord{key: call.key, at: call.at}
	stored, err := s.Load(ctx, now, call.key, known)
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

// storeResponse stores the response, so that a repeated call gets the same one. Without it, a repeated call gets the
// payment as it is by then.
func (s *Service) storeResponse(ctx context.Context, idem *idempotencyRecord, response Response) {
	if idem.Response != nil {
		return
	}
	idem.version, idem.Response = 1, store.Encode(idem.key, 0, response).Doc
	err := s.Store.Save(context.WithoutCancel(ctx), s.Now(), idem.record())
	if err != nil && !store.IsConflict(err) {
		s.Log.WarnContext(ctx, "response to an idempotency key not stored", "error", err)
	}
}

func newIdempotencyRecord(o request.Owner, call Call, now time.Time) *idempotencyRecord {
	name := sha256.Sum256([]byte(o.Text() + "\x00" + call.IdempotencyKey))
	sum := sha256.Sum256([]byte(call.Path + "\x00" + string(call.Body)))
	key := store.Key{Partition: "idempotency/" + hex.EncodeToString(name[:]), Sort: "idempotency"}
	return &idempotencyRecord{Sum: hex.EncodeToString(sum[:]), key: key, at: now}
}
