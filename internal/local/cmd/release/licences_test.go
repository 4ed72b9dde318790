package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every module that a release is built with has a licence that is known.
func TestLicencesOfWhatIsBuiltIn(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
		"{{with .Module}}{{if .Version}}{{.Path}}@{{.Version}}{{end}}{{end}}", "./functions/...",
		"./internal/local/cmd/checkout", "./internal/local/cmd/parameters")
	list.Dir = "../../../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	modules = slices.Compact(modules)
	found, err := licencesOf(t.Context(), modules)
	if err != nil || len(found) != len(modules) || len(found) < 20 {
		t.Errorf("%v: %d modules, %v", err, len(modules), found)
	}
	for name, want := range map[string]string{
		"gopkg.in/yaml.v3@": "Apache-2.0 MIT", "golang.org/x/crypto@": "BSD-3-Clause",
		"github.com/btcsuite/btcd/btcutil@": "ISC", "code.dny.dev/ssrf@": "MIT",
	} {
		at := slices.IndexFunc(modules, func(module string) bool { return strings.HasPrefix(module, name) })
		if got := strings.Join(found[modules[max(at, 0)]], " "); at < 0 || got != want {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
}

func TestALicenceThatIsNotKnown(t *testing.T) {
	folder := t.TempDir()
	if ids, err := licencesOfFolder(folder); err == nil {
		t.Errorf("without a file: %v", ids)
	}
	for text, want := range map[string]string{
		"All rights reserved.": "",
		"Redistribution and use in source and binary\nforms, with or without modification": "BSD-2-Clause",
	} {
		if err := os.WriteFile(filepath.Join(folder, "LICENSE.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if ids, err := licencesOfFolder(folder); strings.Join(ids, " ") != want || (err == nil) != (want != "") {
			t.Errorf("%s: %v %v", text, ids, err)
		}
	}
}
