//go:build race

package story

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain runs the stories in which something happens at once: the race detector sees little in the others, which run
// without it. A pattern of the command line counts more.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		stories := storiesAtOnce()
		if err := flag.Set("test.run", "^("+strings.Join(stories, "|")+")$"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// alike is what has goroutines in the service, in each story in the same way.
var alike = []string{"IndexChanges", "Reader.Find", "Reader.Totals", "Reader.Payments", "Reader.Deliveries",
	"Undelivered", "Reader.WaitingForPerson"}

// storiesAtOnce returns the stories of this folder that begin goroutines, by themselves or by a function that they
// call, and one of each of those that are alike. What every world does at its end does not count.
func storiesAtOnce() []string {
	calls := map[string][]string{} // what each function calls, by name
	world := []string{"open", "CheckOrders"}
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && !slices.Contains(world, f.Name.Name) {
				calls[f.Name.Name] = append(calls[f.Name.Name], callsOf(f.Body)...)
			}
		}
	}
	stories := storiesThatCall(calls, "Go")
	for _, name := range alike {
		of := storiesThatCall(calls, name)
		if len(of) == 0 {
			panic("no story calls " + name)
		}
		if !slices.ContainsFunc(of, func(story string) bool { return slices.Contains(stories, story) }) {
			stories = append(stories, of[0])
		}
	}
	return stories
}

// storiesThatCall returns the stories that call a function, also by others, sorted.
func storiesThatCall(calls map[string][]string, name string) (stories []string) {
	found := map[string]bool{name: true}
	for again := true; again; {
		again = false
		for name, called := range calls {
			if !found[name] && slices.ContainsFunc(called, func(c string) bool { return found[c] }) {
				found[name], again = true, true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if strings.HasPrefix(name, "Test") {
			stories = append(stories, name)
		}
	}
	return stories
}

// callsOf returns the names of what a function calls, those of operators' calls with "Reader."; "Go" stands for a go
// statement.
func callsOf(body *ast.BlockStmt) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			names = append(names, "Go")
		case *ast.CallExpr:
			switch f := n.Fun.(type) {
			case *ast.Ident:
				names = append(names, f.Name)
			case *ast.SelectorExpr:
				names = append(names, f.Sel.Name)
				if of, ok := f.X.(*ast.SelectorExpr); ok && of.Sel.Name == "Reader" {
					names = append(names, "Reader."+f.Sel.Name)
				}
			}
		}
		return true
	})
	return names
}
