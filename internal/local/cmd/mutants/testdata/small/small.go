// Package small has rules that its tests prove, and some that they don't.
package small

// Kind is what may be left.
type Kind string

var kinds = []Kind{Sale, Refund}

// The kinds.
const (
	Sale   Kind = "sale"
	Refund Kind = "refund"
)

// MayRefund reports whether an amount may be refunded. The tests know no border, and never ask without a payment.
func MayRefund(paid bool, amount, left int) bool {
	return paid && amount > 0 && amount <= left
}

// Known reports whether there is such a kind.
func Known(kind Kind) (known bool) {
	for _, k := range kinds {
		if k == kind {
			known = true
		}
	}
	return known
}
