package main

import (
	"strings"
	"testing"
)

func TestTheCatalogueIsPrinted(t *testing.T) {
	var out strings.Builder
	if err := run("../../../../infra/methods.json", &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"googlepay", "not offered yet", "NarrativeFile", "default 0", "not in GT, PA, CR"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not printed", want)
		}
	}
}
