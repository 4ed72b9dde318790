package payment

import (
	"slices"

	"checkout/internal/reason"
)

// Transactions are the requests of a payment that have ended, with what its provider did by itself, oldest first.
type Transactions []Transaction

// Ended returns the first transaction of the request with a reference, nil if it has not ended.
func (ts Transactions) Ended(reference string) *Transaction {
	return first(ts, func(t *Transaction) bool {
		return t.Reference == reference && t.Type != EventContradiction
	})
}

// SuccessOf returns the index of the transaction that says that the request with a reference has succeeded, -1 if there
// is none.
func (ts Transactions) SuccessOf(reference string) int {
	return slices.IndexFunc(ts, func(t Transaction) bool {
		return t.Reference == reference && t.Status == Success && t.Type != EventContradiction
	})
}

// WasDeclined reports whether the request with a reference was declined.
func (ts Transactions) WasDeclined(reference string) bool {
	return slices.ContainsFunc(ts, func(t Transaction) bool {
		return t.Reference == reference && t.Status == Fail && t.Type != EventContradiction
	})
}

// Count counts the transactions of a type with a status.
func (ts Transactions) Count(kind EventType, status TransactionStatus) int {
	n := 0
	for _, t := range ts {
		if t.Type == kind && t.Status == status {
			n++
		}
	}
	return n
}

// contradiction returns the report of an outcome of the request with a reference, nil if there was none.
func (ts Transactions) contradiction(reference string, status TransactionStatus) *Transaction {
	return first(ts, func(t *Transaction) bool {
		return t.Type == EventContradiction && t.Reference == reference && t.Status == status
	})
}

// latestContradiction returns the latest report about the request with a reference, nil if there is none.
func (ts Transactions) latestContradiction(reference string) *Transaction {
	return latest(ts, func(t *Transaction) bool {
		return t.Type == EventContradiction && t.Reference == reference
	})
}

// madeElsewhere returns the index of a transaction that was not requested, -1 if none of that type has that id.
func (ts Transactions) madeElsewhere(kind EventType, id string) int {
	return slices.IndexFunc(ts, func(t Transaction) bool {
		return id != "" && t.Type == kind && t.Reference == id
	})
}

// dispute returns the index of the latest chargeback of a dispute, -1 if there is none. Without an id it is the only
// dispute that its provider can tell of.
func (ts Transactions) dispute(id string) int {
	for i, t := range slices.Backward(ts) {
		if t.Type == EventChargeback && (t.Reference == id || id == "") {
			return i
		}
	}
	return -1
}

// unnamedChargeback returns the index of a chargeback that counts and has no id of the provider's, -1 if there is none:
// its provider has given no id, or it was reported while the payment was refunded or voided.
func (ts Transactions) unnamedChargeback() int {
	return slices.IndexFunc(ts, func(t Transaction) bool {
		return t.Type == EventChargeback && t.Status == Success && t.Reference == ""
	})
}

// Full reports whether the payment takes no more transactions that were not requested.
func (ts Transactions) Full() bool { return len(ts) >= maxTransactions }

// refundedElsewhere reports whether the provider has made refunds by itself.
func (ts Transactions) refundedElsewhere() bool {
	return slices.ContainsFunc(ts, func(t Transaction) bool {
		return t.Type == EventRefund && t.Status == Success && t.Elsewhere
	})
}

// EndedBy stores a person's decision with the latest transaction of the request with a reference.
func (ts Transactions) EndedBy(reference string, d Decision, reason *reason.Reason) {
	t := latest(ts, func(t *Transaction) bool { return t.Reference == reference && t.Type != EventContradiction })
	if t != nil {
		*t = t.because(reason)
		d.Coins = nil // the transaction has them
		t.Decision = &d
	}
}
