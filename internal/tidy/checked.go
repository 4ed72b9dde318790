package tidy

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// root is the repository's folder, as a package in internal has it.
const root = "../.."

// Checked is a package that was type-checked, without its tests.
type Checked struct {
	Fset  *token.FileSet
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
}

// Exports has what packages export, as the compiler has written it. A package is read once.
type Exports struct {
	fset     *token.FileSet
	importer types.Importer
}

// Check type-checks the package of a folder of a repository from its source, and what it imports from the export data.
func Check(t *testing.T, root, dir string, exports Exports) Checked {
	t.Helper()
	p := Checked{Fset: exports.fset, Info: &types.Info{Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if built, err := build.Default.MatchFile(filepath.Split(name)); err != nil {
			t.Fatal(err)
		} else if !built || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(p.Fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		p.Files = append(p.Files, file)
	}
	config := types.Config{Importer: exports.importer}
	if p.Types, err = config.Check("checkout/"+dir, p.Fset, p.Files, p.Info); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return p
}

// ExportData returns the export data of every package in internal, and of what these import.
func ExportData(t *testing.T, root string) Exports {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./internal/...")
	list.Dir = root
	var errors bytes.Buffer
	list.Stderr = &errors
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, errors.String())
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	fset := token.NewFileSet()
	return Exports{fset, importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})}
}
