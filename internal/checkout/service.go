package checkout

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Service carries out every operation. All fields must be set, but for those
// that the operations of one function do not use.
type Service struct {
	Store      Store
	Queue      Queue
	Vault      Vault
	Connectors map[string]Connector
	Sender     Sender

	Now     func() time.Time
	Random  func(n int) []byte // n bytes that nobody can guess
	BaseURL string             // public address of the page, without a trailing slash
	Log     *slog.Logger

	AskTimeout time.Duration // how long a provider may take to answer; a third of it for a look-up; both together less than the connector function may take

	merchants cache[*Merchant]
	addresses cache[address]
}

// cache keeps what was read for a while, so that a warm function does not
// read it again.
type cache[T any] struct {
	mu    sync.Mutex
	items map[string]cached[T]
}

type cached[T any] struct {
	value T
	until time.Time
}

// get answers the value of name, by load if it is not known at now.
func (c *cache[T]) get(name string, now time.Time, keep time.Duration, load func() (T, error)) (T, error) {
	c.mu.Lock()
	item, ok := c.items[name]
	c.mu.Unlock()
	if ok && now.Before(item.until) {
		return item.value, nil
	}
	value, err := load()
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil || len(c.items) >= cacheLimit {
		c.items = map[string]cached[T]{}
	}
	c.items[name] = cached[T]{value, now.Add(keep)}
	return value, nil
}

func (c *cache[T]) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.items, name)
}

const (
	cacheLimit    = 10_000      // entries; a full cache starts anew
	merchantCache = time.Minute // how late a changed setting is seen
	addressCache  = 10 * time.Second
)

// merchant answers the merchant of a live or test key, nil if there is none.
// An unknown key is remembered too, so that guessing keys costs no reads.
func (s *Service) merchant(ctx context.Context, key string, now time.Time) (*Merchant, error) {
	if key == "" {
		return nil, nil
	}
	return s.merchants.get(key, now, merchantCache, func() (*Merchant, error) {
		var m Merchant
		version, err := s.load(ctx, now, merchantKey(key), &m)
		if err != nil {
			return nil, fmt.Errorf("read merchant: %w", err)
		}
		if version == 0 {
			return nil, nil
		}
		return &m, nil
	})
}

// load reads one document into doc and answers its version, 0 if it is not there.
func (s *Service) load(ctx context.Context, now time.Time, key Key, doc any) (int64, error) {
	records, err := s.Store.Get(ctx, now, key)
	if err != nil {
		return 0, err
	}
	return records[0].Version, records[0].decode(doc)
}

// decode reads the record's document, if there is one.
func (r Record) decode(doc any) error {
	if r.Version == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Doc, doc); err != nil {
		return fmt.Errorf("document %s %s: %w", r.Key.Partition, r.Key.Sort, err)
	}
	return nil
}

// encode makes a Record of a document. Every noun can be marshalled, so a failure is a mistake in this package.
func encode(key Key, version int64, doc any) Record {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // would make a large document of < and > larger than a record may be
	if err := encoder.Encode(doc); err != nil {
		panic(fmt.Sprintf("marshal %T: %v", doc, err))
	}
	return Record{Key: key, Version: version, Doc: text.Bytes()}
}

// record is the session as a store keeps it.
func (s *Session) record() Record {
	key, err := sessionKey(s.ID)
	if err != nil {
		panic("session without an id of ours: " + s.ID)
	}
	r := encode(key, s.version, s)
	r.ExpiresAt = s.ExpiresAt.Add(sessionKept)
	return r
}

// record is the payment as a store keeps it, with its job due at due if it has one.
func (p *Payment) record(due time.Time) Record {
	key, err := paymentKey(p.ID)
	if err != nil {
		panic("payment without an id of ours: " + p.ID)
	}
	r := encode(key, p.version, p)
	if p.Job != nil {
		r.DueAt = due
	}
	return r
}

// session reads a session by its id.
func (s *Service) session(ctx context.Context, now time.Time, id string) (*Session, error) {
	key, err := sessionKey(id)
	if err != nil {
		return nil, errSession()
	}
	var sess Session
	if sess.version, err = s.load(ctx, now, key, &sess); err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	if sess.version == 0 {
		return nil, errSession()
	}
	return &sess, nil
}

func errSession() *Error { return refuse(CodeNotFound, FaultInvalid, "Session does not exist") }

// attempt reads a payment and its session, in one request where the session
// is named. Either is nil if it is not there: sessions are kept for days only.
func (s *Service) attempt(ctx context.Context, now time.Time, paymentID, sessionID string) (*Payment, *Session, error) {
	pk, err := paymentKey(paymentID)
	if err != nil {
		return nil, nil, nil
	}
	keys := []Key{pk}
	if sk, err := sessionKey(sessionID); err == nil {
		keys = append(keys, sk)
	}
	records, err := s.Store.Get(ctx, now, keys...)
	if err != nil {
		return nil, nil, fmt.Errorf("read payment: %w", err)
	}
	if records[0].Version == 0 {
		return nil, nil, nil
	}
	p := &Payment{version: records[0].Version}
	if err := records[0].decode(p); err != nil {
		return nil, nil, err
	}
	if p.SessionID != sessionID && p.SessionID != "" {
		return s.attempt(ctx, now, paymentID, p.SessionID)
	}
	if len(records) < 2 || records[1].Version == 0 {
		return p, nil, nil
	}
	sess := &Session{version: records[1].Version}
	return p, sess, records[1].decode(sess)
}

// authenticate checks the hash of a request that is not a session: over the
// given parts and the password (decisions.md 3).
// Errors: CodeHash, also where there is no such merchant; CodeDenied.
func authenticate(m *Merchant, hash string, parts ...string) error {
	if m == nil || !verifyHash(hash, m, parts...) {
		return errHash()
	}
	if m.Disabled {
		return errDenied()
	}
	return nil
}

func errDenied() *Error { return refuse(CodeDenied, FaultInvalid, "Access denied.") }
