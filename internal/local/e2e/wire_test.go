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

// wire keeps every request that went to the engines.
type wire struct {
	mu   sync.Mutex
	said bytes.Buffer
}

// tap stands before an engine.
func (w *wire) tap(t *testing.T, target string) string {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) } // a poller that ends
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the caller has gone
		}
		w.mu.Lock()
		fmt.Fprintf(&w.said, "%s %s\n", r.Header.Get("X-Amz-Target"), body)
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
	return w.said.String()
}

// questions counts how often the sandbox was asked for the money of a reference, whether it believed it or not: each
// question is a write to its books under a writer's id of its own, and what the SDK repeats has the same one.
func (w *wire) questions(t *testing.T, reference string) int {
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
