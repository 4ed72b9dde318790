package gateway

import (
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"
)

var update = flag.Bool("update", false, "write template.Languages into template.yaml and the page")

const root = "../../../.."

// writtenTags are the members of a JavaScript object of tags by languages, whose lines TestLanguagesAreWritten writes.
var writtenTags = regexp.MustCompile(`(tags(?:: Record<string, RegExp>)? = \{\n)(?: +\w+: /.*\n)+`)

// TestLanguagesAreWritten checks that the function of template.yaml and the page have template.Languages.
func TestLanguagesAreWritten(t *testing.T) {
	for file, indent := range map[string]string{"template.yaml": "          ", "infra/page/src/texts/language.ts": "  "} {
		path := filepath.Join(root, file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		members := ""
		for _, language := range template.Languages {
			members += indent + language.Code + ": /" + language.Tag.String() + "/,\n"
		}
		want := writtenTags.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(members, "$", "$$"))
		switch {
		case !writtenTags.Match(text):
			t.Errorf("%s has no tags", file)
		case *update:
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		case want != string(text):
			t.Errorf("%s has other tags than template.Languages: run this test with -update", file)
		}
	}
}

// pagesTags is a row of the page's test in which the session names no language: a browser's tags, the merchant's
// language, and the one that is shown.
var pagesTags = regexp.MustCompile(`(?m)^    \[null, \[(.*)\], "(\w+)", "(\w+)"\],$`)

// addPagesTags adds the rows of the page's test. Without a language of the browser's, the page's address stays.
func addPagesTags(t *testing.T, want map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "infra/page/src/texts/language.test.ts"))
	if err != nil {
		t.Fatal(err)
	}
	rows := pagesTags.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 18 {
		t.Errorf("only %d rows in the page's test", len(rows))
	}
	for _, row := range rows {
		path := "/" + row[3] + ".html"
		if row[2] == row[3] {
			path = "/"
		}
		want["/ "+strings.NewReplacer(`"`, "", " ", "").Replace(row[1])] = path
	}
}

// languagePaths are requests, as a path with its query and Accept-Language, and the paths that the template's function
// makes of them. Those of the tags of browsers are in the page's test.
var languagePaths = map[[2]string]string{
	{"/", "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7"}: "/de.html", {"/?session=1", "de"}: "/de.html",
	{"/index.html", "de"}: "/de.html", {"/de.html", "fr"}: "/de.html", {"/main-ABC.js", "fr"}: "/main-ABC.js",
	{"/?session=1&language=fr", "de"}: "/fr.html", {"/?language=tlh", "de"}: "/de.html",
	{"/?language=", "de"}: "/de.html", {"/?language=zho", ""}: "/zho.html", {"/?language=../x", ""}: "/",
	{"/", ""}: "/", {"/", "tlh"}: "/", {"/index.html", "*"}: "/index.html", {"/?language=constructor", ""}: "/",
	{"/", "fr-CA,en"}: "/fr.html", {"/", "tlh,es-419"}: "/es.html", {"/", "en-GB,de"}: "/en.html",
	{"/", "en;q=0.5, de;q=0.9 ,fr; q=0.7"}: "/de.html", {"/", "de;q=0,fr;q=0.1"}: "/fr.html", {"/", "de;q=0"}: "/",
	{"/", "de;q=x,fr;q=0.1"}: "/fr.html", {"/", "ar;q=0.85,de;q=0.9,fr;q=1.0"}: "/fr.html",
	{"/", "ar;q=0.85,de;q=0.9"}: "/de.html", {"/", "de;"}: "/de.html", {"/", "fr;q=0.5,de;q=0.5"}: "/fr.html",
	{"/", "*"}: "/", {"/", ",;q=1,"}: "/",
}

// The code in template.yaml does the same as LanguagePath, and knows each language.
func TestTheTemplatesFunctionChoosesTheLanguage(t *testing.T) {
	requests, want := map[string]any{}, map[string]string{}
	for asked, path := range languagePaths {
		want[asked[0]+" "+asked[1]] = path
	}
	for _, language := range template.Languages {
		want["/?language="+language.Code+" it"] = "/" + language.Code + ".html"
	}
	addPagesTags(t, want)
	for key := range want {
		target, accepted, _ := strings.Cut(key, " ")
		r := httptest.NewRequest("GET", target, nil)
		query, headers := map[string]any{}, map[string]any{}
		for name, values := range r.URL.Query() {
			query[name] = map[string]any{"value": values[0]}
		}
		if accepted != "" {
			headers["accept-language"] = map[string]any{"value": accepted}
			r.Header.Set("Accept-Language", accepted)
		}
		requests[key] = map[string]any{"uri": r.URL.Path, "querystring": query, "headers": headers}
		if got := template.LanguagePath(r); got != want[key] {
			t.Errorf("%s: %s, want %s", key, got, want[key])
		}
	}
	got := runFunction(t, template.LanguagePageFunction, requests)
	for key, path := range want {
		if got[key] != path {
			t.Errorf("the code makes %s of %s, want %s", got[key], key, path)
		}
	}
}
