package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// switches are compiled into each package. A mutant that turns a loop into an endless one ends it.
const switches = `
import ("os"; "strconv"; "sync"; "sync/atomic")

var mutantChosen, _ = strconv.Atoi(os.Getenv("MUTANT"))
var mutantsReached = os.Getenv("MUTANTS_REACHED")
var mutantsSeen sync.Map
var mutantTurns atomic.Int64

func mutantOn(id int) bool {
	if id == mutantChosen {
		if mutantTurns.Add(1) > 3_000_000 {
			os.Exit(1)
		}
		return true
	}
	if mutantsReached == "" {
		return false
	}
	if _, seen := mutantsSeen.LoadOrStore(id, true); !seen {
		f, _ := os.OpenFile(mutantsReached, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0600)
		f.WriteString(strconv.Itoa(id) + "\n")
		f.Close()
	}
	return false
}

func mutantKeep[T any](id int, value, old T) T {
	if mutantOn(id) {
		return old
	}
	return value
}

func mutantZero[T comparable](id int, value T) (zero T) {
	if value != zero && mutantOn(id) {
		return zero
	}
	return value
}

func mutantValue[T ~string](id int, value T) T {
	if mutantOn(id) {
		return value + "\x00"
	}
	return value
}

func mutantNumber[T ~int | ~int64 | ~int32 | ~uint8 | ~uint](id int, value T) T {
	if mutantOn(id) {
		return value + 97
	}
	return value
}
`

// overlay writes the packages with their switches, and the overlay file by which Go compiles them.
func overlay(dir string, packages []string) (mutants []mutant, err error) {
	replaced := map[string]string{}
	for _, pkg := range packages {
		if err := overlayOf(dir, pkg, replaced, &mutants); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	return mutants, os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o600)
}

func overlayOf(dir, pkg string, replaced map[string]string, mutants *[]mutant) error {
	list, err := exec.Command("go", "list", "-export", "-deps", "-f",
		`{{.ImportPath}} {{.Export}} {{.Dir}} {{join .GoFiles ","}}`, "./"+pkg).Output()
	if err != nil {
		return fmt.Errorf("go list %s: %w", pkg, err)
	}
	exports, last := map[string]string{}, []string{}
	for line := range strings.Lines(string(list)) {
		last = strings.Fields(line)
		if len(last) > 1 {
			exports[last[0]] = last[1]
		}
	}
	fset, files := token.NewFileSet(), []*ast.File{}
	for _, name := range strings.Split(last[3], ",") {
		file, err := parser.ParseFile(fset, filepath.Join(last[2], name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	if _, err := config.Check(last[0], fset, files, info); err != nil {
		return err
	}
	write := func(path string, text []byte) error {
		to := filepath.Join(dir, strconv.Itoa(len(replaced))+".go")
		replaced[path] = to
		return os.WriteFile(to, text, 0o600)
	}
	for _, file := range files {
		path := fset.Position(file.Package).Filename
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r := &rewriter{fset: fset, info: info, pkg: pkg, mutants: mutants, src: src,
			opens: map[int]string{}, closes: map[int]string{}}
		if err := write(path, r.rewrite(file)); err != nil {
			return err
		}
	}
	return write(filepath.Join(last[2], "mutants_switches.go"), []byte("package "+files[0].Name.Name+"\n"+switches))
}

// tests are the compiled tests of a package.
type tests struct {
	dir, binary, pkg string
	names            []string // those that pass, the quickest first
	takes            map[string]time.Duration
	reach            map[string]map[int]bool
}

// compile compiles a package's tests with all switches, and runs each test once to see which mutants it reaches.
func compile(dir, pkg string) (*tests, error) {
	t := &tests{dir: dir, pkg: pkg, binary: filepath.Join(dir, strings.ReplaceAll(pkg, "/", "_")+".test"),
		takes: map[string]time.Duration{}, reach: map[string]map[int]bool{}}
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", filepath.Join(dir, "overlay.json"),
		"-o", t.binary, "./"+pkg)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s does not compile: %s", pkg, out)
	}
	if _, err := os.Stat(t.binary); err != nil {
		return t, nil // it has no tests
	}
	out, err := exec.Command(t.binary, "-test.list", "^(Test|Fuzz)").Output()
	if err != nil {
		return nil, err
	}
	var lock sync.Mutex
	atOnce(strings.Fields(string(out)), func(name string) {
		begun, file := time.Now(), filepath.Join(dir, strings.ReplaceAll(pkg, "/", "_")+"."+name)
		passed := t.run([]string{name}, "MUTANTS_REACHED="+file)
		text, _ := os.ReadFile(file)
		reach := map[int]bool{}
		for _, id := range bytes.Fields(text) {
			n, _ := strconv.Atoi(string(id))
			reach[n] = true
		}
		lock.Lock()
		defer lock.Unlock()
		if !passed {
			fmt.Fprintf(os.Stderr, "%s of %s fails without a mutant, and is left out\n", name, pkg)
			return
		}
		t.takes[name], t.reach[name] = time.Since(begun), reach
	})
	t.names = slices.SortedFunc(maps.Keys(t.takes), func(a, b string) int {
		return cmp.Compare(t.takes[a], t.takes[b])
	})
	return t, nil
}

// survivors returns the mutants that no test notices. Only tests that reach a mutant run, of long ones those
// that take as long together as is allowed; 0 is all.
func (t *tests) survivors(mutants []mutant, atMost time.Duration) (left []mutant) {
	var lock sync.Mutex
	atOnce(mutants, func(m mutant) {
		var names []string
		sum := time.Duration(0)
		for _, name := range t.names {
			if (m.Table || t.reach[name][m.ID]) && (atMost == 0 || sum+t.takes[name] <= atMost) {
				names, sum = append(names, name), sum+t.takes[name]
			}
		}
		if len(names) == 0 || t.run(names, "MUTANT="+strconv.Itoa(m.ID)) {
			lock.Lock()
			defer lock.Unlock()
			left = append(left, m)
		}
	})
	slices.SortFunc(left, func(a, b mutant) int { return a.ID - b.ID })
	return left
}

// run reports whether tests pass. A test that neither passes nor fails for two minutes has failed.
func (t *tests) run(names []string, env string) bool {
	test := exec.Command(t.binary, "-test.run", "^("+strings.Join(names, "|")+")$", "-test.failfast",
		"-test.timeout", "2m")
	test.Dir, test.Env = t.pkg, append(os.Environ(), env)
	return test.Run() == nil
}

// atOnce runs do for all items, two at a time.
func atOnce[T any](items []T, do func(T)) {
	var wait sync.WaitGroup
	places := make(chan bool, 2)
	for _, item := range items {
		places <- true
		wait.Go(func() { do(item); <-places })
	}
	wait.Wait()
}
