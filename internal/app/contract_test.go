package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/internal/request"
	"checkout/internal/worker"
)

// TestContractOfAdapters checks that the document for authors of adapters has the limits of the service.
func TestContractOfAdapters(t *testing.T) {
	contract, err := os.ReadFile(filepath.Join("..", "..", "infra", "adapter.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{
		fmt.Sprintf("**Respond within %d seconds, and to `/lookup` within %d seconds.** The service waits no longer",
			worker.ProviderTimeout/time.Second, worker.LookUpTimeout(worker.ProviderTimeout)/time.Second),
		fmt.Sprintf("those of notices up to %d KiB", request.MaxBody>>10),
	} {
		if !strings.Contains(string(contract), said) {
			t.Errorf("the contract does not say %q", said)
		}
	}
}
