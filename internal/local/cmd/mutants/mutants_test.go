package main

import (
	"strings"
	"testing"
)

// What a package's tests do not prove is listed, and nothing else.
func TestSurvivors(t *testing.T) {
	var got strings.Builder
	if err := run(&got, []string{"testdata/small"}, "", 0); err != nil {
		t.Fatal(err)
	}
	want := `testdata/small: 16 mutants, 12 found by its own tests, 0 by stories, 4 by none
  none  testdata/small/small.go:7: Refund is no longer listed
  none  testdata/small/small.go:17: paid is true
  none  testdata/small/small.go:17: amount > 0 if equal, too
  none  testdata/small/small.go:17: amount <= left but not if equal
`
	if got.String() != want {
		t.Errorf("%s\nwant %s", got.String(), want)
	}
}
