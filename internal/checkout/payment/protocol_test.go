package payment

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/internal/request/requesttest"
)

// The first table of Statuses and moves has the moves of the code.
func TestProtocolHasTheMoves(t *testing.T) {
	got := map[Status][]Status{}
	for _, row := range requesttest.ProtocolRows(t, "Statuses and moves") {
		from := Status(strings.Trim(row[0], "`"))
		got[from] = nil
		for to := range strings.SplitSeq(row[1], ", ") {
			if to != "" {
				got[from] = append(got[from], Status(strings.Trim(to, "`")))
			}
		}
	}
	want := maps.Clone(moves)
	want[StatusReversal] = nil
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
}
