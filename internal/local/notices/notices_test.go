package notices

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"checkout/internal/app"
	"checkout/internal/settings"
)

// An account is told about with its key. A file without secrets, such as an exported one, tells nothing.
func TestFilesWithoutSecrets(t *testing.T) {
	var calls atomic.Int64
	simulator := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		http.Error(w, "no such key", http.StatusUnauthorized)
	}))
	defer simulator.Close()
	for key, want := range map[string]int64{"": 0, "a-key": 1} {
		calls.Store(0)
		mid := settings.MID{Name: "stripe", Connector: "stripe",
			Credentials: map[string]string{"url": simulator.URL + "/stripe", "key": key}}
		m := app.Merchant{ID: "shop", Mappings: []settings.Mapping{{Name: "default", MIDs: []settings.MID{mid}}}}
		err := Tell(t.Context(), []app.Merchant{m}, Addresses{"https://pay.example", simulator.URL})
		if calls.Load() != want || (err == nil) != (want == 0) {
			t.Errorf("key %q: %d calls, %v", key, calls.Load(), err)
		}
	}
}
