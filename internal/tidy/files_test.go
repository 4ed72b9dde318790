package tidy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// topLevel are the names at the top of the repository.
var topLevel = []string{"functions", "internal", "infra", "events", "template.yaml", "go.mod", "go.sum", "Makefile",
	"README.md", "LICENSE", ".ci", ".github", ".gitignore", ".cfnlintrc"}

// images are the files that are no text.
var images = []string{"infra/page/screenshots/admin-payment.png", "infra/page/screenshots/end-paid.png",
	"infra/page/screenshots/form-shop.png", "infra/page/screenshots/wait-qr.png"}

// largest is how many bytes a file has at most.
const largest = 1 << 20

func TestFilesOfTheRepository(t *testing.T) {
	found := map[string]bool{}
	for _, name := range repository(t) {
		top, _, _ := strings.Cut(name, "/")
		found[top] = true
		if !slices.Contains(topLevel, top) {
			t.Errorf("%s: not one of the names that may be at the top", name)
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > largest {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		if (bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text)) && !slices.Contains(images, name) {
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

// TestNamedLibrariesAreUsed checks that the libraries that have to be used are required, and not only by another one.
func TestNamedLibrariesAreUsed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, library := range []string{"aws/aws-lambda-go", "aws/aws-sdk-go-v2", "aws/aws-sdk-go-v2/service/dynamodb",
		"aws/aws-sdk-go-v2/service/sqs", "awslabs/aws-lambda-go-api-proxy"} {
		if !regexp.MustCompile(`(?m)^\tgithub\.com/` + library + ` v[0-9.]+$`).Match(text) {
			t.Errorf("go.mod does not require %s for its own", library)
		}
	}
}

// isPageSource reports whether a file is code of the page. Its texts are tables, which may be longer.
func isPageSource(name string) bool {
	return strings.HasPrefix(name, "infra/page/src/") && !strings.Contains(name, ".test.") &&
		(strings.HasSuffix(name, ".ts") || strings.HasSuffix(name, ".tsx"))
}

// repository lists the files that .gitignore does not name. It runs git with an empty index, so that it also works in a
// copy without history.
func repository(t *testing.T) []string {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	environment := append(os.Environ(), "GIT_DIR="+empty, "GIT_INDEX_FILE="+filepath.Join(empty, "index"),
		"GIT_WORK_TREE="+top,
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
