package request

import (
	"strings"

	"checkout/internal/signature"
)

// Signed is what a hash is made of, one function for each row of decisions.md 3. An amount that was
// not sent is "" and leaves no trace. The merchant's password follows in signHash and verifyHash.
type Signed = []string

// SignedSession is for all four operations.
func SignedSession(o Order) Signed { return Signed{o.Number, o.Amount.Text, o.Currency, o.Description} }

// ReadsAsReturn reports whether the signed text of a session could be that of a customer's return, which
// the payer sees the hash of: whether it begins with the form of a payment id, under any of the
// upper-casings that are accepted (decisions.md 3). Where one field ends and the next begins does not matter.
func ReadsAsReturn(o Order) bool {
	text := strings.Join(SignedSession(o), "")
	return beginsLikePaymentID(string(signature.UpperASCII([]byte(text)))) ||
		!signature.IsASCII([]byte(text)) && (beginsLikePaymentID(signature.UpperFull(text)) ||
			beginsLikePaymentID(strings.ToUpper(text)))
}

// beginsLikePaymentID reports whether a text in upper case begins with the form of a payment id: a UUID
// of version 8.
func beginsLikePaymentID(upper string) bool {
	const form = "hhhhhhhh-hhhh-8hhh-vhhh-hhhhhhhhhhhh"
	if len(upper) < len(form) {
		return false
	}
	for i, c := range []byte(upper[:len(form)]) {
		switch form[i] {
		case 'h':
			if !strings.ContainsRune("0123456789ABCDEF", rune(c)) {
				return false
			}
		case 'v':
			if !strings.ContainsRune("89AB", rune(c)) {
				return false
			}
		default:
			if c != form[i] {
				return false
			}
		}
	}
	return true
}

// SignedPayment is for status by payment_id, void and retry.
func SignedPayment(paymentID string) Signed { return Signed{paymentID} }

// SignedOrder is for status by order_id.
func SignedOrder(orderID string) Signed { return Signed{orderID} }

// SignedAmount is for refund and capture.
func SignedAmount(paymentID, amount string) Signed { return Signed{paymentID, amount} }

// SignedRecurring is for a later payment of a chain; its order has no currency.
func SignedRecurring(initTransID, token string, o Order) Signed {
	return Signed{initTransID, token, o.Number, o.Amount.Text, o.Description}
}

// SignedCallback is for a callback and the customer's return.
func SignedCallback(paymentID string, o Order) Signed {
	return Signed{paymentID, o.Number, o.Amount.Text, o.Currency, o.Description}
}
