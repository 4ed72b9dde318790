package tidy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestEveryFolderOfTheRulesExists(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		used[folderOf(s.dir)] = true
	}
	for name, r := range rules {
		if !used[name] {
			t.Errorf("the folder %s has no Go file", name)
		}
		for _, other := range r.imports {
			if _, ok := rules[other]; !ok {
				t.Errorf("%s may import %s, which has no rule", name, other)
			}
		}
	}
}

func TestImportsFollowTheRules(t *testing.T) {
	for _, s := range sources(t) {
		name := folderOf(s.dir)
		if name == "" {
			t.Errorf("no rule is for %s", s.name)
			continue
		}
		for _, spec := range s.file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := refused(name, path); why != "" {
				t.Errorf("%s may not import %s: %s", s.name, path, why)
			}
		}
	}
}

// TestTheLocalCloudKnowsNoService checks that the tests and test programs of the local cloud import nothing of the
// service.
func TestTheLocalCloudKnowsNoService(t *testing.T) {
	const cloud = "internal/local/cloud"
	read := 0
	err := filepath.WalkDir(filepath.Join(root, cloud), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		read++
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if ours, isOurs := strings.CutPrefix(imported, "checkout/"); err != nil || isOurs && !isIn(ours, cloud) {
				t.Errorf("%s may not import %s", path, imported)
			}
		}
		return nil
	})
	if err != nil || read < 50 {
		t.Fatalf("%d files read: %v", read, err)
	}
}

// refused returns why the files of a folder may not import a package, "" if they may.
func refused(name, path string) string {
	r := rules[name]
	ours, isOurs := strings.CutPrefix(path, "checkout/")
	target := folderOf(ours)
	switch {
	case isOurs && target != name && !slices.Contains(r.imports, target):
		return "the rule of the folder does not list it"
	case isOurs && target == name && r.apart && ours != name:
		return "the folders of the rule are apart"
	case isIn(path, "github.com/aws") && !r.aws:
		return "no AWS here"
	case (path == "crypto/rand" || isIn(path, "math/rand")) && !r.inputs:
		return "randomness is an input"
	case r.pure && (path == "net" || isIn(path, "net/http") || isIn(path, "os")):
		return "no network and no operating system here"
	}
	return ""
}

func TestRefusedImports(t *testing.T) {
	for _, test := range []struct {
		rule, path string
		refused    bool
	}{
		{"internal/checkout", "checkout/internal/money", false},
		{"internal/checkout", "checkout/internal/api", true},
		{"internal/checkout", "net/url", false},
		{"internal/checkout", "net", true},
		{"internal/checkout", "net/http/httptest", true},
		{"internal/method", "os", true},
		{"internal/money", "os/exec", true},
		{"internal/money", "math/rand/v2", true},
		{"internal/local/demo", "github.com/aws/aws-sdk-go-v2/aws", true},
		{"internal/local/demo", "checkout/internal/checkout", true},
		{"internal/connector", "checkout/internal/connector/cash", true},
		{"internal/connector", "checkout/internal/connector/provider/brcode", false},
		{"internal/connector", "checkout/internal/local/simulator", true},
		{"internal/local/simulator", "checkout/internal/connector/provider", true},
		{"internal/local", "github.com/aws/aws-sdk-go-v2/aws", false},
		{"internal/local/cloud", "checkout/internal/money", true},
		{"internal/local/cloud", "checkout/internal/local/demo", true},
		{"internal/store/dynamo", "github.com/aws/aws-sdk-go-v2/aws", false},
		{"internal/store/dynamo", "github.com/awslabs/other", false},
		{"functions", "checkout/internal/checkout", true},
	} {
		if got := refused(test.rule, test.path); (got != "") != test.refused {
			t.Errorf("%s importing %s: %q", test.rule, test.path, got)
		}
	}
	for dir, want := range map[string]string{
		"internal/local/demo": "internal/local/demo", "internal/local/demolition": "internal/local",
		"internal/localities":         "",
		"internal/local/cloud/engine": "internal/local/cloud", "functions/session": "functions",
	} {
		if got := folderOf(dir); got != want {
			t.Errorf("the rule of %s is that of %q, not %q", dir, got, want)
		}
	}
}

func TestClockEnvironmentAndRandomnessAreInputs(t *testing.T) {
	inspect(t, func(s source, n ast.Node) {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || s.rule.inputs {
			return
		}
		path, name := s.uses(selector)
		switch path + "." + name {
		case "time.Now", "time.Since", "time.Until", "os.Getenv", "os.LookupEnv", "os.Environ", "os.ExpandEnv":
			t.Errorf("%s: %s.%s is an input", s.at(n), path, name)
		}
		if path == "github.com/google/uuid" && strings.HasPrefix(name, "New") {
			t.Errorf("%s: uuid.%s: randomness is an input", s.at(n), name)
		}
	})
}

func TestNoFloatsAndNoInit(t *testing.T) {
	inspect(t, func(s source, n ast.Node) {
		switch n := n.(type) {
		case *ast.Ident:
			if n.Name == "float64" || n.Name == "float32" {
				t.Errorf("%s: no float types", s.at(n))
			}
		case *ast.BasicLit:
			if n.Kind == token.FLOAT {
				t.Errorf("%s: no float literals: %s", s.at(n), n.Value)
			}
		case *ast.SelectorExpr:
			if path, name := s.uses(n); path == "strconv" && (name == "ParseFloat" || name == "FormatFloat") ||
				n.Sel.Name == "Float64" {
				t.Errorf("%s: no floats: %s", s.at(n), n.Sel.Name)
			}
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil {
				t.Errorf("%s: no init", s.at(n))
			}
		}
	})
}
