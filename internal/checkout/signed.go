package checkout

import "strings"

// signed is what a hash is made of, one function for each row of decisions.md 3. An amount that was
// not sent is "" and leaves no trace. The merchant's password follows in signHash and verifyHash.
type signed = []string

// signedSession is for all four operations.
func signedSession(o Order) signed { return signed{o.Number, o.Amount, o.Currency, o.Description} }

// readsAsReturn reports whether the signed text of a session could be that of a customer's return, which
// the payer sees the hash of: whether it begins with the form of a payment id, under any of the
// upper-casings that are accepted (decisions.md 3). Where one field ends and the next begins does not matter.
func readsAsReturn(o Order) bool {
	text := strings.Join(signedSession(o), "")
	return beginsLikePaymentID(string(upperASCII([]byte(text)))) ||
		!isASCII([]byte(text)) && (beginsLikePaymentID(upperFull(text)) || beginsLikePaymentID(strings.ToUpper(text)))
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

// signedPayment is for status by payment_id, void and retry.
func signedPayment(paymentID string) signed { return signed{paymentID} }

// signedOrder is for status by order_id.
func signedOrder(orderID string) signed { return signed{orderID} }

// signedAmount is for refund and capture.
func signedAmount(paymentID, amount string) signed { return signed{paymentID, amount} }

// signedRecurring is for a later payment of a chain; its order has no currency.
func signedRecurring(initTransID, token string, o Order) signed {
	return signed{initTransID, token, o.Number, o.Amount, o.Description}
}

// signedCallback is for a callback and the customer's return.
func signedCallback(paymentID string, o Order) signed {
	return signed{paymentID, o.Number, o.Amount, o.Currency, o.Description}
}
