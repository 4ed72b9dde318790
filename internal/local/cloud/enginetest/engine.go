// Package enginetest starts a DynamoDB for the tests of a process: DynamoDB Local, on a free port with everything in
// memory. `make tools` fetches it. With DYNAMODB_ENDPOINT, the tests use that one.
package enginetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"checkout/internal/local/cloud/engine"
)

// Main runs the tests and ends what DynamoDB has started. A test package's TestMain calls it.
func Main(m *testing.M) {
	code := m.Run()
	started.Close()
	os.Exit(code)
}

var started = &engine.Engines{}

// DynamoDB returns the engine's URL. The first call starts it. All tests of the process share it, so each makes tables
// of its own.
var DynamoDB = sync.OnceValues(func() (url string, err error) {
	if url := os.Getenv("DYNAMODB_ENDPOINT"); url != "" {
		return url, nil
	}
	tools, err := tools()
	if err != nil {
		return "", err
	}
	engines, err := engine.Start(context.Background(), engine.Config{
		Dir: filepath.Join(tools, "engines"),
		SQS: "none", // an engine with an address is not started
	})
	if err != nil {
		return "", fmt.Errorf("%w (or set DYNAMODB_ENDPOINT)", err)
	}
	started = engines
	return engines.DynamoDB, nil
})

// tools is $CHECKOUT_TOOLS, else .tools beside go.mod.
func tools() (string, error) {
	if tools := os.Getenv("CHECKOUT_TOOLS"); tools != "" {
		return tools, nil
	}
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return filepath.Join(folder, ".tools"), nil
		}
		if folder == filepath.Dir(folder) {
			return "", fmt.Errorf("no go.mod above the test: set CHECKOUT_TOOLS")
		}
		folder = filepath.Dir(folder)
	}
}
