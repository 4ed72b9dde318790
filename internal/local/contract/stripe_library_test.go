package contract

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestStripeLibrary installs the simulator as a command, runs it in an empty folder, and has Stripe's own library for
// Python make its first calls there.
func TestStripeLibrary(t *testing.T) {
	python := filepath.Join(tools(t), "venv", "bin", "python")
	if _, err := os.Stat(python); err != nil {
		t.Fatalf("%v: run `make tools`", err)
	}
	script, err := filepath.Abs(filepath.Join("testdata", "stripe_first_calls.py"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), python, script, installedSimulator(t)+"/stripe", "simulator-key")
	command.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "NO_PROXY=localhost", "no_proxy=localhost")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
}

// installedSimulator installs the command with Go, runs it until the test ends, and returns its address.
func installedSimulator(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	install := exec.CommandContext(t.Context(), "go", "install", "./internal/local/cmd/simulator")
	install.Dir, install.Env = root, append(os.Environ(), "GOBIN="+folder)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join(folder, "simulator"))
	command.Dir, command.Env = t.TempDir(), []string{"PORT=0"}
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ready := strings.CutPrefix(lines.Text(), "ready on "); ready {
			go func() { // so that it is never held up
				for lines.Scan() {
				}
			}()
			return address
		}
	}
	t.Fatal("the simulator does not say where it is")
	return ""
}
