package e2e

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
)

var (
	root    string          // of the repository
	engines *engine.Engines // which all clouds here share
)

// old is the repository of an older release, whose functions serve half of the calls in every world.
var old = flag.String("old", "", "folder with the sources of an older release, whose functions serve half of the calls")

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
	flag.Parse()
	for _, sources := range slices.Compact([]string{root, cmp.Or(*old, root)}) {
		build := exec.Command("make", "lambda")
		build.Dir = sources
		if out, err := build.CombinedOutput(); err != nil {
			return fail(fmt.Errorf("make lambda in %s: %w\n%s", sources, err, out))
		}
	}
	if engines, err = cloud.StartEngines(context.Background(), root, os.Getenv); err != nil {
		return fail(err)
	}
	defer engines.Close()
	return m.Run()
}
