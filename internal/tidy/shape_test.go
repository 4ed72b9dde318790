package tidy

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/app"
)

const (
	maxFunction   = 70  // lines
	maxFile       = 300 // lines
	maxMain       = 20  // lines of a main.go in functions
	maxParameters = 4   // the receiver not counted
)

func TestFunctionsAndFilesAreShort(t *testing.T) {
	for _, s := range sources(t) {
		whole := s.fset.File(s.file.FileStart).LineCount()
		if whole > maxFile {
			t.Errorf("%s has %d lines", s.name, whole)
		}
		if isIn(s.dir, "functions") && whole > maxMain {
			t.Errorf("%s has %d lines: a function's main decides nothing", s.name, whole)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.lines(f); n > maxFunction {
				t.Errorf("%s: %s has %d lines", s.at(f), f.Name.Name, n)
			}
			if n := f.Type.Params.NumFields(); n > maxParameters {
				t.Errorf("%s: %s has %d parameters", s.at(f), f.Name.Name, n)
			}
		}
	}
}

// servingMain is a main.go that serves one function, and imports what builds it alone.
var servingMain = regexp.MustCompile(`\npackage main\n\n` +
	`import (?:"checkout/internal/app/function"|\(\n(?:\t"checkout/internal/app/\w+"\n){2}\))\n\n` +
	`func main\(\) \{ function\.Serve\(\w+\.(\w+)\) \}\n$`)

// TestMainsOnlyServe checks that each main.go serves the function of its folder's name and nothing else, so that
// app.Functions is true of the binaries.
func TestMainsOnlyServe(t *testing.T) {
	for name := range app.Functions() {
		text, err := os.ReadFile(filepath.Join(root, "functions", name, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		if found := servingMain.FindSubmatch(text); found == nil || string(found[1]) != strings.ToUpper(name[:1])+name[1:] {
			t.Errorf("functions/%s/main.go does not serve the function of its name alone:\n%s", name, text)
		}
	}
}

func TestEveryPackageOpensWithAParagraph(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		documented[s.dir] = documented[s.dir] || s.file.Doc != nil
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s: no package comment", dir)
		}
	}
}

// wellKnown are methods of the standard library's interfaces, which are explained there.
var wellKnown = []string{"String", "Error", "Unwrap", "Read", "Write", "WriteHeader", "ServeHTTP", "MarshalJSON",
	"UnmarshalJSON",
	"Deadline", "Done", "Err", "Value"}

func TestExportedNamesAreExplained(t *testing.T) {
	for _, s := range sources(t) {
		if s.file.Name.Name == "main" {
			continue
		}
		for _, d := range s.file.Decls {
			for _, name := range unexplained(d) {
				t.Errorf("%s: no comment on %s", s.at(d), name)
			}
		}
	}
}

// unexplained returns the exported names of a declaration that have no comment.
func unexplained(d ast.Decl) (names []string) {
	if f, ok := d.(*ast.FuncDecl); ok {
		method := f.Recv != nil
		if f.Doc == nil && f.Name.IsExported() &&
			(!method || ast.IsExported(receiver(f)) && !slices.Contains(wellKnown, f.Name.Name)) {
			return []string{f.Name.Name}
		}
		return nil
	}
	group := d.(*ast.GenDecl)
	if group.Tok == token.IMPORT || group.Doc != nil {
		return nil
	}
	for _, spec := range group.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && spec.Doc == nil {
				names = append(names, spec.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() && spec.Doc == nil && spec.Comment == nil {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// receiver returns the name of a method's type.
func receiver(f *ast.FuncDecl) string {
	name := ""
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}
