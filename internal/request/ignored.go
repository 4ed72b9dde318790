package request

import (
	"cmp"
	"slices"

	"checkout/internal/fault"
)

// Ignored returns the paths of members of a session request that nothing reads: those that no operation has, and an
// address for callbacks where the mapping's rules do not read it. Apply comes before.
func (d *Draft) Ignored() (paths []string) {
	paths = unread(d.body, sessionFields)
	for _, name := range addressNames {
		if !d.readsAddress && d.body.Has(name) {
			paths = append(paths, name)
		}
	}
	inside := func(name string) Reader { return d.body.silent().Inside(name) }
	paths = append(paths, unread(inside("order"), orderFields)...)
	paths = append(paths, unread(inside("customer"), customerFields)...)
	paths = append(paths, unread(inside("billing_address"), addressFields)...)
	paths = append(paths, unread(inside("payee"), payeeFields)...)
	return append(paths, unread(inside("payee_billing_address"), addressFields)...)
}

// unread returns the paths of an object's members that none of the fields is.
func unread[T any](in Reader, fields []field[T]) (paths []string) {
	if in.object == nil {
		return nil
	}
	for _, m := range in.object.members {
		if !slices.ContainsFunc(fields, func(f field[T]) bool { return f.name == m.name }) {
			paths = append(paths, in.join(cmp.Or(fault.Printable(m.name, fault.MaxHistoryText), `""`)))
		}
	}
	return paths
}
