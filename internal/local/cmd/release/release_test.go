package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// repository makes a repository with all that a release has, with a tag v0.9.0 and a commit after it, and works in it.
func repository(t *testing.T, folder string) {
	t.Helper()
	module := "module checkout\n\ngo " + strings.TrimPrefix(runtime.Version(), "go") + "\n"
	files := map[string]string{
		"go.mod": module, "functions/status/main.go": "package main\n\nfunc main() {}\n",
		"internal/local/cmd/checkout/main.go":   "package main\n\nfunc main() {}\n",
		"internal/local/cmd/parameters/main.go": "package main\n\nfunc main() {}\n",
		"template.yaml":                         "    Properties:\n      CodeUri: functions/status\n",
		"infra/CHANGELOG.md":                    "# Changes\n\n## v1.0.0\n\nThe first one.\n\n## v0.9.0\n\nBefore.\n",
		"infra/page/package-lock.json": `{"packages": {"": {}, "node_modules/preact": {"version": "11.2.0",
			"license": "MIT", "integrity": "sha512-` + strings.Repeat("AAEC", 21) + `AA=="},
			"node_modules/esbuild": {"version": "1.0.0", "dev": true}}}`,
		".gitignore": "/bin/\n", "infra/plugins/woocommerce/assets/blocks.js": "js",
	}
	for _, name := range copied {
		if filepath.Ext(name) == "" && filepath.Base(filepath.Dir(name)) != "tools" && name != "LICENSE" {
			name += "/index.html"
		}
		files[name] = name
	}
	write(t, folder, files)
	t.Chdir(folder)
	run(t, "init", "--quiet")
	run(t, "add", ".")
	run(t, "commit", "--quiet", "--message", "Begin")
	run(t, "tag", "v0.9.0")
	write(t, folder, map[string]string{"infra/page/src/a.ts": "1", "infra/page/src/a.test.ts": "2"})
	run(t, "add", ".")
	run(t, "commit", "--quiet", "--message", "Ask for the name on a card")
}

func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func run(t *testing.T, args ...string) {
	t.Helper()
	args = append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
	if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func of(version string, found schemas) release {
	return release{version: version, folder: filepath.Join("bin", "checkout-"+version), out: io.Discard,
		systems: []string{"linux-amd64"}, schemas: found}
}

// schemasHere finds the schemas from the folder of this package.
func schemasHere(t *testing.T) schemas {
	t.Helper()
	found, err := findSchemas(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A release from two clones, in folders of other names, is the same byte for byte. It has what a deployment reads.
func TestAReleaseIsTheSameInAnyFolder(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	schemas := schemasHere(t)
	var archives [2]string
	for i, folder := range []string{"one", "of/another/name"} {
		repository(t, filepath.Join(t.TempDir(), folder))
		if err := of("v1.0.0", schemas).make(t.Context()); err != nil {
			t.Fatal(err)
		}
		archives[i] = read(t, "bin/checkout-v1.0.0.tar.gz")
	}
	if archives[0] != archives[1] || archives[0] == "" {
		t.Error("the archives differ")
	}
	t.Chdir("bin/checkout-v1.0.0")
	checkSums(t)
	if text := read(t, "template.yaml"); !strings.Contains(text, "CodeUri: functions/status.zip\n") {
		t.Errorf("the template has %s", text)
	}
	const want = "# v1.0.0\n\nThe first one.\n\n" +
		"## Commits since v0.9.0\n\n### Checkout page\n\n- Ask for the name on a card\n"
	if notes := read(t, "notes.txt"); notes != want {
		t.Errorf("the notes are\n%s", notes)
	}
	checkZip(t, "functions/status.zip", "bootstrap", 0o755)
	checkZip(t, "hosted-checkout.zip", "hosted-checkout/assets/blocks.js", 0o644)
	checkMaterials(t)
}

// checkSums checks that every file but the list itself is in the list of checksums.
func checkSums(t *testing.T) {
	t.Helper()
	listed := map[string]string{}
	for line := range strings.Lines(read(t, sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		listed[name] = sum
	}
	files := 0
	err := eachFile(".", func(name string, _ fs.FileInfo) error {
		if files++; name != sums && listed[name] != fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, name)))) {
			t.Errorf("%s has the checksum %q", name, listed[name])
		}
		return nil
	})
	if err != nil || files != len(listed)+1 || files != len(copied)+8 {
		t.Errorf("%v: %d files, %d checksums", err, files, len(listed))
	}
}

// checkZip checks that an archive has one file.
func checkZip(t *testing.T, archive, name string, mode fs.FileMode) {
	t.Helper()
	packed, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	if file := packed.File[0]; len(packed.File) != 1 || file.Name != name || file.Mode() != mode {
		t.Errorf("%s has %d files, the first is %s, %v", archive, len(packed.File), file.Name, file.Mode())
	}
}

// checkMaterials checks that the bill of materials has what is built in, and no tools.
func checkMaterials(t *testing.T) {
	t.Helper()
	var b cdx.BOM
	if err := json.Unmarshal([]byte(read(t, "sbom.cdx.json")), &b); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range *b.Components {
		got = append(got, c.PackageURL, (*c.Licenses)[0].License.ID)
		if c.Hashes != nil {
			got = append(got, (*c.Hashes)[0].Value)
		}
	}
	want := "pkg:golang/stdlib@" + strings.TrimPrefix(runtime.Version(), "go") + " BSD-3-Clause " +
		"pkg:npm/preact@11.2.0 MIT " + strings.Repeat("000102", 21) + "00"
	if got := strings.Join(got, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWhatIsNotReleased(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	schemas := schemasHere(t)
	folder := t.TempDir()
	repository(t, folder)
	for _, c := range []struct {
		version, file, text, want string
	}{
		{"1.0.0", "", "", "VERSION should be like v1.0.0"},
		{"v1.0", "", "", "VERSION should be like v1.0.0"},
		{"v2.0.0", "", "", `infra/CHANGELOG.md has no section "## v2.0.0"`},
		{"v1.0.0", "functions/status/other.go", "package main\n", "commit first"},
		{"v1.0.0", "go.mod", "module checkout\n\ngo 1.1\n", "built by go1.1 of go.mod"},
		{"v1.0.0", "functions/status/main.go", "package main\n\nfunc main() { a }\n", "undefined: a"},
		{"v1.0.0", "infra/page/package-lock.json",
			`{"packages": {"node_modules/preact": {"version": "11.2.0", "license": "Any", "integrity": "sha512-AAEC"}}}`,
			"the bill of materials: "},
	} {
		if c.file != "" {
			write(t, folder, map[string]string{c.file: c.text})
		}
		if c.want != "commit first" {
			run(t, "add", ".")
			run(t, "commit", "--quiet", "--allow-empty", "--message", "Change")
		}
		err := of(c.version, schemas).make(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v", c.version, c.file, err)
		}
		if _, err := os.Stat(of(c.version, schemas).folder); err == nil {
			t.Errorf("%s with %s: a part of a release stays", c.version, c.file)
		}
		if c.file != "" {
			run(t, "reset", "--quiet", "--hard", "v0.9.0")
			run(t, "clean", "--quiet", "--force", "-d")
		}
	}
}

// A commit is in the area of its code, if it has any.
func TestCommitsByArea(t *testing.T) {
	log := strings.ReplaceAll(`0One

internal/worker/a.go
internal/worker/a_test.go
internal/worker/b_test.go
0Two

infra/README.md
0Three

internal/tidy/words_test.go
0Four

template.yaml
0Five

infra/page/admin/src/a.ts
infra/README.md
0Six

functions/a/main.go
`, "0", "\x00")
	const want = "\n### Operators\n\n- Five\n\n### Deploying\n\n- Four\n\n### Service\n\n- One\n- Six\n" +
		"\n### Documents\n\n- Two\n\n### Tests\n\n- Three\n"
	if got := byArea(log); got != want {
		t.Errorf("%s", got)
	}
}

// Every function of the template has its archive in a release.
func TestTheTemplateHasArchives(t *testing.T) {
	folders, err := os.ReadDir("../../../../functions")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, place := range code.FindAllString(read(t, "../../../../template.yaml"), -1) {
		found[filepath.Base(place)] = true
	}
	for _, folder := range folders {
		if !found[folder.Name()] {
			t.Errorf("no CodeUri for %s", folder.Name())
		}
	}
}
