package tidy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// topLevel is all that may stand beside files and folders whose names begin with a dot.
var topLevel = []string{"functions", "internal", "infra", "events", "template.yaml", "go.mod", "go.sum", "Makefile", "README.md", "LICENSE"}

// pictures are the files that hold no text.
var pictures = []string{"infra/page/screenshot.png"}

// largest is the most bytes of a file.
const largest = 1 << 20

func TestFilesOfTheRepository(t *testing.T) {
	found := map[string]bool{}
	for _, name := range repository(t) {
		top, _, _ := strings.Cut(name, "/")
		found[top] = true
		if !slices.Contains(topLevel, top) && !strings.HasPrefix(top, ".") {
			t.Errorf("%s: nothing else may stand at the top", name)
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > largest {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		if (bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text)) && !slices.Contains(pictures, name) {
			t.Errorf("%s is no text", name)
		}
		if lines := bytes.Count(text, []byte("\n")); isPageSource(name) && lines > maxFile {
			t.Errorf("%s has %d lines", name, lines)
		}
	}
	for _, name := range topLevel {
		if !found[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

func isPageSource(name string) bool {
	return strings.HasPrefix(name, "infra/page/src/") && !strings.Contains(name, ".test.") &&
		(strings.HasSuffix(name, ".ts") || strings.HasSuffix(name, ".tsx"))
}

// repository lists what git holds or would, if all that .gitignore does not name were added. It asks git as if nothing
// had ever been added, so that a copy without its history is judged too.
func repository(t *testing.T) []string {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	environment := append(os.Environ(), "GIT_DIR="+empty, "GIT_INDEX_FILE="+filepath.Join(empty, "index"), "GIT_WORK_TREE="+top,
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	var names []byte
	for _, args := range [][]string{{"init", "--quiet"}, {"ls-files", "-z", "--others", "--exclude-standard"}} {
		command := exec.Command("git", args...)
		command.Dir, command.Env = top, environment
		if names, err = command.Output(); err != nil {
			t.Fatalf("git %s: %v", args[0], err)
		}
	}
	return strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00")
}
