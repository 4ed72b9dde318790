package wallet

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/wallet/testwallet"
)

// vendor is the server of root keys.
type vendor struct {
	mu       sync.Mutex
	requests int
	status   int
	cache    string // Cache-Control
	body     string
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r.URL.Path != "/keys.json" { // a redirect was followed, to a good list
		_, _ = w.Write([]byte(v.body))
		return
	}
	v.requests++
	w.Header().Set("Cache-Control", v.cache)
	w.Header().Set("Location", "/elsewhere")
	w.WriteHeader(v.status)
	_, _ = w.Write([]byte(v.body))
}

func (v *vendor) set(status int, cache, body string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.status, v.cache, v.body = status, cache, body
}

// count returns how many requests came since it was last called.
func (v *vendor) count() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := v.requests
	v.requests = 0
	return n
}

// copies is a KeyStore.
type copies struct {
	lists map[string]KeyList
	err   error
}

func (c *copies) LoadKeys(_ context.Context, address string) (KeyList, error) {
	return c.lists[address], c.err
}

func (c *copies) SaveKeys(_ context.Context, address string, list KeyList) error {
	if c.err == nil {
		c.lists[address] = list
	}
	return c.err
}

// keyFor writes an entry of a list.
func keyFor(t *testing.T, version string, until time.Time) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(testwallet.GoogleRoot())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"keyValue":"%s","protocolVersion":"%s","keyExpiration":"%d"}`,
		base64.StdEncoding.EncodeToString(der), version, until.UnixMilli())
}

func listOf(entries ...string) string { return `{"keys":[` + strings.Join(entries, ",") + `]}` }

// world is a vendor, a clock and an instance.
type world struct {
	vendor *vendor
	server *httptest.Server
	now    time.Time
	copies *copies
	warned int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{vendor: &vendor{}, now: sentAt, copies: &copies{lists: map[string]KeyList{}}}
	w.vendor.set(http.StatusOK, "max-age=3600", listOf(keyFor(t, "ECv2", sentAt.AddDate(1, 0, 0))))
	w.server = httptest.NewServer(w.vendor)
	t.Cleanup(w.server.Close)
	return w
}

func (w *world) instance() *RootKeys {
	return &RootKeys{
		Address: w.server.URL + "/keys.json", Client: w.server.Client(), Store: w.copies,
		Now: func() time.Time { return w.now }, Warn: func(error) { w.warned++ },
	}
}

// expect uses the keys once and checks how many there are, and how many requests that took.
func (w *world) expect(t *testing.T, r *RootKeys, keys, requests int) {
	t.Helper()
	got := 0
	err := r.With(t.Context(), func(k []RootKey) error {
		got = len(k)
		return nil
	})
	if got != keys || (err != nil) != (keys == 0) || err != nil && !errors.Is(err, ErrNoRoot) {
		t.Errorf("%d keys, not %d: %v", got, keys, err)
	}
	if n := w.vendor.count(); n != requests {
		t.Errorf("%d requests, not %d", n, requests)
	}
}

// A list is fetched when its time is over, and no sooner.
func TestRootKeysAreCached(t *testing.T) {
	for _, test := range []struct {
		header string
		want   time.Duration
	}{
		{"max-age=3600", time.Hour},
		{"public, max-age=21600, stale-while-revalidate=60", 6 * time.Hour},
		{"Max-Age=\"7200\"", 2 * time.Hour},
		{"max-age=86400", 24 * time.Hour},
		{"max-age=86401", 24 * time.Hour},
		{"max-age=2000000000", 24 * time.Hour},
		{"max-age=99999999999999999999", time.Hour},
		{"max-age=0", time.Minute},
		{"no-store", time.Hour},
		{"s-maxage=60", time.Hour},
		{"max-age=-1", time.Hour},
		{"", time.Hour},
	} {
		if got := maxAgeOf(test.header); got != test.want {
			t.Errorf("%q: %v, not %v", test.header, got, test.want)
		}
	}
	w := newWorld(t)
	r := w.instance()
	w.expect(t, r, 1, 1)
	w.now = w.now.Add(time.Hour - 1)
	w.expect(t, r, 1, 0)
	w.now = w.now.Add(1)
	w.expect(t, r, 1, 1)
}

// A new instance takes the copy, and fetches only if that is over. Without a copy it works, too.
func TestRootKeysOfTheCopy(t *testing.T) {
	w := newWorld(t)
	w.expect(t, w.instance(), 1, 1)
	w.expect(t, w.instance(), 1, 0)
	w.now = w.now.Add(time.Hour)
	w.expect(t, w.instance(), 1, 1)
	none := w.instance()
	none.Store = nil
	w.expect(t, none, 1, 1)
	if w.warned != 0 {
		t.Errorf("%d warnings", w.warned)
	}
	w.copies.err = errors.New("the table is away")
	w.expect(t, w.instance(), 1, 1)
	if w.warned != 2 { // of reading and of writing
		t.Errorf("%d warnings", w.warned)
	}
}

// While the vendor has nothing good, the last good list is good, also that of the copy.
func TestLastGoodRootKeys(t *testing.T) {
	over, good := keyFor(t, "ECv2", sentAt), keyFor(t, "ECv2", sentAt.AddDate(1, 0, 0))
	ofPasses := keyFor(t, "ECv2SigningOnly", sentAt.AddDate(1, 0, 0))
	large := listOf(good) + strings.Repeat(" ", maxKeyList)
	for name, fault := range map[string]struct {
		status int
		body   string
	}{
		"down":      {status: http.StatusServiceUnavailable},
		"not found": {status: http.StatusNotFound, body: listOf(good)},
		"redirect":  {status: http.StatusFound, body: listOf(good)},
		"empty":     {status: http.StatusOK, body: listOf()},
		"no list":   {status: http.StatusOK, body: `{}`},
		"no body":   {status: http.StatusOK},
		"no JSON":   {status: http.StatusOK, body: `<html>`},
		"over":      {status: http.StatusOK, body: listOf(over)},
		"of passes": {status: http.StatusOK, body: listOf(ofPasses)},
		"no keys":   {status: http.StatusOK, body: `{"keys":[1,"a",null,{},{"protocolVersion":"ECv2"}]}`},
		"too large": {status: http.StatusOK, body: large},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.vendor.set(fault.status, "max-age=60", fault.body)
			r := w.instance()
			w.expect(t, r, 0, 1)
			w.expect(t, r, 0, 0) // not again within a minute
			w = newWorld(t)
			r = w.instance()
			w.expect(t, r, 1, 1)
			w.vendor.set(fault.status, "max-age=60", fault.body)
			w.now = w.now.Add(30 * time.Hour)
			w.expect(t, r, 1, 1)
			w.expect(t, w.instance(), 1, 1)
			w.expect(t, r, 1, 0)
			w.now = w.now.Add(time.Minute)
			w.expect(t, r, 1, 1)
			if w.warned == 0 || len(w.copies.lists) != 1 {
				t.Errorf("%d warnings, %d copies", w.warned, len(w.copies.lists))
			}
		})
	}
}

// A token of a key that is not in the list leads to one request, and to no other within a minute.
func TestUnknownRootKeyIsFetchedOnce(t *testing.T) {
	w := newWorld(t)
	good := w.vendor.body
	w.vendor.set(http.StatusOK, "max-age=86400", `{"keys":[`+
		`{"keyValue":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEGnJ7Yo1sX9b4kr4Aa5uq58JRQfzD8bIJXw7WXaap/hVE+PnFxvjx4nVxt79SdRuU`+
		`Veu++HZD0cGAv4IOznc96w==","protocolVersion":"ECv2","keyExpiration":"2154841200000"}]}`)
	token := newToken(t, testwallet.GooglePay, content(), "")
	calls := 0
	verify := func(r *RootKeys) error {
		return r.With(t.Context(), func(keys []RootKey) error {
			calls++
			_, err := Google{Roots: keys}.Verify(token, googleCheck())
			return err
		})
	}
	r := w.instance()
	w.expect(t, r, 1, 1)
	w.now = w.now.Add(59 * time.Second)
	expect(t, verify(r), ErrChain)
	if n := w.vendor.count(); n != 0 || calls != 1 {
		t.Errorf("%d requests, %d calls", n, calls)
	}
	w.now = w.now.Add(time.Second)
	expect(t, verify(r), ErrChain) // fetched again, to no avail
	if n := w.vendor.count(); n != 1 || calls != 3 {
		t.Errorf("%d requests, %d calls", n, calls)
	}
	w.vendor.set(http.StatusOK, "max-age=86400", good)
	w.now = w.now.Add(time.Minute)
	expect(t, verify(r), nil)
	if n := w.vendor.count(); n != 1 || calls != 5 {
		t.Errorf("%d requests, %d calls", n, calls)
	}
	w.vendor.set(http.StatusBadGateway, "", "")
	w.now = w.now.Add(time.Hour)
	expect(t, r.With(t.Context(), func([]RootKey) error { return ErrChain }), ErrChain)
	if n := w.vendor.count(); n != 1 {
		t.Errorf("%d requests", n)
	}
	expect(t, verify(r), nil)
}

// A vendor that does not respond holds a payment up for seconds, not for ever, and only once a minute.
func TestRootKeysOfASlowVendor(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	blocked := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-blocked }))
	defer slow.Close()
	defer close(blocked)
	r := w.instance()
	r.Address = slow.URL
	err := r.With(ctx, func([]RootKey) error { return nil })
	expect(t, err, ErrNoRoot)
	expect(t, err, context.DeadlineExceeded)
}

func TestRootKeysOfManyGoroutines(t *testing.T) {
	w := newWorld(t)
	r := w.instance()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range 20 {
				err := r.With(t.Context(), func(keys []RootKey) error {
					if len(keys) != 1 {
						return errors.New(strconv.Itoa(i))
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if n := w.vendor.count(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestAddressesOfRootKeys(t *testing.T) {
	for _, address := range []string{GoogleKeys, GoogleTestKeys} {
		if !strings.HasPrefix(address, "https://payments.developers.google.com/paymentmethodtoken/") {
			t.Error(address)
		}
	}
}
