package method

import (
	"slices"
	"testing"
)

// A value that is stored apart is replaced by a digest in base-64, which has to pass the checks of its row when the
// payer's values join it, and it is read only for payments of a session.
func TestApartRows(t *testing.T) {
	const digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	n := 0
	for _, m := range Methods {
		for _, set := range m.Sets {
			for _, row := range set.Rows {
				if slices.ContainsFunc(row.Rows, func(in Param) bool { return in.Apart }) {
					t.Errorf("%s: a row inside %s is never stored apart", m.ID, row.Name)
				}
				if !row.Apart {
					continue
				}
				n++
				if fault := row.Fault(digest); fault != "" || row.Plain(digest) != digest {
					t.Errorf("%s: a digest as %s: %s", m.ID, row.Name, fault)
				}
				if !slices.Contains(slices.Collect(m.ApartRows()), row.Name) || m.Card {
					t.Errorf("%s %s is not stored apart, or is one of cards, which payouts without a session have", m.ID, row.Name)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no row is stored apart")
	}
}
