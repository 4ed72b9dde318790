package tidy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// rule is what the files of a folder may do outside of tests. It is true of all folders below without a rule of their
// own.
type rule struct {
	imports []string // other folders of this repository
	aws     bool     // may import AWS packages; the Lambda events are plain data
	inputs  bool     // may read the clock, the environment and randomness
	pure    bool     // may import neither network nor operating system
	apart   bool     // its folders may not import each other, but the folder itself
}

// What a contract with providers is made of, what checkout is, and what the four sides over it share.
const (
	contract = "card settings method money request screen"
	under    = "payment connector callback circuit form metric routing store " + contract
	shared   = "audit checkout sensitive " + under
)

// rules are the layers of the code, by folder.
var rules = map[string]rule{
	"internal/money":                 {pure: true},
	"internal/signature":             {pure: true},
	"internal/store":                 {pure: true},
	"internal/method":                {pure: true, imports: ours("method/value money")},
	"internal/method/value":          {pure: true},
	"internal/sensitive":             {pure: true, imports: ours("method method/value")},
	"internal/grant":                 {pure: true, imports: ours("request")},
	"internal/audit":                 {pure: true, imports: ours("request sensitive store")},
	"internal/archive":               {pure: true, imports: ours("store")},
	"internal/metric":                {pure: true, imports: ours("store")},
	"internal/request":               {pure: true, imports: ours("method money signature")},
	"internal/request/requesttest":   {}, // reads a document for tests
	"internal/circuit":               {pure: true, imports: ours("audit metric store")},
	"internal/settings":              {pure: true, imports: ours("audit method money request sensitive signature store")},
	"internal/settings/settingstest": {inputs: true}, // makes keys for tests
	"internal/routing":               {pure: true, imports: ours("circuit settings method money request")},
	"internal/routing/routingtest":   {pure: true, imports: ours("settings method")},
	"internal/callback":              {pure: true, imports: ours("audit sensitive settings metric request store")},
	"internal/callback/post":         {imports: ours("callback")},
	"internal/card":                  {pure: true, imports: ours("method request store")},
	"internal/screen":                {pure: true, imports: ours("settings method money request")},
	"internal/form":                  {pure: true, imports: ours("card routing settings method request screen")},
	"internal/sweep":                 {pure: true, imports: ours("metric store")},
	"internal/guard":                 {imports: ours("metric store")}, // fetches the page
	"internal/payment":               {pure: true, imports: ours("connector form sensitive store " + contract)},
	"internal/payment/paymenttest":   {pure: true, imports: ours("payment method money")},
	"internal/checkout":              {pure: true, imports: ours(under)},
	"internal/payer":                 {pure: true, imports: ours(shared)},
	"internal/merchant":              {pure: true, imports: ours(shared)},
	"internal/worker":                {pure: true, imports: ours("sweep " + shared)},
	"internal/operator":              {pure: true, imports: ours("grant listing " + shared)},
	"internal/listing":               {pure: true, imports: ours("checkout " + under)},
	"internal/api": {
		imports: ours("payer merchant worker operator grant audit callback checkout circuit form connector listing " +
			"settings metric payment request screen")},
	"internal/queue":             {imports: ours("worker payment callback request store"), aws: true},
	"internal/store/dynamo":      {imports: ours("store"), aws: true},
	"internal/archive/s3":        {imports: ours("archive"), aws: true},
	"internal/stream":            {aws: true},
	"internal/queue/inmemory":    {imports: ours("worker payment callback request")},
	"internal/store/memory":      {imports: ours("store")},
	"internal/vault":             {imports: ours("card settings store"), aws: true},
	"internal/wallet":            {imports: ours("money")},
	"internal/wallet/testwallet": {pure: true}, // nothing of the service
	"internal/wallet/session":    {imports: ours("payer")},
	"internal/wallet/tokens": {
		imports: ours("worker card method screen settings store wallet wallet/testwallet")},
	"internal/connector": {apart: true, // the contract, and a folder for each family
		imports: ours("connector/provider " + contract)},
	"internal/connector/provider": {imports: ours("connector money screen store")},
	"internal/connector/list":     {imports: ours("connector connector/provider connector/sandbox")},
	"internal/connector/sandbox":  {imports: ours("connector connector/provider store wallet/testwallet " + contract)},
	"internal/connector/conformance": { // tests alone
		imports: ours("connector connector/provider simulator " + contract)},
	"internal/connector/adapter/check":  {inputs: true, imports: ours("connector")}, // to read actions
	"internal/connector/adapter/sample": {inputs: true},                             // nothing of the service
	"internal/store/storetest":          {imports: ours("store")},
	"internal/store/storetest/engine":   {imports: ours("local/cloud"), inputs: true},
	"internal/app": {aws: true, inputs: true,
		imports: ours("api archive archive/s3 audit payer merchant worker operator callback callback/post card " +
			"checkout connector connector/list connector/provider grant guard listing payment queue queue/inmemory request " +
			"settings store store/dynamo store/memory stream vault wallet/session wallet/tokens")},
	"internal/local": {aws: true, inputs: true,
		imports: ours("app api audit form grant queue screen simulator local/client local/cloud local/demo " +
			"wallet/testwallet")},
	"internal/simulator":   {inputs: true, imports: ours("money")}, // nothing of the service
	"internal/local/cloud": {aws: true, inputs: true},              // nothing of the service
	"internal/local/demo":  {},                                     // a merchant's own code
	"internal/local/client": {inputs: true, // the other side, in tests
		imports: ours("card form local/demo method screen")},
	"internal/story": {inputs: true, // tests, and what these share
		imports: ours("api app callback card checkout connector connector/sandbox form listing local/client merchant " +
			"method money operator payer payment request/requesttest screen settings settings/settingstest simulator " +
			"store vault wallet wallet/testwallet wallet/tokens worker")},
	"internal/story/faults": {}, // tests alone
	"internal/stack":        {}, // tests alone
	"internal/tidy":         {},
	"functions":             {imports: ours("app")},
}

// ours returns the paths of folders below internal.
func ours(names string) []string {
	folders := strings.Fields(names)
	for i, name := range folders {
		folders[i] = "internal/" + name
	}
	return folders
}

// isIn reports whether a path, of a folder or an import, is the same as another or below it.
func isIn(path, other string) bool { return path == other || strings.HasPrefix(path, other+"/") }

// folderOf returns the folder whose rule applies to a folder: itself or the nearest above it, "" if there is none.
func folderOf(dir string) string {
	best := ""
	for name := range rules {
		if isIn(dir, name) && len(name) > len(best) {
			best = name
		}
	}
	return best
}

// source is one Go file outside tests.
type source struct {
	dir, name string
	rule      rule
	file      *ast.File
	fset      *token.FileSet
}

func (s source) at(n ast.Node) token.Position {
	p := s.fset.Position(n.Pos())
	p.Filename = s.name
	return p
}

// lines of a node, from its first to its last.
func (s source) lines(n ast.Node) int {
	return s.fset.Position(n.End()).Line - s.fset.Position(n.Pos()).Line + 1
}

// uses returns the import path and the name of an expression such as time.Now, however the file names the import. Both
// are "" for other expressions.
func (s source) uses(n *ast.SelectorExpr) (path, name string) {
	x, ok := n.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	for _, spec := range s.file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser has read it
		called := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			called = spec.Name.Name
		}
		if x.Name == called {
			return path, n.Sel.Name
		}
	}
	return "", ""
}

func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Fatalf("only %d source files found: the rules were not checked", len(all))
	}
	return all
}

// parsed returns all files outside tests, which are parsed once.
var parsed = sync.OnceValues(func() (all []source, err error) {
	for _, top := range []string{"internal", "functions"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "testdata" {
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
			dir := filepath.ToSlash(filepath.Dir(rel))
			all = append(all, source{dir, filepath.ToSlash(rel), rules[folderOf(dir)], file, fset})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
})

// inspect walks through every file.
func inspect(t *testing.T, visit func(s source, n ast.Node)) {
	t.Helper()
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			visit(s, n)
			return true
		})
	}
}
