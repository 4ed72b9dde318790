package contract

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const pageSources = "infra/page/src"

var perCase = regexp.MustCompile(`_(credit|transfer|[A-Z]{2})$`) // by the operation, or the country

// A payer loads every text of the page: one that is never shown is removed.
func TestEveryTextOfThePageIsShown(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(root, pageSources, "texts", "words", "en.json"))
	if err != nil {
		t.Fatal(err)
	}
	var english map[string]any
	if err := json.Unmarshal(content, &english); err != nil {
		t.Fatal(err)
	}
	page := sources(t, pageSources, func(name string) bool {
		return regexp.MustCompile(`(^|/)[\w-]+\.tsx?$`).MatchString(name) && !strings.HasSuffix(name, ".test.ts") &&
			!strings.HasSuffix(name, "texts/texts.ts")
	})
	all := page + sources(t, "internal", func(name string) bool {
		return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
	})
	words := map[string]bool{}
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(all, -1) {
		words[word] = true
	}
	texts := 0
	for key, text := range english {
		texts++
		if !regexp.MustCompile(`texts\.` + key + `\b|\b` + key + `\b[^}]*\}: Texts`).MatchString(page) {
			t.Errorf("nothing shows %s", key)
		}
		part, _ := text.(map[string]any)
		if key == "names" {
			continue // of the catalogue's methods, options and fields
		}
		for one := range part {
			texts++
			if !words[perCase.ReplaceAllString(one, "")] {
				t.Errorf("nothing shows %s.%s", key, one)
			}
		}
	}
	if texts < 200 {
		t.Errorf("only %d texts were found", texts)
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
		// A screen with a schedule, faults, and a list that is opened wait for them.
		waited := slices.Contains([]string{"recurring", "mend", "ways", "fewer_ways", "search_ways", "no_ways"}, key[1])
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
