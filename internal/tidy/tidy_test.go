package tidy

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/checkout"

	"gopkg.in/yaml.v3"
)

const root = "../.."

// rooms says which of our packages each room may import outside its tests.
var rooms = map[string][]string{
	"internal/money":              {},
	"internal/method":             {},
	"internal/checkout":           {"internal/method", "internal/money"},
	"internal/api":                {"internal/checkout"},
	"internal/queue":              {"internal/checkout"},
	"internal/dynamo":             {"internal/checkout"},
	"internal/memory":             {"internal/checkout"},
	"internal/vault":              {"internal/checkout"},
	"internal/connector":          {"internal/checkout"},
	"internal/callback":           {"internal/checkout"},
	"internal/storetest":          {"internal/checkout"},
	"internal/storetest/engine":   {"internal/local/cloud/engine"},
	"internal/local/demo":         {}, // a merchant's own code
	"internal/local/cloud/engine": {"internal/local"},
	"internal/app": {"internal/api", "internal/callback", "internal/checkout", "internal/connector", "internal/dynamo",
		"internal/memory", "internal/queue", "internal/vault"},
	"internal/tidy":  {},
	"internal/local": {"internal/app", "internal/api", "internal/queue", "internal/local/cloud/engine", "internal/local/demo"},
	"functions":      {"internal/app", "internal/api", "internal/queue"},
}

// awsRooms may import AWS packages. The Lambda events are plain data.
var awsRooms = []string{"internal/dynamo", "internal/queue", "internal/vault", "internal/app", "internal/local", "internal/storetest"}

// clockRooms may read the clock, the environment and randomness.
var clockRooms = []string{"internal/app", "internal/local", "internal/storetest/engine"}

// roomOf answers the most specific room of a folder, "" if it is in none.
func roomOf(dir string) string {
	best := ""
	for room := range rooms {
		if (dir == room || strings.HasPrefix(dir, room+"/")) && len(room) > len(best) {
			best = room
		}
	}
	return best
}

// source is one Go file outside tests.
type source struct {
	dir, name string
	file      *ast.File
	fset      *token.FileSet
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	for _, top := range []string{"internal", "functions"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules") {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			all = append(all, source{filepath.ToSlash(filepath.Dir(rel)), filepath.ToSlash(rel), file, fset})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 40 {
		t.Fatalf("only %d source files found: the rules were not checked", len(all))
	}
	return all
}

func TestImportsStayInTheirRooms(t *testing.T) {
	for _, s := range sources(t) {
		room := roomOf(s.dir)
		if room == "" {
			t.Errorf("%s is in no room of the table", s.name)
			continue
		}
		for _, spec := range s.file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			ours, isOurs := strings.CutPrefix(path, "checkout/")
			target := roomOf(ours)
			if isOurs && target != room && !slices.Contains(rooms[room], target) {
				t.Errorf("%s may not import %s", s.name, path)
			}
			if strings.HasPrefix(path, "github.com/aws/") && !slices.ContainsFunc(awsRooms, func(r string) bool { return strings.HasPrefix(room, r) }) {
				t.Errorf("%s may not import %s", s.name, path)
			}
			if (path == "crypto/rand" || strings.HasPrefix(path, "math/rand")) && !slices.ContainsFunc(clockRooms, func(r string) bool { return strings.HasPrefix(room, r) }) {
				t.Errorf("%s may not make randomness (%s)", s.name, path)
			}
		}
	}
}

func TestClockEnvironmentFloatsAndInit(t *testing.T) {
	for _, s := range sources(t) {
		inputs := slices.ContainsFunc(clockRooms, func(r string) bool { return strings.HasPrefix(s.dir, r) })
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && !inputs {
					switch x.Name + "." + n.Sel.Name {
					case "time.Now", "time.Since", "time.Until", "os.Getenv", "os.LookupEnv", "os.Environ":
						t.Errorf("%s: %s.%s is an input", s.fset.Position(n.Pos()), x.Name, n.Sel.Name)
					}
				}
			case *ast.Ident:
				if (n.Name == "float64" || n.Name == "float32") && !strings.HasPrefix(s.dir, "internal/local") {
					t.Errorf("%s: no float types", s.fset.Position(n.Pos()))
				}
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: no init", s.fset.Position(n.Pos()))
				}
			}
			return true
		})
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

// TestRoutesTemplateFunctionsAndEventsAgree holds the four lists of functions and routes against each other.
func TestRoutesTemplateFunctionsAndEventsAgree(t *testing.T) {
	functions := folders(t, filepath.Join(root, "functions"))
	if events := folders(t, filepath.Join(root, "events")); !slices.Equal(events, functions) {
		t.Errorf("events has %v, functions has %v", events, functions)
	}
	inTemplate, routes := templateOf(t)
	if !slices.Equal(inTemplate, functions) {
		t.Errorf("template.yaml has the functions %v, functions has %v", inTemplate, functions)
	}
	var listed []string
	for _, r := range api.Routes {
		if !slices.Contains(functions, r.Function) {
			t.Errorf("route %s belongs to the unknown function %s", r.Path, r.Function)
		}
		listed = append(listed, r.Method+" "+r.Path)
	}
	slices.Sort(listed)
	if !slices.Equal(routes, listed) {
		t.Errorf("template.yaml has the routes\n%v\napi.Routes has\n%v", routes, listed)
	}
}

// TestTheConnectorEndsBeforeItsLease holds three times against each other that
// stand in three rooms: only then is a payment never asked for twice at once.
func TestTheConnectorEndsBeforeItsLease(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Resources struct {
			ConnectorFunction struct {
				Properties struct {
					Timeout int `yaml:"Timeout"`
				} `yaml:"Properties"`
			} `yaml:"ConnectorFunction"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	timeout := time.Duration(template.Resources.ConnectorFunction.Properties.Timeout) * time.Second
	if timeout <= app.AskTimeout*4/3 || timeout >= checkout.AskLease {
		t.Errorf("the connector function may take %v: longer than a look-up and a question (%v), less than the lease (%v)",
			timeout, app.AskTimeout*4/3, checkout.AskLease)
	}
}

func folders(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// templateOf answers the names of the functions (their logical ids without
// "Function", in lower case) and the route keys of template.yaml, sorted.
func templateOf(t *testing.T) (functions, routes []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Properties yaml.Node `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&template); err != nil {
		t.Fatal(err)
	}
	for name, r := range template.Resources {
		switch r.Type {
		case "AWS::Serverless::Function":
			functions = append(functions, strings.ToLower(strings.TrimSuffix(name, "Function")))
		case "AWS::ApiGatewayV2::Route":
			var p struct {
				RouteKey string `yaml:"RouteKey"`
			}
			if err := r.Properties.Decode(&p); err != nil {
				t.Fatal(err)
			}
			routes = append(routes, p.RouteKey)
		}
	}
	slices.Sort(functions)
	slices.Sort(routes)
	return functions, routes
}
