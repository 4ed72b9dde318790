package method

// Operation is the kind of a payment (protocol.md, Common fields).
type Operation string

// The operations.
const (
	Purchase Operation = "purchase" // a payment
	Debit    Operation = "debit"    // a charge, such as one of a saved card
	Credit   Operation = "credit"   // a payout
	Transfer Operation = "transfer" // from one person to another
)

// Operations lists all operations.
var Operations = []Operation{Purchase, Debit, Credit, Transfer}
