package request

import (
	"slices"
	"time"

	"checkout/internal/method"
)

// Draft is a session request that was read by the most tolerant rules, which are enough to route it. Apply then changes
// it to what the rules of its route's mapping accept.
type Draft struct {
	Session
	Sent           Order // the texts of the order as they were sent, valid or not
	AmountIsNumber bool  // order.amount was sent as a JSON number

	checkedName  string   // customer.name, if it is valid by protocol.md, Customer
	allMethods   []string // the methods that were sent and that the service has
	readsAddress bool     // the rules that were applied read NotificationURL

	found       *findings
	known       known
	now         time.Time
	body        Reader
	parameters  Reader   // parameters with the members in bracket notation
	methodFound findings // of methods, which is read early because parameters depend on it
}

// field is a row of the tables of protocol.md, Session request: a member of an object, its checks, and where its value
// is stored.
type field[T any] struct {
	name       string
	operations []method.Operation // that have the field; nil: all. Other operations ignore it
	required   bool
	to         func(*T) *string                   // for a text: where it is stored
	checks     []Check                            // for a text; none: up to 255 characters
	read       func(d *Draft, in Reader, into *T) // for a field that is not simply a text with checks
}

// applies reports whether an operation has the field. An operation that is not valid, which is "", has all fields, so
// that the response names every fault.
func (f *field[T]) applies(operation method.Operation) bool {
	return f.operations == nil || operation == "" || slices.Contains(f.operations, operation)
}

// known tells which methods, schedules and forms a merchant has. An unknown merchant has none.
type known interface {
	HasMethod(id string) bool
	HasPreset(id, row string) bool // whether a MID has a value of a method's parameter
	HasSchedule(id string) bool
	HasForm(id string) bool
}

// read reads the fields of an object.
func read[T any](d *Draft, in Reader, rows []field[T], into *T) {
	for i := range rows {
		row := &rows[i]
		switch {
		case !row.applies(d.Operation):
		case row.read != nil:
			row.read(d, in, into)
		case row.to != nil && row.required:
			*row.to(into) = in.Required(row.name, row.checks...)
		case row.to != nil:
			*row.to(into) = in.Text(row.name, row.checks...)
		}
	}
}

var notTransfer = []method.Operation{method.Purchase, method.Debit, method.Credit}
