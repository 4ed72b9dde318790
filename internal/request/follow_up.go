package request

import (
	"checkout/internal/method"
)

// FollowUp is a checked request for a capture, refund, void or retry of a payment (protocol.md, Endpoints).
type FollowUp struct {
	MerchantKey string
	PaymentID   string
	Amount      string // as sent, "" if it was not
	Hash        string
	Number      bool // Amount was a JSON number
}

// ReadFollowUp checks the fields of a FollowUp, with an amount if amount is true. Errors: CodeInvalid with every fault.
func ReadFollowUp(body []byte, amount bool) (FollowUp, error) {
	in, err := Read(body)
	if err != nil {
		return FollowUp{}, err
	}
	r := FollowUp{MerchantKey: in.Required("merchant_key"), PaymentID: in.Required("payment_id")}
	if amount {
		// likely a variable that is not set; it must not mean the whole amount (protocol.md, Requests)
		if in.isBlank("amount") {
			in.Fail("amount", method.TextBlank)
		}
		r.Amount = in.Amount("amount", AmountIn(anyCurrency))
		r.Number = in.IsNumber("amount")
	}
	r.Hash = in.Required("hash")
	return r, in.Err()
}
