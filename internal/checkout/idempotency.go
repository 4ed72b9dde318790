package checkout

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
	"checkout/internal/store"
)

// IdempotentCall is a call that changes something, and may be repeated.
type IdempotentCall[R any] struct {
	Caller string // whose keys are meant: a key of one caller is never that of another
	Key    string // its Idempotency-Key header; "": none, and each repeat changes something
	Path   string // of the request, such as /api/v1/payment/refund
	Body   []byte

	// Do runs the call. It stores the record together with what it changes.
	Do func(idem *IdempotencyRecord) (R, error)
	// Await returns the response to a call that began a job, once that has ended or was waited for long enough.
	Await func(ctx context.Context, a Awaited) (R, error)
	// Decode reads the response to the first call. If it is nil, no response is stored after Do: a repeat awaits the job
	// again, and tells what is true by then.
	Decode func(response json.RawMessage) (R, error)
}

// idempotencyTTL is how long an idempotency record is stored.
const idempotencyTTL = 24 * time.Hour

// IdempotencyRecord is stored for the first call with an Idempotency-Key, in the same write as what the call changes.
// So of two such calls at the same time only one changes anything. It is nil for a call without a key.
type IdempotencyRecord struct {
	Sum      string          `json:"sum"`                // SHA-256 of path and body, hex
	Awaited  *Awaited        `json:"awaited,omitempty"`  // the job whose outcome is the response
	Response json.RawMessage `json:"response,omitempty"` // to the first call, once it was returned

	key     store.Key
	version int64
	at      time.Time
}

// record is the document of the idempotency record.
func (f *IdempotencyRecord) record() store.Record {
	r := store.Encode(f.key, f.version, f)
	r.ExpiresAt = f.at.Add(idempotencyTTL)
	return r
}

// Complete implements Shortened.
func (f *IdempotencyRecord) Complete(r store.Record) error {
	f.version = r.Version
	return nil
}

// Of returns the idempotency record of a call's response, or for a nil response of the job that it follows from. It is
// to be stored in the same write as what the call changes.
func (f *IdempotencyRecord) Of(a *Awaited, response any) *store.Record {
	if f == nil {
		return nil
	}
	f.Awaited = a
	if response != nil {
		f.Response = store.CompactJSON(response)
	}
	r := f.record()
	return &r
}

// With adds the idempotency record to the other documents that a call stores.
func (f *IdempotencyRecord) With(a *Awaited, response any, records ...store.Record) []store.Record {
	if r := f.Of(a, response); r != nil {
		records = append(records, *r)
	}
	return records
}

// IsConflict reports whether a write failed because another call with the same key was stored before.
func (f *IdempotencyRecord) IsConflict(err error) bool {
	return f != nil && store.ConflictOn(err, f.key)
}

// Idempotent runs an authentic call. If its Idempotency-Key was used in the last 24 hours, it returns the response to
// the first call instead, and waits for that if the first call still runs. A refused call changes nothing and is not
// stored.
// Errors: those of Do; CodeInvalid for a key that is not valid or was used with another body.
func Idempotent[R any](ctx context.Context, s *Core, call IdempotentCall[R]) (response R, err error) {
	if call.Key == "" {
		return call.Do(nil)
	}
	if !request.IsIdempotencyKey(call.Key) {
		return response, request.ErrIdempotencyKey(
			method.NotValid("It should have 1 to 255 printable ASCII characters."))
	}
	idem := call.record(s.Now())
	response, found, err := call.replay(ctx, s, idem)
	if found || err != nil {
		return response, err
	}
	response, err = call.Do(idem)
	if idem.IsConflict(err) {
		response, found, err = call.replay(ctx, s, idem)
		if err == nil && !found {
			err = errors.New("an idempotency key was taken and is gone")
		}
		return response, err
	}
	if err == nil && call.Decode != nil {
		s.storeResponse(ctx, idem, response)
	}
	return response, err
}

// replay returns the response to the first call with the same Idempotency-Key. found is false if call is the first.
func (c IdempotentCall[R]) replay(
	ctx context.Context, s *Core, call *IdempotencyRecord,
) (response R, found bool, err error) {
	known := &IdempotencyRecord{key: call.key, at: call.at}
	stored, err := s.Load(ctx, s.Now(), call.key, known)
	if err != nil {
		return response, false, fmt.Errorf("read idempotency key: %w", err)
	}
	switch {
	case !stored:
		return response, false, nil
	case known.Sum != call.Sum:
		return response, true, request.ErrIdempotencyKey("This key was used with another request.")
	case known.Response != nil:
		response, err = c.Decode(known.Response)
		return response, true, err
	}
	response, err = c.Await(ctx, *known.Awaited)
	return response, true, err
}

// storeResponse stores the response, so that a repeated call gets the same one. Without it, a repeated call gets the
// payment as it is by then.
func (s *Core) storeResponse(ctx context.Context, idem *IdempotencyRecord, response any) {
	if idem.Response != nil {
		return
	}
	idem.version, idem.Response = 1, store.CompactJSON(response)
	err := s.Store.Save(context.WithoutCancel(ctx), s.Now(), idem.record())
	if err != nil && !store.IsConflict(err) {
		s.Log.WarnContext(ctx, "response to an idempotency key not stored", "error", err)
	}
}

func (c IdempotentCall[R]) record(now time.Time) *IdempotencyRecord {
	name := sha256.Sum256([]byte(c.Caller + "\x00" + c.Key))
	sum := sha256.Sum256([]byte(c.Path + "\x00" + string(c.Body)))
	key := store.Key{Partition: "idempotency/" + hex.EncodeToString(name[:]), Sort: "idempotency"}
	return &IdempotencyRecord{Sum: hex.EncodeToString(sum[:]), key: key, at: now}
}
