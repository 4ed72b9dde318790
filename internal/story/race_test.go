//go:build race

package story

import "flag"

// rapid's 100 runs of a test are 10 here; a flag of the command line counts more.
func init() {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		panic(err)
	}
}
