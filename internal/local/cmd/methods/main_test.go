package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheCatalogueIsPrinted(t *testing.T) {
	var out strings.Builder
	if err := run("../../../../infra/methods.json", &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"googlepay", "NarrativeFile", "default 0", "not in GT, PA, CR"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not printed", want)
		}
	}
}

func TestWhatIsNotOfferedIsMarked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "methods.json")
	text := `[{"id": "half", "offered": false, "rows": []}, {"id": "whole", "offered": true, "rows": []}]`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(path, &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if marked := strings.Contains(line, "not offered yet"); marked != strings.HasPrefix(line, "half") {
			t.Errorf("marked: %v, %s", marked, line)
		}
	}
	if strings.Count(out.String(), "\n") != 2 {
		t.Errorf("not both are printed: %s", out.String())
	}
}
