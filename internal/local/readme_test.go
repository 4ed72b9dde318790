package local_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheREADMEsFirstPayment runs the shell lines of that section one after the other, as a reader would.
func TestTheREADMEsFirstPayment(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## First payment\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var script strings.Builder
	for line := range strings.Lines(section) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			script.WriteString(code)
		}
	}
	base := start(t).URL
	for _, shell := range []string{"sh", "bash"} {
		command := exec.CommandContext(t.Context(), shell, "-eu", "-c",
			strings.Replace(script.String(), "order-", "order-"+shell+"-", 1))
		command.Env = append(os.Environ(), "no_proxy=localhost", "PORT="+base[strings.LastIndex(base, ":")+1:])
		output, err := command.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(output), `{"redirect_url":"`+base+`/?session=`) ||
			!strings.Contains(string(output), `"status":"prepare"`) {
			t.Errorf("%s: %v\n%s", shell, err, output)
		}
	}
}
