package tidy

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What comments and documents name: a member of something, a file with code, and a word with a capital letter within,
// which only code has.
var (
	memberNamed = regexp.MustCompile(`(?:^|[^\w.$/])([A-Za-z]\w*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?\b`)
	fileNamed   = regexp.MustCompile(`(?:^|[^\w*./-])(?:\.\./)*((?:[\w-]+/)*\w[\w.-]*\.(?:go|tsx?|mjs))\b`)
	wordNamed   = regexp.MustCompile(`\b(?:[a-z]+|[A-Z]+[a-z]+)[A-Z]\w*\b`)
)

// ofOthers are words that are no names of this code.
var ofOthers = strings.Fields("AllViewer AllViewerAndCloudFrontHeaders AllViewerExceptHostHeader CachingDisabled " +
	"CachingOptimized CloudTrail EventBridge OriginConnectError OriginDnsError PartiQL RoleSessionName " +
	"SetSourceIdentity SourceIdentity initDurationMs " + // of AWS
	"SignedData SignerInfo SubjectPublicKeyInfo " + // of ASN.1, in RFC 5280 and 5652
	"SpecialCasing ToUpperInvariant " + // a table of Unicode, a method of .NET
	"disallowAdditionalPropertiesIfNotPresent " + // an option of a generator
	"GitHub OpenID TypeScript " + // products, a standard
	"cardCid") // an example of a name in a text that comes from outside

// ofOthersCode are documents about the code of others.
var ofOthersCode = []string{"internal/app/README.md"}

// saying is what a file says beside its code. In a document it is what stands there as code.
type saying struct{ file, text string }

// names are names by what has them.
type names map[string]map[string]bool

func (n names) add(of, name string) {
	if n[of] == nil {
		n[of] = map[string]bool{}
	}
	n[of][name] = true
}

// nameable is what a comment may name.
type nameable struct {
	files    []string
	words    map[string]bool // all that stand outside of comments
	packages names           // what packages declare, fields and methods included
	types    names           // the fields and methods of types
	within   names           // the types that a type is made of or embeds, and that a field of a name has
	others   names           // the packages of others that a file imports
}

// read returns what the repository has that can be named, and what it says.
func read(t *testing.T) (nameable, []saying) {
	t.Helper()
	n := nameable{repository(t), map[string]bool{}, names{}, names{}, names{}, names{}}
	var said []saying
	for _, file := range n.files {
		if slices.Contains(images, file) || slices.Contains(ofOthersCode, file) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		comments, rest := split(file, text)
		said = append(said, saying{file, comments})
		for _, word := range anyWord.FindAllString(rest, -1) {
			n.words[word] = true
		}
		if path.Ext(file) != ".go" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		n.declare(file, parsed)
	}
	return n, said
}

var (
	anyWord    = regexp.MustCompile(`\w+`)
	asCode     = regexp.MustCompile("`[^`\n]+`|(?m:^    .*$)")
	slashed    = regexp.MustCompile(`(?s)/\*.*?\*/|(?:^|\s)//[^\n]*`)
	hashed     = regexp.MustCompile(`(?m)(?:^|\s)#.*$`)
	lineBreaks = regexp.MustCompile(`\\n`)
)

// split returns the comments of a file and the rest.
func split(file string, text []byte) (comments, rest string) {
	marks := hashed
	switch path.Ext(file) {
	case ".go":
		return splitGo(text)
	case ".json", ".html", ".txt", ".php", ".java", ".cs":
		return "", string(text)
	case ".md":
		all := strings.Join(asCode.FindAllString(string(text), -1), "\n")
		return lineBreaks.ReplaceAllString(all, " "), ""
	case ".ts", ".tsx", ".mjs", ".css":
		marks = slashed
	}
	return strings.Join(marks.FindAllString(string(text), -1), "\n"), marks.ReplaceAllString(string(text), "")
}

func splitGo(text []byte) (comments, rest string) {
	var s scanner.Scanner
	var said, others strings.Builder
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, scanner.ScanComments)
	for {
		switch _, tok, literal := s.Scan(); tok {
		case token.EOF:
			return said.String(), others.String()
		case token.COMMENT:
			said.WriteString(literal + "\n")
		default:
			others.WriteString(literal + " ")
		}
	}
}

// declare adds what a Go file declares.
func (n nameable) declare(file string, parsed *ast.File) {
	for _, spec := range parsed.Imports {
		if imported := strings.Trim(spec.Path.Value, `"`); !isIn(imported, "checkout") {
			n.others.add(file, path.Base(imported))
		}
	}
	for _, name := range declared(parsed) {
		n.packages.add(strings.TrimSuffix(parsed.Name.Name, "_test"), name.Name)
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			if node.Recv != nil {
				n.types.add(receiver(node), node.Name.Name)
			}
		case *ast.TypeSpec:
			n.types.add(node.Name.Name, "")
			n.within.add(node.Name.Name, typeName(node.Type))
			ast.Inspect(node.Type, func(inner ast.Node) bool {
				if field, ok := inner.(*ast.Field); ok {
					n.declareField(node.Name.Name, field)
				}
				return true
			})
		}
		return true
	})
}

func (n nameable) declareField(of string, field *ast.Field) {
	name := typeName(field.Type)
	if len(field.Names) == 0 {
		n.types.add(of, name)
		n.within.add(of, name)
	}
	for _, ident := range field.Names {
		n.types.add(of, ident.Name)
		n.within.add(ident.Name, name)
	}
}

// typeName is the name of a type without its package, "" for a type without a name.
func typeName(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// has reports whether a type, or a field of that name, has a field or method. What is not declared here may have any.
func (n nameable) has(of, member string, depth int) bool {
	if n.types[of] == nil {
		return of != "" && types.Universe.Lookup(of) == nil
	}
	return n.types[of][member] || depth < 4 && slices.ContainsFunc(slices.Collect(maps.Keys(n.within[of])),
		func(other string) bool { return n.has(other, member, depth+1) })
}

// missing returns what a text names that is not there.
func (n nameable) missing(said saying) (all []string) {
	for _, found := range fileNamed.FindAllStringSubmatch(said.text, -1) {
		isFile := func(file string) bool { return strings.HasSuffix("/"+file, "/"+found[1]) }
		if !strings.Contains(found[1], "NAME") && !slices.ContainsFunc(n.files, isFile) {
			all = append(all, found[1])
		}
	}
	for _, found := range memberNamed.FindAllStringSubmatch(said.text, -1) {
		of, name, member := found[1], found[2], found[3]
		declares := n.packages[of]
		if declares != nil && !n.others[said.file][of] {
			if !declares[name] || member != "" && !n.has(name, member, 0) {
				all = append(all, strings.TrimSuffix(of+"."+name+"."+member, "."))
			}
		} else if ast.IsExported(of) && !n.has(of, name, 0) {
			all = append(all, of+"."+name)
		}
	}
	for _, word := range wordNamed.FindAllString(said.text, -1) {
		if !n.words[word] && !n.words[strings.TrimSuffix(word, "s")] && !slices.Contains(ofOthers, word) {
			all = append(all, word)
		}
	}
	return all
}

// TestWhatCommentsNameIsThere checks the comments of all files, and what documents show as code, against the code.
func TestWhatCommentsNameIsThere(t *testing.T) {
	n, all := read(t)
	checked := 0
	for _, said := range all {
		checked += len(said.text)
		for _, name := range n.missing(said) {
			t.Errorf("%s: there is no %s", said.file, name)
		}
	}
	if checked < 500_000 || len(n.packages) < 60 {
		t.Errorf("only %d bytes of comments and %d packages were read", checked, len(n.packages))
	}
	for text, want := range map[string]string{
		"it fails with reason.Declined": "", "it fails with reason.Refused": "reason.Refused",
		"see tidy.Check and checked.go.": "", "see about.go": "about.go", "../money/none.ts": "money/none.ts",
		"*settings.MID.Name": "", "settings.MID.Nothing": "settings.MID.Nothing", "template.HTML": "",
		"Capture.Reference": "", "MID.Name": "", "MID.Nothing": "MID.Nothing", "Intl.Collator, *.ts": "", "a NAME.go": "",
		"a new" + "File": "new" + "File", "a nameable": "", "PayPal's MIDs": "",
	} {
		said := saying{"internal/local/adminpage/page_test.go", text}
		if strings.HasPrefix(text, "template.") {
			n.others.add(said.file, "template")
		}
		if got := strings.Join(n.missing(said), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
