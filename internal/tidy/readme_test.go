package tidy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// quoted finds texts between backticks, named those that are the name of something, linked the targets of links with
// their anchors; anchorless are the characters that no anchor has of its heading.
var (
	quoted     = regexp.MustCompile("`([^`\n]+)`")
	named      = regexp.MustCompile(`^[A-Za-z]+$`)
	linked     = regexp.MustCompile(`\]\(([^)#]*)(?:#([^)]*))?\)`)
	headings   = regexp.MustCompile(`(?m)^#+ (.+)$`)
	anchorless = regexp.MustCompile(`[^\w -]`)
)

// TestWhatDocumentsNameIsThere checks that the paths and links of every document exist. NAME in a path stands for a new
// file beside existing ones, so there has to be one already.
func TestWhatDocumentsNameIsThere(t *testing.T) {
	checked, anchors := 0, 0
	for _, name := range repository(t) {
		if filepath.Ext(name) != ".md" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, found := range quoted.FindAllStringSubmatch(string(text), -1) {
			top, _, below := strings.Cut(found[1], "/")
			if below && slices.Contains(topLevel, top) && !strings.Contains(found[1], " ") {
				paths = append(paths, found[1])
			}
		}
		for _, found := range linked.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			path := name
			if found[1] != "" {
				path = filepath.Join(filepath.Dir(name), found[1])
				paths = append(paths, path)
			}
			if found[2] != "" {
				anchors++
				if !hasAnchor(path, found[2]) {
					t.Errorf("%s: %s has no heading for #%s", name, path, found[2])
				}
			}
		}
		checked += len(paths)
		for _, path := range paths {
			there, err := filepath.Glob(filepath.Join(root, strings.ReplaceAll(path, "NAME", "*")))
			if err != nil || len(there) == 0 {
				t.Errorf("%s: there is no %s", name, path)
			}
		}
	}
	if checked < 40 || anchors < 10 {
		t.Errorf("only %d paths and %d anchors were checked", checked, anchors)
	}
}

// hasAnchor reports whether a heading of a document has an anchor, as it is made of headings where documents are shown.
func hasAnchor(path, anchor string) bool {
	text, _ := os.ReadFile(filepath.Join(root, path)) // a path that is not there is an error already
	for _, heading := range headings.FindAllStringSubmatch(string(text), -1) {
		own := anchorless.ReplaceAllString(strings.ToLower(heading[1]), "")
		if strings.ReplaceAll(own, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// TestTheREADMEIsShortAndNamesVersions checks the first document that newcomers read: its length, and the versions that
// the build asks for.
func TestTheREADMEIsShortAndNamesVersions(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	text := read("README.md")
	if lines := strings.Count(text, "\n"); lines > 120 {
		t.Errorf("README.md has %d lines, at most 120", lines)
	}
	for file, version := range map[string]*regexp.Regexp{
		"go.mod":                  regexp.MustCompile(`(?m)^(go) (\S+)$`),
		"infra/page/package.json": regexp.MustCompile(`"(node)": ">=(\S+)"`),
	} {
		found := version.FindStringSubmatch(read(file))
		if found == nil {
			t.Fatalf("%s names no version", file)
		}
		want := map[string]string{"go": "Go ", "node": "Node.js "}[found[1]] + found[2] + " or newer"
		if !strings.Contains(text, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

// TestTheListsOfFilesNameWhatIsInThem checks that each name in a row of internal/README.md is in a file of that row.
func TestTheListsOfFilesNameWhatIsInThem(t *testing.T) {
	list, err := os.ReadFile(filepath.Join(root, "internal", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for row := range strings.Lines(string(list)) {
		var content strings.Builder
		var words []string
		for _, found := range quoted.FindAllStringSubmatch(row, -1) {
			if named.MatchString(found[1]) {
				words = append(words, found[1])
			}
			files, _ := filepath.Glob(filepath.Join(root, strings.ReplaceAll(found[1], "NAME", "*")))
			for _, file := range files {
				text, _ := os.ReadFile(file) // a folder has none
				content.Write(text)
			}
		}
		if content.Len() == 0 || !strings.HasPrefix(row, "|") {
			continue
		}
		for _, word := range words {
			checked++
			if !regexp.MustCompile(`\b` + word + `\b`).MatchString(content.String()) {
				t.Errorf("internal/README.md: there is no %s in the files of the row %s", word, row)
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d names were checked", checked)
	}
}
