package tidy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	heading     = regexp.MustCompile(`(?m)^#+ (.+)$`)
	methodLabel = regexp.MustCompile(`"label": "([^"]+)"`)
	// A citation may go on in the next line of its comment.
	lineBreak = regexp.MustCompile(`[ \t]*\n[ \t]*(?://|#|\*)?[ \t]*`)
	// cited finds the document of a citation, what stands before and after its name, and the place that it names.
	cited    = regexp.MustCompile(`(.?)(\bprotocol\.md|\bmethods\.json)(?:(#[a-z0-9-]+)|, ([A-Z0-9][^.;()"\x60]*))?`)
	noAnchor = regexp.MustCompile(`[^a-z0-9 -]`)
)

// citable returns the places that code and documents may cite, by document, and the anchors of infra/protocol.md.
func citable(t *testing.T) (places map[string][]string, anchors []string) {
	t.Helper()
	places = map[string][]string{}
	for name, place := range map[string]*regexp.Regexp{"protocol.md": heading, "methods.json": methodLabel} {
		text, err := os.ReadFile(filepath.Join(root, "infra", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range place.FindAllStringSubmatch(string(text), -1) {
			places[name] = append(places[name], found[1])
		}
	}
	for _, name := range places["protocol.md"] {
		anchor := strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(name), ""), " ", "-")
		if slices.Contains(anchors, "#"+anchor) {
			t.Errorf("infra/protocol.md has two headings %q", name)
		}
		anchors = append(anchors, "#"+anchor)
	}
	return places, anchors
}

// TestCitationsResolve checks that every citation of infra/protocol.md names one of its headings, as in "protocol.md,
// Callbacks", and every one of infra/methods.json a label.
func TestCitationsResolve(t *testing.T) {
	places, anchors := citable(t)
	for _, name := range repository(t) {
		if slices.Contains(images, name) || name == "internal/tidy/citations_test.go" {
			continue
		}
		bytes, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(bytes), "protocol.md") && !strings.Contains(string(bytes), "methods.json") {
			continue // which is faster than the expressions
		}
		text := lineBreak.ReplaceAllString(string(bytes), " ")
		for _, found := range cited.FindAllStringSubmatch(text, -1) {
			before, document, anchor, place := found[1], found[2], found[3], found[4]
			switch {
			case anchor != "" && !slices.Contains(anchors, anchor), place != "" && !begins(place, places[document]),
				anchor+place == "" && document == "protocol.md" && !strings.Contains("/([`", before):
				t.Errorf("%s: nothing is found by %q", name, found[0])
			}
		}
	}
}

// begins reports whether a text begins with one of some places, and not in the middle of a word.
func begins(text string, places []string) bool {
	return slices.ContainsFunc(places, func(place string) bool {
		rest, found := strings.CutPrefix(text, place)
		return found && (rest == "" || strings.ContainsAny(rest[:1], " ,:'"))
	})
}

// The check above finds what is wrong.
func TestBegins(t *testing.T) {
	places := []string{"Callbacks", "Callback fields", "M1"}
	for text, want := range map[string]bool{
		"Callbacks": true, "Callbacks, and more": true, "Callback fields that": true, "M1": true,
		"Callback": false, "Callbacksome": false, "M11": false, "Delivery": false,
	} {
		if begins(text, places) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// TestDocumentsThatAreNamedAreThere checks that no code and no document names a document that the repository lacks.
func TestDocumentsThatAreNamedAreThere(t *testing.T) {
	files := repository(t)
	var there []string
	for _, name := range files {
		there = append(there, filepath.Base(name))
	}
	document := regexp.MustCompile(`[A-Za-z0-9_-]+\.md\b`)
	for _, name := range files {
		if slices.Contains(images, name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), ".md") {
			continue // which is faster than the expression
		}
		for _, found := range document.FindAllString(string(text), -1) {
			if !slices.Contains(there, found) {
				t.Errorf("%s names %s, which is not here", name, found)
			}
		}
	}
}
