package contract

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"checkout/internal/local/contract/strict"
)

// The document for generators of clients is made of the one that says all.
func TestClientDocumentIsGenerated(t *testing.T) {
	openapi, err := os.ReadFile(filepath.Join(root, "infra", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := strict.Document(openapi)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "infra", "openapi-client.yaml")
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, want) {
		t.Errorf("%s differs from openapi.yaml (%v); see the change with -update and git diff", path, err)
	}
}
