package list

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/simulator"
)

// providers are the connectors to somebody: all but the sandbox, which plays its provider itself and needs no
// credentials.
func providers() (names []string) {
	for name := range families {
		if name != merchant.SandboxConnector {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestSimulatorPlaysAllFamilies compares the simulator's list with this one.
func TestSimulatorPlaysAllFamilies(t *testing.T) {
	if played := simulator.New(simulator.Options{}).Families(); !slices.Equal(played, providers()) {
		t.Errorf("played are %q, and there are %q", played, providers())
	}
}

var (
	credentialRow = regexp.MustCompile("(?m)^\\| (`[a-z_]+`(?:, `[a-z_]+`)*) \\|")
	name          = regexp.MustCompile("`([a-z_]+)`")
	credentialUse = regexp.MustCompile(`(?:Credential\([^"\n]*|Credentials\[)"([a-z_]+)"`)
)

// TestREADMEsNameTheCredentials compares the credentials in each README with the texts of the connector's code.
func TestREADMEsNameTheCredentials(t *testing.T) {
	for _, family := range providers() {
		_, section, _ := strings.Cut(contents(t, filepath.Join("..", family, "README.md")), "\n## Credentials of a MID\n")
		section, _, _ = strings.Cut(section, "\n## ")
		var named []string
		for _, row := range credentialRow.FindAllStringSubmatch(section, -1) {
			for _, found := range name.FindAllStringSubmatch(row[1], -1) {
				named = append(named, found[1])
			}
		}
		code := codeOf(t, family)
		for _, credential := range named {
			if !strings.Contains(code, `"`+credential+`"`) && !strings.Contains(shared(t), `"`+credential+`"`) {
				t.Errorf("%s: README.md names the credential %s, which the code does not read", family, credential)
			}
		}
		for _, used := range credentialUse.FindAllStringSubmatch(code, -1) {
			if !slices.Contains(named, used[1]) {
				t.Errorf("%s: README.md does not name the credential %s", family, used[1])
			}
		}
		if !slices.Contains(named, "url") {
			t.Errorf("%s: README.md names the credentials %q", family, named)
		}
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// codeOf returns the code of a folder beside this one, without its tests.
func codeOf(t *testing.T, folder string) (code string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", folder, err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			code += contents(t, file)
		}
	}
	return code
}

func shared(t *testing.T) string { return codeOf(t, "provider") }

// TestFamiliesRunTheSuite looks for a call of the suite in the tests of each connector.
func TestFamiliesRunTheSuite(t *testing.T) {
	for family := range families {
		files, _ := filepath.Glob(filepath.Join("..", family, "*_test.go"))
		runs := func(file string) bool { return strings.Contains(contents(t, file), "conformance.Run(t,") }
		if !slices.ContainsFunc(files, runs) {
			t.Errorf("no test of %s runs conformance.Run", family)
		}
	}
}

// TestFamiliesCoverAllMethods looks for a connector for each operation of each method, beside the sandbox.
func TestFamiliesCoverAllMethods(t *testing.T) {
	declared := connector.Declarations()
	for _, m := range method.Methods {
		for _, operation := range method.Operations {
			if m.Unfinished || !m.For(operation) {
				continue
			}
			if !slices.ContainsFunc(providers(), func(name string) bool {
				d := declared[name]
				return slices.Contains(d.Operations, operation) && (len(d.Methods) == 0 || slices.Contains(d.Methods, m.ID))
			}) {
				t.Errorf("no connector can %s by %s", operation, m.ID)
			}
		}
	}
}

// TestOperatorsFindTheConnectors compares the table of connectors in infra/README.md with the declarations.
func TestOperatorsFindTheConnectors(t *testing.T) {
	text, declared := contents(t, "../../../infra/README.md"), connector.Declarations()
	for _, family := range providers() {
		methods := "every method"
		if all := declared[family].Methods; len(all) > 0 {
			methods = "`" + strings.Join(all, "`, `") + "`"
		}
		row := fmt.Sprintf("| [`%s`](../internal/connector/%[1]s/README.md) | %s |", family, methods)
		if !strings.Contains(text, row) {
			t.Errorf("infra/README.md has no row\n%s", row)
		}
	}
}
