package checkout

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store/memory"
)

// Of calls with one key only the first changes anything. The same call gets its response again, another one is refused,
// and the key of another caller, or a day later, is a new one.
func TestIdempotent(t *testing.T) {
	first := IdempotentCall[string]{Caller: "shop", Key: "k", Path: "/refund", Body: []byte("5.00")}
	with := func(change func(*IdempotentCall[string])) IdempotentCall[string] {
		c := first
		change(&c)
		return c
	}
	const done, again, refused = "done", "again", "refused"
	for name, test := range map[string]struct {
		call  IdempotentCall[string]
		after time.Duration
		want  string
	}{
		"the same call":     {first, 24*time.Hour - 1, again},
		"a day later":       {first, 24 * time.Hour, done},
		"another body":      {with(func(c *IdempotentCall[string]) { c.Body = []byte("50.0") }), 0, refused},
		"another path":      {with(func(c *IdempotentCall[string]) { c.Path = "/capture" }), 0, refused},
		"another caller":    {with(func(c *IdempotentCall[string]) { c.Caller = "other" }), 0, done},
		"another key":       {with(func(c *IdempotentCall[string]) { c.Key = "l" }), 0, done},
		"no key":            {with(func(c *IdempotentCall[string]) { c.Key = "" }), 0, done},
		"a key with a line": {with(func(c *IdempotentCall[string]) { c.Key = "k\n" }), 0, refused},
		"path and body moved": {with(func(c *IdempotentCall[string]) { c.Path, c.Body = "/refund5", []byte(".00") }),
			0, refused},
		"caller and key moved": {with(func(c *IdempotentCall[string]) { c.Caller, c.Key = "sho", "pk" }), 0, done},
	} {
		for _, decodes := range []bool{true, false} {
			now := paidAt
			s := &Core{Store: memory.NewStore(), Now: func() time.Time { return now }}
			ran := 0
			call := func(c IdempotentCall[string]) (string, error) {
				c.Do = func(idem *IdempotencyRecord) (string, error) {
					ran++
					err := s.Store.Save(t.Context(), now, idem.With(&Awaited{Reference: "r"}, nil)...)
					return done, err
				}
				c.Await = func(_ context.Context, a Awaited) (string, error) { return again, nil }
				if decodes {
					c.Decode = func(stored json.RawMessage) (response string, err error) {
						err = json.Unmarshal(stored, &response)
						return response, err
					}
				}
				return Idempotent(t.Context(), s, c)
			}
			if got, err := call(first); got != done || err != nil {
				t.Fatalf("the first call: %q, %v", got, err)
			}
			now = now.Add(test.after)
			got, err := call(test.call)
			want, runs := test.want, map[string]int{done: 2, again: 1, refused: 1}[test.want]
			if want == again && decodes {
				want = done // as it was stored
			}
			if code := fault.CodeOf(err); test.want == refused {
				if code != fault.CodeInvalid || got != "" || ran != 1 {
					t.Errorf("%s: %q, %v, ran %d times", name, got, err, ran)
				}
			} else if err != nil || got != want || ran != runs {
				t.Errorf("%s: %q, %v, ran %d times", name, got, err, ran)
			}
		}
	}
}

// Of two calls at the same time the one that is stored first counts, and the other gets its response. A refused call
// leaves its key free.
func TestIdempotentAtTheSameTime(t *testing.T) {
	s := &Core{Store: memory.NewStore(), Now: func() time.Time { return paidAt }}
	call := IdempotentCall[string]{Caller: "shop", Key: "k", Path: "/refund", Body: []byte("5.00")}
	call.Await = func(context.Context, Awaited) (string, error) { return "of the first", nil }
	call.Do = func(*IdempotencyRecord) (string, error) { return "", errors.New("refused") }
	if _, err := Idempotent(t.Context(), s, call); err == nil {
		t.Error("a refused call is none")
	}
	save := func(c IdempotentCall[string]) func(idem *IdempotencyRecord) (string, error) {
		return func(idem *IdempotencyRecord) (string, error) {
			other := c.record(paidAt)
			if err := s.Store.Save(t.Context(), paidAt, other.With(&Awaited{}, nil)...); err != nil {
				t.Error(err)
			}
			return "of the second", s.Store.Save(t.Context(), paidAt, idem.With(&Awaited{}, nil)...)
		}
	}
	call.Do = save(call)
	if got, err := Idempotent(t.Context(), s, call); got != "of the first" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	call.Key = "l"
	other := call
	other.Body = []byte("50.00")
	call.Do = save(other)
	if got, err := Idempotent(t.Context(), s, call); got != "" || fault.CodeOf(err) != fault.CodeInvalid {
		t.Errorf("after another body: %q, %v", got, err)
	}
}
