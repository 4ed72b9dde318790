package tidy

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxPageFolder is how many files a folder of the page's sources has at most.
const maxPageFolder = 25

var (
	pageFolder = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|")
	pageImport = regexp.MustCompile(`(?:\bfrom |\bimport\(|^import )"(\.[^"]*)"`)
)

// TestFoldersOfThePage checks that a folder of infra/page/src imports only folders above it in infra/page/README.md,
// and that no file imports itself by way of others. Types count as well.
func TestFoldersOfThePage(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "infra/page/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, row := range pageFolder.FindAllStringSubmatch(string(readme), -1) {
		order = append(order, row[1])
	}
	order = append(order, ".") // main and app
	imports, sizes := pageImports(t), map[string]int{}
	for file, all := range imports {
		own := slices.Index(order, folderOfPage(file))
		if own < 0 {
			t.Errorf("%s: infra/page/README.md has no such folder", file)
		}
		sizes[path.Dir(file)]++
		for _, imported := range all {
			if slices.Index(order, folderOfPage(imported)) > own {
				t.Errorf("%s imports %s, which stands below it", file, imported)
			}
		}
	}
	for folder, files := range sizes {
		if files > maxPageFolder {
			t.Errorf("%s has %d files", folder, files)
		}
	}
	if len(imports) < 60 || len(order) != len(sizes) {
		t.Errorf("%d files in %d folders, infra/page/README.md has %d", len(imports), len(sizes), len(order))
	}
	done := map[string]bool{}
	for file := range imports {
		findCircle(t, imports, file, nil, done)
	}
}

// pageImports are the files of infra/page/src and the files there that each imports, as paths below it.
func pageImports(t *testing.T) map[string][]string {
	t.Helper()
	imports, sources := map[string][]string{}, map[string]string{}
	for _, name := range repository(t) {
		file, of := strings.CutPrefix(name, "infra/page/src/")
		if !of || !strings.HasSuffix(file, ".ts") && !strings.HasSuffix(file, ".tsx") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		imports[file], sources[file] = nil, string(text)
	}
	for file, source := range sources {
		for line := range strings.Lines(source) {
			for _, found := range pageImport.FindAllStringSubmatch(line, -1) {
				to := path.Join(path.Dir(file), found[1])
				if strings.HasPrefix(to, "../") || strings.HasSuffix(to, ".json") {
					continue
				}
				names := []string{to + ".ts", to + ".tsx", to + "/index.ts"}
				at := slices.IndexFunc(names, func(name string) bool { _, there := sources[name]; return there })
				if at < 0 {
					t.Fatalf("%s imports %s, which is not there", file, found[1])
				}
				imports[file] = append(imports[file], names[at])
			}
		}
	}
	return imports
}

func folderOfPage(file string) string {
	folder, _, below := strings.Cut(file, "/")
	if !below {
		return "."
	}
	return folder
}

func findCircle(t *testing.T, imports map[string][]string, file string, way []string, done map[string]bool) {
	t.Helper()
	if at := slices.Index(way, file); at >= 0 {
		t.Errorf("a circle: %s", strings.Join(append(way[at:], file), " > "))
		return
	}
	if done[file] {
		return
	}
	way = append(way, file)
	for _, imported := range imports[file] {
		findCircle(t, imports, imported, way, done)
	}
	done[file] = true
}

// TestLinesOfThePage checks that lines of the page's sources are as short as those of Go. Only the address of a drawing
// can't be divided.
func TestLinesOfThePage(t *testing.T) {
	files := 0
	for _, name := range repository(t) {
		kinds := []string{".ts", ".tsx", ".mjs", ".css", ".html"}
		if !strings.HasPrefix(name, "infra/page/") || !slices.Contains(kinds, path.Ext(name)) {
			continue
		}
		files++
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))
			if width > maxLine && !strings.Contains(line, `href="data:`) {
				t.Errorf("%s:%d has %d characters", name, number, width)
			}
		}
	}
	if files < 100 {
		t.Errorf("%d files", files)
	}
}
