package contract

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"checkout/internal/method"
)

// TestSchemathesis sends generated requests to the service: see infra/tools/schemathesis.toml. Its values around each
// border are left to `make contract`, because TestBordersOfTheDocument sends such values, too.
func TestSchemathesis(t *testing.T) {
	program := filepath.Join(tools(t), "venv", "bin", "st")
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v: run `make tools`", err)
	}
	w := open(t)
	file := func(parts ...string) string {
		name, err := filepath.Abs(filepath.Join(append([]string{root, "infra"}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(name); err != nil { // so that Go knows a result to be stale when the file has changed
			t.Fatal(err)
		}
		return name
	}
	file("tools", "schemathesis_hooks.py")
	file("merchants.json")
	config, phases := file("tools", "schemathesis.toml"), "examples,fuzzing,stateful"
	folder := t.TempDir()
	if *every {
		config, phases = moreExamples(t, config, folder), phases+",coverage"
	}
	command := exec.CommandContext(t.Context(), program, "--config-file", config,
		"run", "--no-color", "--phases", phases, "--url", w.server.URL, file("openapi.yaml"))
	command.Dir = folder
	command.Env = append(os.Environ(), "PYTHONPATH="+file("tools"), "PYTHONDONTWRITEBYTECODE=1",
		"SCHEMATHESIS_HOOKS=schemathesis_hooks",
		"NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
}

// moreExamples writes a configuration with ten times the examples into a folder.
func moreExamples(t *testing.T, config, folder string) (name string) {
	t.Helper()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(folder, filepath.Base(config))
	text = regexp.MustCompile(`(?m)^max-examples = \d+$`).ReplaceAll(text, []byte("${0}0"))
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// The payer who pays generated sessions fills in whatever a method asks for, so that none is refused for a field.
func TestPayerFillsInEveryMethod(t *testing.T) {
	w := open(t)
	for _, m := range method.Methods {
		mustBeSent := func(p method.Param) bool { return p.MustBeSent() }
		if _, offered := method.Find(m.ID); !offered || slices.ContainsFunc(m.Sets, func(set method.Set) bool {
			return !set.Extra && slices.ContainsFunc(set.Rows, mustBeSent)
		}) {
			continue
		}
		for operation, more := range map[method.Operation]members{
			method.Purchase: {}, method.Credit: {"payee": members{"name": "Jane Doe"}},
		} {
			if m.For(operation) {
				more["operation"], more["methods"] = string(operation), []any{m.ID}
				w.payment(w.paid("01/38", more)) // fails unless the response is 200
			}
		}
	}
}

// tools is $CHECKOUT_TOOLS, else .tools beside go.mod.
func tools(t *testing.T) string {
	t.Helper()
	if tools := os.Getenv("CHECKOUT_TOOLS"); tools != "" {
		return tools
	}
	folder, err := filepath.Abs(filepath.Join(root, ".tools"))
	if err != nil {
		t.Fatal(err)
	}
	return folder
}
