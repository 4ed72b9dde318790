package tidy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// plainWords are words that comments don't use, by what they say instead.
var plainWords = map[string]*regexp.Regexp{
	"returns, response": word(`answer\w*`),
	"request to a provider": word(`questions?`,
		`ask(s|ed|ing)? (a|the|its|that|no|another) (provider|connector)s?`),
	"package, API, gateway":               word(`rooms?`, `(front )?doors?`, `house`),
	"encrypted card, Encrypt, Decrypt":    word(`kept cards?`, `OpenKept`),
	"store, replay":                       word(`remember\w*`),
	"lease, acquire":                      word(`tak(e|es|en|ing) (a|its|their) turn`, `stands? behind`),
	"circuit breaker is open":             word(`closed until`),
	"eligible, evaluate, rejected":        word(`judg\w*`, `unfit`),
	"refunded, disputed":                  word(`(take|takes|taken|taking|took|give|gives|given|giving|gave) back`),
	"required action, redirect":           word(`next steps?`, `(send|sends|sending|sent) away`),
	"StatusQuerier, HandleNotification":   word(`Lookuper`, `Noticer`, `TakeNotice`),
	"merge, succeeded, make a call":       word(`learn\w*`, `(carry|carries|carried|carrying) out`),
	"ledger; attempt limit, order suffix": word(`books`, `pace`),
}

// plainNames finds words that no declared name contains.
var plainNames = regexp.MustCompile(
	`(?i:answer|question|judge|unfit|takenback|givenback|carriedout|remember)|Kept$|` +
		`[bB]ooks\b|(^h|H)ouse\b|(^d|D)oor|(^r|R)oom`)

// word matches any of some expressions where they are whole words, in any case.
func word(expressions ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(` + strings.Join(expressions, "|") + `)\b`)
}

// numbered are the wallets' numbers in the specification. Only the catalogue of methods has them, as labels.
var numbered = regexp.MustCompile(`\bW[12]\b`)

func TestWalletsAreCalledByTheirNames(t *testing.T) {
	catalogue := []string{"infra/methods.json", "internal/method/wallet.go", "internal/method/method_test.go"}
	for _, name := range repository(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if numbered.Match(text) && !slices.Contains(append(catalogue, images...), name) {
			t.Errorf("%s: %q: say Apple Pay or Google Pay", name, numbered.Find(text))
		}
	}
}

const maxLine = 120 // characters

func TestPlainWordsAndShortLines(t *testing.T) {
	for _, folder := range []string{"functions", "internal"} {
		read := 0
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") {
				return err
			}
			read++
			return checkWords(t, path)
		})
		if err != nil || read == 0 {
			t.Errorf("%s: %d files read: %v", folder, read, err)
		}
	}
}

func checkWords(t *testing.T, path string) error {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		for say, pattern := range plainWords {
			if found := pattern.FindString(group.Text()); found != "" {
				t.Errorf("%s: %q: say %s", fset.Position(group.Pos()), found, say)
			}
		}
	}
	if !strings.HasSuffix(path, "_test.go") {
		for _, d := range file.Decls {
			checkDocs(t, fset, d)
		}
	}
	for _, name := range declared(file) {
		if plainNames.MatchString(name.Name) {
			t.Errorf("%s: the name %s has a word that is no plain term", fset.Position(name.Pos()), name.Name)
		}
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > maxLine {
			t.Errorf("%s:%d has %d characters", path, number, width)
		}
	}
	return nil
}

// checkDocs checks that a doc comment begins with a name that it is about. Otherwise a rename has forgotten it.
func checkDocs(t *testing.T, fset *token.FileSet, d ast.Decl) {
	t.Helper()
	check := func(doc *ast.CommentGroup, names ...*ast.Ident) {
		words := strings.Fields(doc.Text())
		if len(words) == 0 {
			return
		}
		first := strings.TrimSuffix(strings.TrimRight(words[0], ".,:"), "'s")
		if !slices.ContainsFunc(names, func(n *ast.Ident) bool { return n.Name == first }) {
			t.Errorf("%s: the comment of %s begins with %q", fset.Position(doc.Pos()), names[0].Name, first)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		check(d.Doc, d.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				check(docOf(d, s.Doc), s.Name)
			case *ast.ValueSpec:
				check(docOf(d, s.Doc), s.Names...)
			}
		}
	}
}

// docOf is the doc comment of a declaration's only part. In a declaration in parentheses it is the part's own.
func docOf(d *ast.GenDecl, own *ast.CommentGroup) *ast.CommentGroup {
	if d.Lparen.IsValid() {
		return own
	}
	return d.Doc
}

// declared returns the names that a file declares.
func declared(file *ast.File) (all []*ast.Ident) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			all = append(all, n.Name)
		case *ast.TypeSpec:
			all = append(all, n.Name)
		case *ast.ValueSpec:
			all = append(all, n.Names...)
		case *ast.Field:
			all = append(all, n.Names...)
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE {
					all = append(all, name)
				}
			}
		}
		return true
	})
	return all
}

func TestWordsThatAreNotPlain(t *testing.T) {
	for text, plain := range map[string]bool{
		"Find answers the method with an id.": false, "It was carried out once.": false, "a kept card": false,
		"refunds that were given back": false, "who may enter which room": false, "It judges a request.": false,
		"Find returns the method with an id.": true, "The request was sent once.": true, "a saved card": true,
		"warehouse, bookshop, broom, space": true, "the line is kept short": true, "backdoor": true,
	} {
		found := false
		for _, pattern := range plainWords {
			found = found || pattern.MatchString(text)
		}
		if found == plain {
			t.Errorf("%q is plain: %t", text, !found)
		}
	}
}
