package wallet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Addresses of Google Pay's root keys.
const (
	GoogleKeys     = "https://payments.developers.google.com/paymentmethodtoken/keys.json"
	GoogleTestKeys = "https://payments.developers.google.com/paymentmethodtoken/test/keys.json"
)

const (
	maxKeyList    = 64 << 10        // bytes
	maxKeyListAge = 24 * time.Hour  // whatever Cache-Control says
	fetchTimeout  = 3 * time.Second // of one try
	fetchPause    = time.Minute     // between two tries, however many tokens name unknown keys
)

// KeyList is a list of root keys as it was fetched.
type KeyList struct {
	Text  string    `json:"text"`  // JSON
	Until time.Time `json:"until"` // to be fetched again from here
}

// KeyStore has a copy of the lists, so that a new instance needn't fetch them. An address without a copy has the zero
// KeyList.
type KeyStore interface {
	LoadKeys(ctx context.Context, address string) (KeyList, error)
	SaveKeys(ctx context.Context, address string, list KeyList) error
}

// RootKeys fetches Google Pay's root keys from one address and has them in memory.
type RootKeys struct {
	Address string // GoogleKeys or GoogleTestKeys
	Client  *http.Client
	Store   KeyStore // nil: no copy
	Now     func() time.Time
	Warn    func(error) // is told of faults that older keys make good; nil: nobody is

	mu    sync.Mutex
	list  KeyList
	keys  []RootKey
	tried time.Time // when they were last fetched, or not
}

// With calls use with the keys. If that returns ErrChain, the key that it lacks may be a new one: the keys are fetched
// again, once, and use is called with what came. An error that is no error of use wraps ErrNoRoot.
func (r *RootKeys) With(ctx context.Context, use func(keys []RootKey) error) error {
	r.mu.Lock()
	keys, err := r.current(ctx)
	r.mu.Unlock()
	if err != nil {
		return err
	}
	err = use(keys)
	if !errors.Is(err, ErrChain) {
		return err
	}
	r.mu.Lock()
	fetchErr := r.fetch(ctx)
	keys = r.keys
	r.mu.Unlock()
	if fetchErr != nil {
		return err
	}
	return use(keys)
}

// current returns the keys of memory, of the copy or of the address, the first that is not over. If there is no other,
// it is one that is.
func (r *RootKeys) current(ctx context.Context) ([]RootKey, error) {
	if !r.due() {
		return r.keys, nil
	}
	if r.Store != nil {
		list, err := r.Store.LoadKeys(ctx, r.Address)
		if err != nil {
			r.warn(fmt.Errorf("wallet: the copy of the root keys: %w", err))
		} else if list.Until.After(r.list.Until) {
			r.take(list)
		}
	}
	if !r.due() {
		return r.keys, nil
	}
	if err := r.fetch(ctx); err != nil {
		if len(r.keys) == 0 {
			return nil, fmt.Errorf("%w: %w", ErrNoRoot, err)
		}
		r.warn(err)
	}
	return r.keys, nil
}

func (r *RootKeys) due() bool { return len(r.keys) == 0 || !r.Now().Before(r.list.Until) }

func (r *RootKeys) warn(err error) {
	if r.Warn != nil {
		r.Warn(err)
	}
}

// take has a list from now on, unless no key of it is good.
func (r *RootKeys) take(list KeyList) bool {
	keys := parseRootKeys([]byte(list.Text), r.Now())
	if len(keys) == 0 {
		return false
	}
	r.list, r.keys = list, keys
	return true
}

// fetch gets a new list and saves a copy of it. After a fault, or on a list that lacks a key, it pauses.
func (r *RootKeys) fetch(ctx context.Context) error {
	now := r.Now()
	if now.Before(r.tried.Add(fetchPause)) {
		return errors.New("wallet: root keys were requested less than a minute ago")
	}
	r.tried = now
	list, err := get(ctx, r.Client, r.Address, now)
	if err != nil {
		return fmt.Errorf("wallet: root keys: %w", err)
	}
	if !r.take(list) {
		return errors.New("wallet: the list of root keys has none that is good")
	}
	if r.Store != nil {
		if err := r.Store.SaveKeys(ctx, r.Address, list); err != nil {
			r.warn(fmt.Errorf("wallet: the copy of the root keys: %w", err))
		}
	}
	return nil
}

func get(ctx context.Context, client *http.Client, address string, now time.Time) (KeyList, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return KeyList{}, err
	}
	fixed := *client // the address is fixed, whatever a redirect says
	fixed.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := fixed.Do(request)
	if err != nil {
		return KeyList{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return KeyList{}, fmt.Errorf("status %d", response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxKeyList+1))
	if err != nil {
		return KeyList{}, err
	}
	if len(text) > maxKeyList {
		return KeyList{}, errors.New("too large")
	}
	return KeyList{Text: string(text), Until: now.Add(maxAgeOf(response.Header.Get("Cache-Control")))}, nil
}

// maxAgeOf reads a Cache-Control header: how long a list is good, from a minute to a day, an hour if it does not tell.
func maxAgeOf(header string) time.Duration {
	for directive := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if !strings.EqualFold(name, "max-age") {
			continue
		}
		seconds, err := strconv.ParseUint(strings.Trim(value, `"`), 10, 31)
		if err != nil {
			break
		}
		return min(max(time.Duration(seconds)*time.Second, fetchPause), maxKeyListAge)
	}
	return time.Hour
}

// parseRootKeys returns the keys of a list that sign payment tokens and are not over. Keys that can't be read are of
// versions to come.
func parseRootKeys(text []byte, now time.Time) []RootKey {
	o, err := parseObject(text)
	if err != nil {
		return nil
	}
	list, _ := o["keys"].([]any)
	var keys []RootKey
	for _, entry := range list {
		fields, _ := entry.(object)
		version, _ := fields.text("protocolVersion", 64)
		value, _ := fields.text("keyValue", 1<<10)
		until, _ := fields.text("keyExpiration", 19)
		key, err := parseSigningKey(value)
		milliseconds, untilErr := integer(until)
		if version != googleVersion || err != nil || untilErr != nil || !now.Before(time.UnixMilli(milliseconds)) {
			continue
		}
		keys = append(keys, RootKey{Key: key, Until: time.UnixMilli(milliseconds)})
	}
	return keys
}
