// Package golden compares outcomes of tests with files, and tells what has changed of a document.
package golden

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Members returns the stored members of a payment or job, with each transaction and job one of its own.
func Members(p any) map[string]string {
	all := map[string]json.RawMessage{}
	text, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic(err)
	}
	found := map[string]string{}
	for name, value := range all {
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil {
			found[name] = string(value)
		}
		for i, item := range list {
			found[fmt.Sprintf("%s %d", name, i)] = string(item)
		}
	}
	return found
}

// Differences names the members that have changed.
func Differences(before, after map[string]string) string {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if before[name] != after[name] {
			fmt.Fprintf(&all, "\n    %s: %s", name, after[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, left := after[name]; !left {
			fmt.Fprintf(&all, "\n    %s: removed", name)
		}
	}
	return all.String()
}

// Compare compares a text with a golden file, or writes it with update.
func Compare(t *testing.T, file, got string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i, line := range gotLines {
		if i >= len(wantLines) || line != wantLines[i] {
			t.Fatalf("%s:%d: got %q", file, i+1, line)
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Errorf("%s has %d lines, want %d", file, len(wantLines), len(gotLines))
	}
}

// Table is a golden text of parts with rows. Rows of a part with the same outcome stand together.
type Table struct {
	written strings.Builder
	order   []string
	names   map[string][]string
}

// Begin begins a part.
func (o *Table) Begin(name string) {
	o.end()
	o.written.WriteString(name + "\n")
	o.names = map[string][]string{}
}

func (o *Table) end() {
	for _, outcome := range o.order {
		fmt.Fprintf(&o.written, "  %s:%s\n", strings.Join(o.names[outcome], "; "), outcome)
	}
	o.order = nil
}

// Add adds a row to the part that was begun last.
func (o *Table) Add(name, outcome string) {
	if o.names[outcome] == nil {
		o.order = append(o.order, outcome)
	}
	o.names[outcome] = append(o.names[outcome], name)
}

// Text returns the table.
func (o *Table) Text() string {
	o.end()
	return o.written.String()
}

var timesIn = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`)

// Since returns a text with its times as they are since another, such as +1m0s.
func Since(start time.Time, text string) string {
	return timesIn.ReplaceAllStringFunc(text, func(found string) string {
		at, err := time.Parse(time.RFC3339, found)
		if err != nil {
			return found
		}
		return "+" + at.Sub(start).String()
	})
}
