package bench

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const root = "../../.."

var update = flag.Bool("update", false, "write today's sizes of the binaries instead of comparing with the stored ones")

// TestSizes checks that no binary has grown by more than two per cent: a library in it that it does not use, or the
// table of payment methods in one that needs none, is more than that. sizes.json has how many thousandths of a function
// with one DynamoDB call each has, which has what all of them need. Of Linux on amd64: with arm64 status and connector
// have 12 and 4 more, with macOS 11 and 21 more.
func TestSizes(t *testing.T) {
	const file = "testdata/sizes.json"
	stored, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, sizes := map[string]int64{}, map[string]int64{}
	if err := json.Unmarshal(stored, &want); err != nil {
		t.Fatal(err)
	}
	mains, err := filepath.Glob(root + "/functions/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal("no functions", err)
	}
	least := size(t, build(t, "baseline"))
	for _, main := range mains {
		name := filepath.Base(filepath.Dir(main))
		bytes := size(t, filepath.Join(root, "bin", "lambda", name, "bootstrap"))
		sizes[name] = (bytes*1000 + least/2) / least
		t.Logf("%-10s %4.1f MiB, %4d thousandths of a function with one DynamoDB call", name, float64(bytes)/(1<<20),
			sizes[name])
		if sizes[name]*100 > want[name]*102 && !*update {
			t.Errorf("%s has grown from %d to %d thousandths: what is in it that it does not use? If it uses it, run this "+
				"test with -update", name, want[name], sizes[name])
		}
		delete(want, name)
	}
	if *update {
		text, _ := json.MarshalIndent(sizes, "", "  ") // of numbers, which cannot fail
		if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if len(want) > 0 {
		t.Errorf("%s has functions that are not there: %v: run this test with -update", file, want)
	}
}

func size(t *testing.T, binary string) int64 {
	t.Helper()
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatalf("%v: run `make lambda`", err)
	}
	return info.Size()
}

// build makes a Lambda binary of a folder beside this file as `make lambda` does, and returns its path.
func build(tb testing.TB, folder string) string {
	tb.Helper()
	binary := filepath.Join(tb.TempDir(), "bootstrap")
	command := exec.Command("go", "build", "-trimpath", "-tags", "lambda.norpc", "-ldflags", "-s -w", "-o", binary,
		"./"+folder)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		tb.Fatalf("build %s: %v: %s", folder, err, output)
	}
	return binary
}
