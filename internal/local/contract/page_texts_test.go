package contract

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const pageSources = "infra/page/src"

var (
	pageText = regexp.MustCompile(`(?m)^(  |    )(\w+):`)
	perCase  = regexp.MustCompile(`_(credit|transfer|[A-Z]{2})$`) // by the operation, or the country
)

// A payer loads every text of the page: one that is never shown is removed.
func TestEveryTextOfThePageIsShown(t *testing.T) {
	english, err := os.ReadFile(filepath.Join(root, pageSources, "texts", "en.ts"))
	if err != nil {
		t.Fatal(err)
	}
	page := sources(t, pageSources, func(name string) bool {
		return regexp.MustCompile(`(^|/)[\w-]+\.tsx?$`).MatchString(name) && !strings.HasSuffix(name, ".test.ts") &&
			!regexp.MustCompile(`texts/(names/)?[a-z]{2,3}\.ts$|texts/texts\.ts$`).MatchString(name)
	})
	all := page + sources(t, "internal", func(name string) bool {
		return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
	})
	words := map[string]bool{}
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(all, -1) {
		words[word] = true
	}
	_, catalogue, _ := strings.Cut(string(english), "const en: Texts")
	rows := pageText.FindAllStringSubmatch(catalogue, -1)
	part := ""
	for _, row := range rows {
		indent, key := row[1], row[2]
		shown := words[perCase.ReplaceAllString(key, "")]
		if indent == "  " {
			part = key
			shown = regexp.MustCompile(`texts\.` + key + `\b|\b` + key + `\b[^}]*\}: Texts`).MatchString(page)
		}
		if !shown {
			t.Errorf("en.ts has %s, in %s, which nothing shows", key, part)
		}
	}
	if len(rows) < 200 {
		t.Errorf("only %d texts were found", len(rows))
	}
}

// What a form says has to be in the part of the texts that comes with the page.
func TestTextsOfAFormComeWithThePage(t *testing.T) {
	catalogues, err := os.ReadFile(filepath.Join(root, pageSources, "texts", "catalogues.ts"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(catalogues), "const later")
	list, _, _ = strings.Cut(list, "];")
	said := sources(t, pageSources, func(name string) bool {
		return regexp.MustCompile(`/(fields/.*|look/(summary|order|foot|time)|methods/(chooser|marks|ways|choice)|`+
			`form/(form|band)|wallets/(wallets|googlepay))\.tsx?$`).MatchString(name) &&
			!strings.HasSuffix(name, ".test.ts") && !strings.HasSuffix(name, "/writing.tsx") // a part of the later script
	})
	later := regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(list, -1)
	for _, key := range later {
		// A screen with a schedule, and a list that is opened, wait for them.
		waited := slices.Contains([]string{"recurring", "ways", "fewer_ways", "search_ways", "no_ways"}, key[1])
		if !waited && regexp.MustCompile(`texts\.`+key[1]+`\b`).MatchString(said) {
			t.Errorf("a form says %s, which comes after it", key[1])
		}
	}
	if len(later) < 20 {
		t.Errorf("only %d texts come after a form", len(later))
	}
}

// sources are the contents of the files below a folder whose names fit.
func sources(t *testing.T, folder string, fits func(name string) bool) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !fits(filepath.ToSlash(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
