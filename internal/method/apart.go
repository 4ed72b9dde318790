package method

import "iter"

// ApartFrom is the length from which the value of a row with Apart is stored apart. A shorter one adds at most one
// write unit to each write of a session or payment, and can be found and masked in every text of a provider. A longer
// one is longer than any of these texts that is stored.
const ApartFrom = 1 << 10

// ApartRows returns the names of the method's rows whose long values are stored apart.
func (m Method) ApartRows() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, set := range m.Sets {
			for _, row := range set.Rows {
				if row.Apart && !yield(row.Name) {
					return
				}
			}
		}
	}
}
