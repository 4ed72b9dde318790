package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// changelog says what each release has, in words.
const changelog = "infra/CHANGELOG.md"

// areas are what commits are about, by the files that they change, in the order of the notes.
var areas = []struct {
	name   string
	files  *regexp.Regexp
	weight int // of a file
}{
	{"Checkout page", regexp.MustCompile(`^(infra/page/(src|frame)|internal/page)/`), ofCode},
	{"Merchants", regexp.MustCompile(`^(internal/(merchant|callback)|infra/(plugins|receivers|openapi))`), ofCode},
	{"Operators", regexp.MustCompile(`^(infra/page/admin|infra/admin|internal/(operator|local/cmd/checkout))`), ofCode},
	{"Providers", regexp.MustCompile(`^(internal/connector|infra/adapter)`), ofCode},
	{"Deploying", regexp.MustCompile(`^(template\.yaml|infra/|Makefile|internal/local/cmd/(release|param))`), ofCode},
	{"Local runs", regexp.MustCompile(`^internal/local/`), ofCode},
	{"Service", regexp.MustCompile(`^(functions|internal)/|^go\.`), ofCode},
	{"Documents", regexp.MustCompile(`\.md$`), 1},
	{"Tests", regexp.MustCompile(``), 1},
}

// ofCode, the weight of a file of code, is more than the tests and documents of a commit weigh.
const ofCode = 10_000

// tests are the files that no release has.
var tests = regexp.MustCompile(`(_test\.go|\.test\.mjs)$|/testdata/|^internal/(tidy|local/story)/|^events/|^\.`)

// area returns the index of a file's area. Documents and tests are in theirs, wherever they are.
func area(file string) int {
	last := len(areas) - 1
	if tests.MatchString(file) {
		return last
	}
	if documents := last - 1; areas[documents].files.MatchString(file) {
		return documents
	}
	for i, a := range areas {
		if a.files.MatchString(file) {
			return i
		}
	}
	return last
}

// notesOf returns the notes of a release: its section of the changelog, and the commits since the release before.
func notesOf(ctx context.Context, version string) (string, error) {
	text, err := os.ReadFile(changelog)
	if err != nil {
		return "", err
	}
	section, ok := sectionOf(string(text), version)
	if !ok {
		return "", fmt.Errorf("%s has no section %q: say there what the release has", changelog, "## "+version)
	}
	notes := "# " + version + "\n\n" + section + "\n"
	before, err := git(ctx, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "--exclude", version)
	if err != nil { // no release came before
		return notes, nil
	}
	log, err := git(ctx, "log", "--no-merges", "--name-only", "--format=%x00%s", before+"..HEAD")
	if err != nil {
		return "", err
	}
	return notes + "\n## Commits since " + before + "\n" + byArea(log), nil
}

// sectionOf returns a section of the changelog without its heading.
func sectionOf(text, version string) (section string, ok bool) {
	_, section, ok = strings.Cut("\n"+text, "\n## "+version+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return strings.TrimSpace(section), ok
}

// byArea lists the subjects of commits by area. A commit is in the area of most of its files, without the tests and
// documents that come with them.
func byArea(log string) string {
	found := make([][]string, len(areas))
	for commit := range strings.SplitSeq(log, "\x00") {
		subject, files, _ := strings.Cut(strings.TrimSpace(commit), "\n")
		if subject == "" {
			continue
		}
		weights := make([]int, len(areas))
		for file := range strings.SplitSeq(strings.TrimSpace(files), "\n") {
			i := area(file)
			weights[i] += areas[i].weight
		}
		heaviest := slices.Index(weights, slices.Max(weights))
		found[heaviest] = append(found[heaviest], subject)
	}
	var text strings.Builder
	for i, a := range areas {
		if len(found[i]) > 0 {
			fmt.Fprintf(&text, "\n### %s\n\n- %s\n", a.name, strings.Join(found[i], "\n- "))
		}
	}
	return text.String()
}

// git runs git, and returns what it prints.
func git(ctx context.Context, args ...string) (string, error) {
	text, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(text)), nil
}
