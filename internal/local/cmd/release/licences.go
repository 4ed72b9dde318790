package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"
)

// known are licences by the words that their texts have and lack, without punctuation.
var known = []struct{ id, has, lacks string }{
	{"Apache-2.0", "Apache License Version 2.0", ""},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms", "Neither the name"},
	{"BSD-3-Clause", "Neither the name", ""},
	{"ISC", "Permission to use copy modify and distribute this software", ""},
	{"MIT", "Permission is hereby granted free of charge", ""},
}

// licencesIn returns the licences that a text has the words of.
func licencesIn(text string) (ids []string) {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",/", r) })
	text = strings.Join(words, " ")
	for _, l := range known {
		if strings.Contains(text, l.has) && (l.lacks == "" || !strings.Contains(text, l.lacks)) {
			ids = append(ids, l.id)
		}
	}
	return ids
}

// licencesOf returns the licences of modules, MODULE@VERSION, as the files in Go's cache tell them.
func licencesOf(ctx context.Context, modules []string) (map[string][]string, error) {
	found := map[string][]string{}
	args := []string{"mod", "download", "-json"}
	for _, name := range modules {
		if strings.HasPrefix(name, "stdlib@") {
			found[name] = []string{"BSD-3-Clause"}
		} else {
			args = append(args, name)
		}
	}
	if len(found) == len(modules) {
		return found, nil // without a name go mod download takes all
	}
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download: %w\n%s", err, out)
	}
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		var module struct{ Path, Version, Dir string }
		if err := list.Decode(&module); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		name := module.Path + "@" + module.Version
		if found[name], err = licencesOfFolder(module.Dir); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// licencesOfFolder returns the licences of a module's folder, which has to have one that is known.
func licencesOfFolder(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "LICENSE*"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if ids := licencesIn(string(text)); ids != nil {
			return ids, nil
		}
	}
	return nil, errors.New("it has no licence that is known")
}
