package request

import (
	"strings"

	"checkout/internal/signature"
)

// Signed are the texts that a hash is made of, in this order. There is one function for each row of protocol.md,
// Hashes. An amount that was not sent is "". signature.Key appends the merchant's password.
type Signed = []string

// SignedSession returns the texts of a session, for all four operations.
func SignedSession(o Order) Signed { return Signed{o.Number, o.Amount.Text, o.Currency, o.Description} }

// ReadsAsReturn reports whether the signed text of a session could be that of a customer's return, whose hash the payer
// can see: whether it begins with the form of a payment id, with any of the accepted upper-casings (protocol.md,
// Hashes). The fields are joined without separators, so it does not matter where one ends.
func ReadsAsReturn(o Order) bool {
	text := strings.Join(SignedSession(o), "")
	return beginsLikePaymentID(string(signature.UpperASCII([]byte(text)))) ||
		!signature.IsASCII([]byte(text)) && (beginsLikePaymentID(signature.UpperFull(text)) ||
			beginsLikePaymentID(strings.ToUpper(text)))
}

// beginsLikePaymentID reports whether a text in upper case begins with the form of a payment id: a UUID of version 8.
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

// SignedPayment returns the text of a status by payment_id, a void or a retry.
func SignedPayment(paymentID string) Signed { return Signed{paymentID} }

// SignedOrder returns the text of a status by order_id.
func SignedOrder(orderID string) Signed { return Signed{orderID} }

// SignedAmount returns the texts of a refund or a capture.
func SignedAmount(paymentID, amount string) Signed { return Signed{paymentID, amount} }

// SignedRecurring returns the texts of a recurring payment, whose order has no currency.
func SignedRecurring(initTransID, token string, o Order) Signed {
	return Signed{initTransID, token, o.Number, o.Amount.Text, o.Description}
}

// SignedStop returns the texts of a stop of a chain's schedule.
func SignedStop(initTransID, token string) Signed { return Signed{initTransID, token} }

// SignedCallback returns the texts of a callback or a customer's return.
func SignedCallback(paymentID string, o Order) Signed {
	return Signed{paymentID, o.Number, o.Amount.Text, o.Currency, o.Description}
}
