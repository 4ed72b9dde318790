package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// wire records every request to the engines.
type wire struct {
	mu      sync.Mutex
	records bytes.Buffer
}

// tap is a proxy for an engine.
func (w *wire) tap(t *testing.T, target string) string {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { // without a log line when a poller ends
		w.WriteHeader(http.StatusBadGateway)
	}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the caller has closed the connection
		}
		w.mu.Lock()
		fmt.Fprintf(&w.records, "%s %s\n", r.Header.Get("X-Amz-Target"), body)
		w.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(out, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func (w *wire) all() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.records.String()
}

// charges counts the charges of a reference that the sandbox received, also refused ones. Each writes to its ledger
// with a writer's id of its own; retries of the SDK have the same id.
func (w *wire) charges(t *testing.T, reference string) int {
	t.Helper()
	writers := map[string]bool{}
	for line := range strings.Lines(w.all()) {
		target, body, _ := strings.Cut(line, " ")
		if !strings.HasSuffix(target, ".PutItem") || !strings.Contains(body, `"sandbox/`+reference+`"`) {
			continue
		}
		var write struct {
			Item map[string]struct{ S string }
		}
		if err := json.Unmarshal([]byte(body), &write); err != nil {
			t.Fatal(err)
		}
		writers[write.Item["w"].S] = true
	}
	return len(writers)
}
