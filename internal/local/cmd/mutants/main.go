// Command mutants finds rules that no test proves. It changes a condition, assignment or value of a package at a time,
// runs the package's own tests and then the stories that reach the change, and lists what no test has noticed. All
// changes are compiled at once, each with a switch.
//
//	mutants [-only TEXT] [-stories DURATION] PACKAGE...
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "only mutants whose line or text has this")
	stories := flag.Duration("stories", 20*time.Second, "how long stories take that a mutant is shown to")
	flag.Parse()
	if err := run(os.Stdout, flag.Args(), *only, *stories); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run tries the packages, which are paths from here, and writes what no test notices.
func run(out io.Writer, packages []string, only string, atMost time.Duration) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mutants, err := overlay(dir, packages)
	if err != nil {
		return err
	}
	left := map[string][]mutant{}
	for _, m := range mutants {
		if strings.Contains(m.At+" "+m.What, only) {
			left[m.Package] = append(left[m.Package], m)
		}
	}
	var stories *tests
	for _, pkg := range packages {
		own, err := compile(dir, pkg)
		if err != nil {
			return err
		}
		unproved := own.survivors(left[pkg], 0)
		byOwn, survivors := len(left[pkg])-len(unproved), unproved
		if atMost > 0 && len(unproved) > 0 {
			if stories == nil {
				if stories, err = compile(dir, filepath.Join("internal", "local", "story")); err != nil {
					return err
				}
			}
			survivors = stories.survivors(unproved, atMost)
		}
		fmt.Fprintf(out, "%s: %d mutants, %d found by its own tests, %d by stories, %d by none\n",
			pkg, len(left[pkg]), byOwn, len(unproved)-len(survivors), len(survivors))
		list(out, unproved, survivors)
	}
	return nil
}

// list writes what a package's own tests do not notice.
func list(out io.Writer, unproved, survivors []mutant) {
	by := map[int]bool{}
	for _, m := range survivors {
		by[m.ID] = true
	}
	for _, m := range unproved {
		who := "story"
		if by[m.ID] {
			who = "none "
		}
		fmt.Fprintf(out, "  %s %s: %s\n", who, m.At, m.What)
	}
}
