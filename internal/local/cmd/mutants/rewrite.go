package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one change of the code. A test that fails while it is switched on kills it.
type mutant struct {
	ID      int
	Package string
	At      string // file:line
	What    string // the code, and what becomes of it
	Table   bool   // of a table that is made before any test begins
}

// rewriter writes a file so that each of its mutants can be switched on. The switch of a condition is asked only where
// the mutant would decide otherwise, so that only tests in which it matters reach it.
type rewriter struct {
	fset    *token.FileSet
	info    *types.Info
	pkg     string
	mutants *[]mutant
	src     []byte
	opens   map[int]string // texts to insert, by their offset
	closes  map[int]string
}

// rewrite returns the file's text with its switches.
func (r *rewriter) rewrite(file *ast.File) []byte {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				ast.Inspect(d.Body, r.visit)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				ast.Inspect(d, r.table)
			}
		}
	}
	var out []byte
	for i := 0; i <= len(r.src); i++ {
		out = append(append(out, r.closes[i]...), r.opens[i]...)
		if i < len(r.src) {
			out = append(out, r.src[i])
		}
	}
	return out
}

func (r *rewriter) offset(p token.Pos) int { return r.fset.Position(p).Offset }

func (r *rewriter) text(n ast.Node) string { return string(r.src[r.offset(n.Pos()):r.offset(n.End())]) }

// add adds a mutant: the texts around n have %d for its id.
func (r *rewriter) add(n ast.Node, open, end, what string) *mutant {
	id := len(*r.mutants) + 1
	at := r.fset.Position(n.Pos())
	code := strings.Join(strings.Fields(r.text(n)), " ")
	*r.mutants = append(*r.mutants, mutant{ID: id, Package: r.pkg,
		At: fmt.Sprintf("%s/%s:%d", r.pkg, filepath.Base(at.Filename), at.Line), What: code + " " + what})
	number := fmt.Sprint(id)
	r.opens[r.offset(n.Pos())] += strings.ReplaceAll(open, "%d", number)
	r.closes[r.offset(n.End())] = strings.ReplaceAll(end, "%d", number) + r.closes[r.offset(n.End())]
	return &(*r.mutants)[id-1]
}

func (r *rewriter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		r.statements(n.List)
	case *ast.CaseClause:
		r.statements(n.Body)
	case *ast.SwitchStmt:
		if n.Tag != nil {
			r.values(n)
		}
	case *ast.IfStmt:
		r.variable(n.Cond)
	case *ast.ForStmt:
		r.variable(n.Cond)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			return r.inside(call)
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			r.variable(e)
		}
	case ast.Expr:
		if call, ok := n.(*ast.CallExpr); ok {
			r.alternatives(call)
		}
		if r.isBool(n) && !r.info.Types[n].Assignable() {
			r.condition(n, true, true)
			return r.inside(n)
		}
	}
	return true
}

// variable adds the mutants of a variable by which something is decided.
func (r *rewriter) variable(e ast.Expr) {
	if e != nil && r.isBool(e) && r.info.Types[e].Assignable() {
		r.condition(e, true, true)
	}
}

// isBool reports whether an expression is true or false.
func (r *rewriter) isBool(e ast.Expr) bool {
	t := r.info.Types[e]
	basic, ok := t.Type.(*types.Basic)
	return ok && t.IsValue() && basic.Info()&types.IsBoolean != 0
}

// inside visits what is in a condition beside its operands, which have their mutants already.
func (r *rewriter) inside(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		for _, x := range []ast.Expr{e.X, e.Y} {
			if r.isBool(x) && r.isBool(e) && (e.Op == token.LAND || e.Op == token.LOR) {
				r.inside(x)
			} else {
				ast.Inspect(x, r.visit)
			}
		}
	case *ast.UnaryExpr:
		r.inside(e.X)
	case *ast.CallExpr:
		ast.Inspect(e.Fun, r.visit)
		for _, arg := range e.Args {
			ast.Inspect(arg, r.visit)
		}
	}
	return false
}

// condition adds what a condition may become: always true or false, without one of its operands, with another border.
func (r *rewriter) condition(e ast.Expr, always, never bool) {
	e = ast.Unparen(e)
	if value := r.info.Types[e].Value; value != nil {
		always, never = value.String() == "false", value.String() == "true"
	}
	if never {
		r.add(e, "(", " && !mutantOn(%d))", "is false")
	}
	if always {
		r.add(e, "(", " || mutantOn(%d))", "is true")
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		r.condition(e.X, false, false)
	case *ast.BinaryExpr:
		equal := "(" + r.text(e.X) + ") == (" + r.text(e.Y) + ") && mutantOn(%d)"
		switch e.Op {
		case token.LAND, token.LOR:
			r.condition(e.X, e.Op == token.LAND, e.Op == token.LOR)
			r.condition(e.Y, e.Op == token.LAND, e.Op == token.LOR)
		case token.LSS, token.GTR:
			r.add(e, "(", " || "+equal+")", "if equal, too")
		case token.LEQ, token.GEQ:
			r.add(e, "(", " && !("+equal+"))", "but not if equal")
		}
	case *ast.CallExpr:
		compare, ok := e.Fun.(*ast.SelectorExpr)
		if ok && len(e.Args) == 1 && (compare.Sel.Name == "Before" || compare.Sel.Name == "After") {
			equal := r.text(compare.X) + ".Equal(" + r.text(e.Args[0]) + ")"
			r.add(e, "(", " || "+equal+" && mutantOn(%d))", "if equal, too")
		}
	}
}

// statements adds mutants in which an assignment or a call is left out.
func (r *rewriter) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || r.text(s.Lhs[0]) == "_" {
				continue
			}
			if len(s.Lhs) == 1 || len(s.Rhs) == 1 {
				r.add(s, "if !mutantOn(%d) { ", " }", "is left out")
				continue
			}
			for i, to := range s.Lhs {
				if value := r.info.Types[s.Rhs[i]]; r.text(to) != "_" && types.Identical(value.Type, r.info.TypeOf(to)) {
					r.add(s.Rhs[i], "mutantKeep(%d, ", ", "+r.text(to)+")", "is not set in "+r.text(to))
				}
			}
		case *ast.IncDecStmt:
			r.add(s, "if !mutantOn(%d) { ", " }", "is left out")
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && r.text(call.Fun) != "panic" {
				r.add(s, "if !mutantOn(%d) { ", " }", "is left out")
			}
		}
	}
}

// values adds mutants in which a switch does not know a value.
func (r *rewriter) values(s *ast.SwitchStmt) {
	for _, clause := range s.Body.List {
		for _, value := range clause.(*ast.CaseClause).List {
			r.value(value)
		}
	}
}

func (r *rewriter) value(e ast.Expr) *mutant {
	t, named := types.Unalias(r.info.TypeOf(e)).(*types.Named)
	if _, literal := e.(*ast.BasicLit); literal || !named {
		return nil
	}
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
		return r.add(e, "mutantValue(%d, ", ")", "is no longer listed")
	} else if ok && basic.Info()&types.IsInteger != 0 {
		return r.add(e, "mutantNumber(%d, ", ")", "is no longer listed")
	}
	return nil
}

// alternatives adds mutants in which one of the values of cmp.Or counts as zero.
func (r *rewriter) alternatives(call *ast.CallExpr) {
	if r.text(call.Fun) != "cmp.Or" {
		return
	}
	for _, arg := range call.Args {
		if r.info.Types[arg].Value == nil {
			r.add(arg, "mutantZero(%d, ", ")", "is left out of "+strings.Join(strings.Fields(r.text(call)), " "))
		}
	}
}

// table adds mutants in which a list of a package's table lacks a value.
func (r *rewriter) table(n ast.Node) bool {
	list, ok := n.(*ast.CompositeLit)
	if function, isFunction := n.(*ast.FuncLit); isFunction {
		ast.Inspect(function.Body, r.visit)
		return false
	}
	if !ok || !slices.ContainsFunc(list.Elts, func(e ast.Expr) bool { _, pair := e.(*ast.KeyValueExpr); return !pair }) {
		return true
	}
	if _, isList := r.info.TypeOf(list).Underlying().(*types.Slice); !isList {
		return true
	}
	for _, value := range list.Elts {
		if _, isName := value.(*ast.Ident); isName {
			if m := r.value(value); m != nil {
				m.Table = true
			}
		}
	}
	return true
}
