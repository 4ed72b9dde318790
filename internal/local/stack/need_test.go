package stack

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// infra/tools/need tells a tool that is too old from one that is missing, and names the version that is there.
func TestNeed(t *testing.T) {
	for name, c := range map[string]struct {
		tool, says string // of the tool itself, when it is asked for its version
		want       string // "" where it will do
	}{
		"go":              {"go", "go99.1", ""},
		"an old go":       {"go", "go1.20.4", "go 1.20.4 is too old: install Go "},
		"node":            {"node", "v20.0.0", ""},
		"a longer number": {"node", "v100.1.0", ""},
		"an old node":     {"node", "v18.20.4", "node 18.20.4 is too old: install Node.js 20 or newer"},
		"java":            {"java", `openjdk version "17.0.1" 2021-10-19`, ""},
		"an old java":     {"java", `openjdk version "1.8.0_292"`, "java 1.8.0 is too old: install Java 17 or newer"},
		"options of java": {"java", "Picked up JAVA_TOOL_OPTIONS: -Xmx9m\nopenjdk version \"11.0.2\"",
			"java 11.0.2 is too old"},
		"an old python": {"python3-venv", "Python 3.9.2", "python3 3.9.2 is too old: install Python 3.11 or newer"},
		"none":          {"node", "", "node is missing: install Node.js 20 or newer"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for _, there := range []string{"bash", "env", "sed", "grep", "head", "sort", "cat", "id"} {
				path, err := exec.LookPath(there)
				if err == nil {
					err = os.Symlink(path, filepath.Join(folder, there))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			script := "#!/usr/bin/env bash\ncat <<'END'\n" + c.says + "\nEND\n"
			for _, tool := range []string{strings.TrimSuffix(c.tool, "-venv"), "npm"} {
				if c.says == "" {
					break
				}
				if err := os.WriteFile(filepath.Join(folder, tool), []byte(script), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			command := exec.CommandContext(t.Context(), "infra/tools/need", c.tool)
			command.Dir, command.Env = root, []string{"PATH=" + folder}
			out, err := command.CombinedOutput()
			if (err == nil) != (c.want == "") || !strings.HasPrefix(string(out), c.want) ||
				strings.Count(string(out), "\n") > 1 {
				t.Errorf("%v, %s, want %q", err, out, c.want)
			}
		})
	}
}
