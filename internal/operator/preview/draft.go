package preview

import (
	"cmp"
	"slices"

	"checkout/internal/checkout"
	"checkout/internal/settings"
)

// mostExamples is how many sessions illustrate a count.
const mostExamples = 3

// draft is a change of a merchant's settings, with the sessions that both are evaluated for, the latest first.
type draft struct {
	before, after *settings.Merchant
	sessions      []compared
}

// newDraft evaluates sessions, whose order makes no difference.
func newDraft(before, after *settings.Merchant, sessions []*checkout.Session) draft {
	d := draft{before: before, after: after}
	for _, sess := range sessions {
		c := compared{sess, outcomeOf(before, sess), outcomeOf(after, sess)}
		if hasMapping(before, sess.Mapping) && !hasMapping(after, sess.Mapping) {
			c.after = outcome{refused: &mappingRemoved}
		}
		d.sessions = append(d.sessions, c)
	}
	slices.SortFunc(d.sessions, func(a, b compared) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return d
}

func hasMapping(m *settings.Merchant, name string) bool {
	return slices.ContainsFunc(m.Mappings, func(mapping settings.Mapping) bool { return mapping.Name == name })
}

// change returns the sessions that the draft changes in a way.
func (d draft) change(is func(compared) bool) Change {
	change := Change{Examples: []Example{}}
	for _, c := range d.sessions {
		if !is(c) {
			continue
		}
		if change.Count++; len(change.Examples) < mostExamples {
			change.Examples = append(change.Examples, c.example(d.before, d.after))
		}
	}
	return change
}
