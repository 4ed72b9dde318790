package stack

import (
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/tidy"
)

// analysed returns the packages whose code is followed from the handler of a function, every connector's among them.
func analysed(t *testing.T) []string {
	t.Helper()
	all := []string{
		"internal/app/function", "internal/app/queues", "internal/app/providers", "internal/app/callbacks",
		"internal/app/pages", "internal/app/wallets", "internal/app/guards", "internal/app/indexes", "internal/api",
		"internal/operator", "internal/operator/guard", "internal/operator/listing", "internal/operator/archive",
		"internal/queue", "internal/payer", "internal/merchant", "internal/worker", "internal/worker/sweep", "internal/audit",
		"internal/checkout", "internal/routing", "internal/settings",
		"internal/callback", "internal/card", "internal/request", "internal/metric", "internal/store",
		"internal/store/stream", "internal/connector", "internal/app/archives",
	}
	for _, name := range folders(t, filepath.Join(root, "internal", "connector")) {
		if name != "conformance" { // which is tests
			all = append(all, "internal/connector/"+name)
		}
	}
	return all
}

// calls is a graph of the names in the analysed packages. A node is a function, method, package variable or field by
// its full name. Code that names a function counts as calling it, so the graph has more calls than are made, never
// fewer.
type calls struct {
	edges      map[string]map[string]bool
	types      map[string]map[string]string // of concrete types, the full names of methods by their signatures
	interfaces map[string][]string          // signatures of their methods
	signatures map[string]string            // of interfaces' methods, by their full names
	ports      map[string]bool              // interfaces that the service has in its fields
	fields     map[string]bool              // all other exported fields of the service, and those of the API
	ofRoutes   map[string]bool              // types of the API that are named
}

// readCalls type-checks the analysed packages from their source, and what they import from the compiler's export data.
func readCalls(t *testing.T) *calls {
	t.Helper()
	c := &calls{
		edges: map[string]map[string]bool{}, types: map[string]map[string]string{}, interfaces: map[string][]string{},
		signatures: map[string]string{},
		ports:      map[string]bool{}, fields: map[string]bool{}, ofRoutes: map[string]bool{},
	}
	exports := tidy.ExportData(t, root)
	for _, dir := range analysed(t) {
		p := tidy.Check(t, root, dir, exports)
		c.readInterfaces(p.Types)
		c.readFields(p.Types, withPorts[dir])
		for _, file := range p.Files {
			c.readFile(file, p.Info)
		}
	}
	return c
}

// withPorts are the types whose fields are what a function is given, by folder.
var withPorts = map[string]string{
	"internal/checkout": "Core", "internal/payer": "Service", "internal/merchant": "Service", "internal/worker": "Service",
	"internal/operator": "Service", "internal/api": "API",
}

// readFile adds what every declaration of a file names.
func (c *calls) readFile(file *ast.File, info *types.Info) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f := info.Defs[d.Name].(*types.Func)
			if d.Recv != nil {
				of := receiverOf(f.FullName())
				if c.types[of] == nil {
					c.types[of] = map[string]string{}
				}
				c.types[of][signature(f)] = f.FullName()
			}
			if d.Body != nil {
				c.readNode(f.FullName(), d.Body, info)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					c.readVariables(v, info)
				}
			}
		}
	}
}

// receiverOf is the type in a method's full name, such as (*package.Type).Method.
func receiverOf(method string) string {
	of, _, ok := strings.Cut(strings.TrimLeft(method, "(*"), ")")
	if !ok {
		return ""
	}
	return of
}

// readInterfaces adds the methods of a package's interfaces.
func (c *calls) readInterfaces(p *types.Package) {
	for _, name := range p.Scope().Names() {
		if i, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				c.interfaces[p.Path()+"."+name] = append(c.interfaces[p.Path()+"."+name], signature(m))
				c.signatures[m.FullName()] = signature(m)
			}
		}
	}
}

// readFields adds the fields of the service or the API.
func (c *calls) readFields(p *types.Package, name string) {
	object := p.Scope().Lookup(name)
	if object == nil {
		return
	}
	for f := range object.Type().Underlying().(*types.Struct).Fields() {
		named, ok := f.Type().(*types.Named)
		switch {
		case !f.Exported():
		case name != "API" && ok && types.IsInterface(named) && named.Obj().Pkg() != nil:
			c.ports[named.Obj().Pkg().Path()+"."+named.Obj().Name()] = true
		default:
			c.fields[p.Path()+"."+name+"."+f.Name()] = true
		}
	}
}

// signature is a method's name and the types of its parameters and results.
func signature(f *types.Func) string {
	text := f.Name()
	for _, tuple := range []*types.Tuple{f.Signature().Params(), f.Signature().Results()} {
		text += " :"
		for v := range tuple.Variables() {
			text += " " + v.Type().String()
		}
	}
	return text
}

// handles is the method that routes have in common. Each function has some routes, of some types.
const handles = "(checkout/internal/api.handler).handle"

// next returns the nodes that a node leads to. A method of an interface leads to that of every type that has all
// methods of the interface, and handles to those of types that are reached.
func (c *calls) next(node string, reached map[string]string) []string {
	list := slices.Collect(maps.Keys(c.edges[node]))
	if c.signatures[node] == "" {
		return list
	}
	for name, methods := range c.types {
		plain, _, _ := strings.Cut(name, "[") // without parameters of the type
		if node == handles && reached[plain] == "" {
			continue
		}
		if !slices.ContainsFunc(c.interfaces[receiverOf(node)],
			func(signature string) bool { return methods[signature] == "" }) {
			list = append(list, methods[c.signatures[node]])
		}
	}
	return list
}

// readVariables adds what the values of package variables name.
func (c *calls) readVariables(v *ast.ValueSpec, info *types.Info) {
	for i, name := range v.Names {
		object, ok := info.Defs[name].(*types.Var)
		if !ok || len(v.Values) == 0 {
			continue
		}
		value := v.Values[min(i, len(v.Values)-1)]
		c.readNode(object.Pkg().Path()+"."+object.Name(), value, info)
	}
}

// function is the node of a function: the variable with its parts and its handler.
func (c *calls) function(t *testing.T, name string) string {
	t.Helper()
	variable := regexp.MustCompile(`^checkout/internal/app/\w+\.` + exported(name) + `$`)
	for node := range c.edges {
		if variable.MatchString(node) {
			return node
		}
	}
	t.Fatalf("no variable of the packages in internal/app is the function %s", name)
	return ""
}

// readNode adds edges from a node to everything that a piece of code names. A field that functions are assigned to
// leads to what is assigned.
func (c *calls) readNode(from string, code ast.Node, info *types.Info) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			c.readName(from, info.Uses[n])
		case *ast.SelectorExpr:
			if field := fieldName(n, info); field != "" {
				c.add(from, field)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				selector, ok := left.(*ast.SelectorExpr)
				if ok && len(n.Lhs) == len(n.Rhs) && isFunction(selector, info) {
					c.readNode(fieldName(selector, info), n.Rhs[i], info)
				}
			}
		case *ast.CallExpr:
			if getsMany(n, info) {
				c.add(from, storeGet+" of many")
			}
		}
		return true
	})
}

func (c *calls) readName(from string, object types.Object) {
	switch object := object.(type) {
	case *types.Func:
		c.add(from, object.Origin().FullName())
	case *types.Var:
		if object.Pkg() != nil && object.Parent() == object.Pkg().Scope() {
			c.add(from, object.Pkg().Path()+"."+object.Name())
		}
	case *types.TypeName:
		if object.Pkg() != nil && object.Pkg().Path()+"." == apis {
			c.add(from, apis+object.Name())
			c.ofRoutes[apis+object.Name()] = true
		}
	}
}

func (c *calls) add(from, to string) {
	if c.edges[from] == nil {
		c.edges[from] = map[string]bool{}
	}
	c.edges[from][to] = true
}

// fieldName is the full name of a selected field of one of the service's named types, "" for anything else.
func fieldName(n *ast.SelectorExpr, info *types.Info) string {
	s := info.Selections[n]
	if s == nil || s.Kind() != types.FieldVal {
		return ""
	}
	of := pointedTo(s.Recv())
	for _, i := range s.Index()[:len(s.Index())-1] { // through embedded structs
		of = pointedTo(of.Underlying().(*types.Struct).Field(i).Type())
	}
	named, ok := of.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !strings.HasPrefix(named.Obj().Pkg().Path(), "checkout/") {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name() + "." + s.Obj().Name()
}

func pointedTo(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func isFunction(n *ast.SelectorExpr, info *types.Info) bool {
	s := info.Selections[n]
	if s == nil || s.Kind() != types.FieldVal {
		return false
	}
	_, ok := s.Type().Underlying().(*types.Signature)
	return ok
}

const storeGet = "(checkout/internal/store.Store).Get"

// getsMany reports whether a call is a Store.Get of more than one key, which is another DynamoDB request.
func getsMany(n *ast.CallExpr, info *types.Info) bool {
	selector, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[selector.Sel].(*types.Func)
	return ok && f.FullName() == storeGet && (n.Ellipsis.IsValid() || len(n.Args) != 3)
}

// reach returns every node that the roots lead to, and the path to each. Nodes that are ends are not followed.
func (c *calls) reach(ends func(node string) bool, roots ...string) map[string]string {
	reached, queue := map[string]string{}, slices.Clone(roots)
	for _, root := range roots {
		reached[root] = short(root)
	}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		if ends(node) {
			continue
		}
		for _, next := range sorted(c.next(node, reached)) {
			if reached[next] != "" {
				continue
			}
			reached[next] = reached[node] + " > " + short(next)
			queue = append(queue, next)
			if c.ofRoutes[next] && reached[handles] != "" {
				queue = append(queue, handles) // it leads to the methods of this type, too
			}
		}
	}
	return reached
}

func short(node string) string { return strings.ReplaceAll(node, "checkout/internal/", "") }
