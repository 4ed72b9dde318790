package list

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// providers are the connectors to somebody: all but the sandbox, which plays its provider itself and needs no
// credentials.
func providers() (names []string) {
	for name := range families {
		if name != settings.SandboxConnector {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestSimulatorPlaysAllFamilies compares the simulator's list with this one.
func TestSimulatorPlaysAllFamilies(t *testing.T) {
	if played := simulator.New(simulator.Options{}).Families(); !slices.Equal(played, providers()) {
		t.Errorf("played are %q, and there are %q", played, providers())
	}
}

var update = flag.Bool("update", false, "write the tables of credentials into the READMEs instead of comparing them")

// TestREADMEsHaveTheCredentials compares the table of credentials in each README with the declaration.
func TestREADMEsHaveTheCredentials(t *testing.T) {
	const heading = "\n## Credentials of a MID\n\n"
	for family, declared := range connector.Declarations() {
		table := "| Name | Value | What it is |\n|---|---|---|\n"
		for _, c := range declared.Credentials {
			value := c.Rule()
			if c.Example != "" {
				value += ", such as `" + c.Example + "`"
			}
			table += fmt.Sprintf("| `%s` | %s | %s |\n", c.Name, value, c.Help)
		}
		path := filepath.Join("..", family, "README.md")
		before, section, found := strings.Cut(contents(t, path), heading)
		present, after, _ := strings.Cut(section, "\n\n")
		if !found {
			t.Fatalf("%s has no part about credentials", path)
		}
		if *update {
			if err := os.WriteFile(path, []byte(before+heading+table+"\n"+after), 0o600); err != nil {
				t.Fatal(err)
			}
		} else if present+"\n" != table {
			t.Errorf("%s has\n%s\nwant\n%s", path, present, table)
		}
	}
}

// TestDeclaredCredentials checks that each declaration has complete rows, and that the examples are right.
func TestDeclaredCredentials(t *testing.T) {
	for family, declared := range connector.Declarations() {
		seen := map[string]bool{}
		for _, c := range declared.Credentials {
			if seen[c.Name] || c.Help == "" || (c.Kind == settings.KindChoice) != (len(c.Values) > 0) {
				t.Errorf("%s: %+v", family, c)
			}
			seen[c.Name] = true
			if fault := c.Fault(c.Example, false); c.Example != "" && fault != "" {
				t.Errorf("%s: the example of %s: %s", family, c.Name, fault)
			}
		}
	}
}

// TestFamiliesReadTheDeclaredCredentials searches the code of each family, and what it calls of package provider, for
// the names of the credentials that it reads: they are those that it declares.
func TestFamiliesReadTheDeclaredCredentials(t *testing.T) {
	shared := reads(t, "provider", nil)
	for family, declared := range connector.Declarations() {
		var names []string
		for _, c := range declared.Credentials {
			names = append(names, c.Name)
		}
		slices.Sort(names)
		read := map[string]bool{}
		for _, found := range reads(t, family, shared) {
			maps.Copy(read, found)
		}
		if got := slices.Sorted(maps.Keys(read)); !slices.Equal(got, names) {
			t.Errorf("%s reads the credentials %q, and declares %q", family, got, names)
		}
	}
}

// reads returns the names of the credentials that each function of a folder beside this one reads: by a map whose name
// ends with "redentials", or by what it calls of the functions in shared, which are those of package provider.
func reads(t *testing.T, folder string, shared map[string]map[string]bool) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	for _, file := range parsed(t, folder) {
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			found := map[string]bool{}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.IndexExpr:
					if strings.HasSuffix(lastName(n.X), "redentials") {
						addText(found, n.Index)
					}
				case *ast.CallExpr:
					maps.Copy(found, shared[lastName(n.Fun)])
					if lastName(n.Fun) == "RequireCredentials" {
						for _, argument := range n.Args[1:] {
							addText(found, argument)
						}
					}
				}
				return true
			})
			all[f.Name.Name] = found
		}
	}
	return all
}

// parsed returns the files of a folder beside this one, without its tests.
func parsed(t *testing.T, folder string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v", folder, err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// lastName returns the last name of an expression such as n.Credentials.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func addText(texts map[string]bool, e ast.Expr) {
	if literal, ok := e.(*ast.BasicLit); ok {
		text, _ := strconv.Unquote(literal.Value)
		texts[text] = true
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFamiliesRunTheSuite looks for a call of the suite in the tests of each connector.
func TestFamiliesRunTheSuite(t *testing.T) {
	for family := range families {
		files, _ := filepath.Glob(filepath.Join("..", family, "*_test.go"))
		runs := func(file string) bool { return strings.Contains(contents(t, file), "conformance.Run(t,") }
		if !slices.ContainsFunc(files, runs) {
			t.Errorf("no test of %s runs conformance.Run", family)
		}
	}
}

// TestFamiliesCoverAllMethods looks for a connector for each operation of each method, beside the sandbox.
func TestFamiliesCoverAllMethods(t *testing.T) {
	declared := connector.Declarations()
	for _, m := range method.Methods {
		for _, operation := range method.Operations {
			if m.Unfinished || !m.For(operation) {
				continue
			}
			if !slices.ContainsFunc(providers(), func(name string) bool {
				d := declared[name]
				return slices.Contains(d.Operations, operation) && (len(d.Methods) == 0 || slices.Contains(d.Methods, m.ID))
			}) {
				t.Errorf("no connector can %s by %s", operation, m.ID)
			}
		}
	}
}

// TestOperatorsFindTheConnectors compares the table of connectors in infra/merchants.md with the declarations.
func TestOperatorsFindTheConnectors(t *testing.T) {
	text, declared := contents(t, "../../../infra/merchants.md"), connector.Declarations()
	for _, family := range providers() {
		methods := "every method"
		if all := declared[family].Methods; len(all) > 0 {
			methods = "`" + strings.Join(all, "`, `") + "`"
		}
		row := fmt.Sprintf("| [`%s`](../internal/connector/%[1]s/README.md) | %s |", family, methods)
		if !strings.Contains(text, row) {
			t.Errorf("infra/merchants.md has no row\n%s", row)
		}
	}
}
