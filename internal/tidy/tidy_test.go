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
	contract = "card fault method money page/screen reason request settings"
	under    = "callback checkout/payment checkout/payment/sums connector metric page/form routing routing/circuit " +
		"store " + contract
	shared = "audit checkout sensitive " + under
)

// rules are the layers of the code, by folder of internal.
var rules = inInternal(map[string]rule{
	"money":               {pure: true},
	"signature":           {pure: true},
	"fault":               {pure: true},
	"reason":              {pure: true},
	"store":               {pure: true},
	"method":              {pure: true, imports: ours("method/value money")},
	"method/value":        {pure: true},
	"metric":              {pure: true, imports: ours("store")},
	"sensitive":           {pure: true, imports: ours("method method/value")},
	"audit":               {pure: true, imports: ours("fault sensitive store")},
	"request":             {pure: true, imports: ours("fault method money signature")},
	"request/requesttest": {}, // reads a document for tests
	"settings": {pure: true,
		imports: ours("audit fault method money request settings/certificate sensitive signature store")},
	"settings/certificate":     {pure: true, imports: ours("method")},
	"settings/table/tabletest": {imports: ours("method money settings")}, // tests alone
	"settings/settingstest":    {inputs: true},                           // makes keys for tests
	"routing":                  {pure: true, imports: ours("fault method money request routing/circuit settings")},
	"routing/circuit":          {pure: true, imports: ours("audit fault metric store")},
	"routing/routingtest":      {pure: true, imports: ours("method settings")},
	"callback": {pure: true,
		imports: ours("audit fault metric request routing/circuit sensitive settings store")},
	"callback/post": {imports: ours("callback")},
	"card":          {pure: true, imports: ours("fault method store")},
	"card/vault":    {imports: ours("card fault settings store"), aws: true},
	"page/screen":   {pure: true, imports: ours("fault method money reason request settings")},
	"page/form": {pure: true,
		imports: ours("card fault method page/screen reason request routing settings")},
	"checkout":                     {pure: true, imports: ours(under)},
	"checkout/payment":             {pure: true, imports: ours("connector page/form sensitive store " + contract)},
	"checkout/payment/paymenttest": {pure: true, imports: ours("checkout/payment method money")},
	"checkout/payment/sums":        {pure: true, imports: ours("checkout/payment method money request")},
	"payer":                        {pure: true, imports: ours(shared)},
	"merchant":                     {pure: true, imports: ours(shared)},
	"worker":                       {pure: true, imports: ours("wallet/token worker/sweep " + shared)},
	"worker/sweep":                 {pure: true, imports: ours("metric store")},
	"operator": {pure: true,
		imports: ours("operator/chains operator/grant operator/query operator/signin operator/verdict operator/words " +
			shared)},
	"operator/archive":    {pure: true, imports: ours("store")},
	"operator/archive/s3": {imports: ours("operator/archive"), aws: true},
	"operator/chains":     {pure: true, imports: ours("operator/grant operator/listing " + shared)},
	"operator/grant":      {pure: true, imports: ours("fault money")},
	"operator/forget":     {pure: true, imports: ours("operator/listing " + shared)},
	"operator/guard":      {imports: ours("metric store")}, // fetches the page
	"operator/handle":     {pure: true, imports: ours("operator/listing sensitive store")},
	"operator/listing":    {pure: true, imports: ours("checkout " + under)},
	"operator/operatortest": {pure: true,
		imports: ours("checkout checkout/payment/paymenttest operator/grant store/memory " + under)},
	"operator/overview": {pure: true,
		imports: ours("operator operator/grant operator/listing operator/query " + shared)},
	"operator/preview":         {pure: true, imports: ours("operator/grant " + shared)},
	"operator/signin":          {pure: true, imports: ours("fault store")},
	"operator/signin/provider": {imports: ours("operator/signin")}, // calls the provider
	"operator/uses":            {pure: true, imports: ours("operator/listing " + shared)},
	"operator/query": {pure: true,
		imports: ours("operator/chains operator/grant operator/handle operator/listing operator/verdict operator/words " +
			shared)},
	"operator/verdict": {pure: true, imports: ours("checkout/payment fault money operator/words settings")},
	"operator/words":   {pure: true, imports: ours(shared)},
	"api": {
		imports: ours("payer merchant worker api/sandboxpage operator operator/chains operator/forget operator/grant " +
			"operator/listing operator/overview operator/preview operator/query operator/signin operator/uses operator/words " +
			shared)},
	"api/sandboxpage":   {pure: true},
	"queue":             {imports: ours("callback checkout/payment fault worker"), aws: true},
	"queue/inmemory":    {imports: ours("callback checkout/payment fault worker")},
	"store/dynamo":      {imports: ours("store"), aws: true},
	"store/memory":      {imports: ours("store")},
	"store/storetest":   {imports: ours("store")},
	"store/stream":      {aws: true},
	"wallet":            {imports: ours("money")},
	"wallet/token":      {pure: true, imports: ours("card money reason settings")},
	"wallet/testwallet": {pure: true}, // nothing of the service
	"wallet/session":    {imports: ours("settings")},
	"wallet/tokens":     {imports: ours("card method reason settings store wallet wallet/testwallet wallet/token")},
	"connector": {apart: true, // the contract, and a folder for each family
		imports: ours("connector/provider " + contract)},
	"connector/adapter/check":  {inputs: true, imports: ours("connector")}, // to read actions
	"connector/adapter/sample": {inputs: true},                             // nothing of the service
	"connector/conformance":    {imports: ours("connector " + contract)},   // tests alone
	"connector/list":           {imports: ours("connector connector/provider connector/sandbox")},
	"connector/provider":       {imports: ours("connector fault money reason store")},
	"connector/sandbox":        {imports: ours("connector connector/provider store wallet/testwallet " + contract)},
	"app": {aws: true, inputs: true,
		imports: ours("api card/vault callback/post connector/list connector/provider merchant operator operator/archive " +
			"operator/archive/s3 operator/grant operator/guard operator/listing operator/overview operator/preview " +
			"operator/query operator/signin operator/signin/provider operator/words payer queue queue/inmemory " +
			"store/dynamo store/memory store/stream wallet/session wallet/tokens worker " + shared)},
	"local": {aws: true, inputs: true,
		imports: ours("api app audit local/client local/cloud local/demo local/simulator operator/grant operator/signin " +
			"operator/signin/provider page/form queue " +
			"wallet/testwallet " + contract)},
	"local/client": {inputs: true, // the other side, in tests
		imports: ours("card local/demo method page/form page/screen reason")},
	"local/cloud":     {aws: true, inputs: true},              // nothing of the service
	"local/demo":      {},                                     // a merchant's own code
	"local/simulator": {inputs: true, imports: ours("money")}, // nothing of the service
	"local/simulated": {inputs: true, // tests alone
		imports: ours("connector connector/conformance connector/provider local/simulator money reason")},
	"local/stack": {}, // tests alone
	"local/story": {inputs: true, // tests, and what these share
		imports: ours("api app connector/sandbox local/client local/simulator merchant operator operator/listing " +
			"operator/overview operator/query operator/words payer request/requesttest settings/settingstest " +
			"wallet wallet/testwallet wallet/tokens worker " + shared)},
	"local/story/faults": {}, // tests alone
	"tidy":               {},
})

// inInternal returns the rules by the paths of their folders, and the rule of the functions.
func inInternal(folders map[string]rule) map[string]rule {
	all := map[string]rule{"functions": {imports: ours("app")}}
	for folder, r := range folders {
		all["internal/"+folder] = r
	}
	return all
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
