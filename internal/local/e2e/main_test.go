package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
)

var (
	root    string          // of the repository
	engines *engine.Engines // which all clouds here share
)

// TestMain builds the functions' binaries and starts the engines. Without them every test here fails, with the reason.
func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, "FAIL:", err)
		return 1
	}
	var err error
	if root, err = filepath.Abs(filepath.Join("..", "..", "..")); err != nil {
		return fail(err)
	}
	build := exec.Command("make", "lambda")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return fail(fmt.Errorf("make lambda: %w\n%s", err, out))
	}
	if engines, err = cloud.StartEngines(context.Background(), root, os.Getenv); err != nil {
		return fail(err)
	}
	defer engines.Close()
	return m.Run()
}
