package request

import (
	"encoding/json"
	"time"

	"checkout/internal/method"
)

// Recurring is a checked POST /api/v1/payment/recurring (protocol.md, Endpoints).
type Recurring struct {
	InitTransID string // recurring_init_trans_id
	Token       string
	Order       Order // without a currency, which is that of the initial payment
	ScheduleID  string
	CustomData  json.RawMessage
	Customer    Customer
	Hash        string

	Number bool // Order.Amount was a JSON number

	body Reader
}

// ReadRecurring checks the fields of a POST /api/v1/payment/recurring, except merchant_key, which was read before, as
// far as the check is the same for all merchants. Errors: CodeInvalid.
func ReadRecurring(in Reader, now time.Time) (Recurring, error) {
	r := Recurring{body: in}
	r.InitTransID = in.Required("recurring_init_trans_id")
	r.Token = in.Required("recurring_token")
	order := in.Inside("order")
	if !order.Has("number") {
		order.Fail("number", method.TextBlank)
	}
	_, r.Order.Number = order.either("number", plainNumber, anyNumber)
	r.Order.Amount.Text = order.Required("amount", AmountIn(anyCurrency))
	r.Number = order.IsNumber("amount")
	r.Order.Description = order.Required("description", lengthBetween(2, 1024))
	r.ScheduleID = in.Text("schedule_id")
	r.CustomData = in.CustomData()
	r.Customer = in.Customer(now)
	r.Hash = in.Required("hash")
	return r, in.Err()
}

// Stop is a checked POST /api/v1/payment/recurring/stop (protocol.md, Endpoints).
type Stop struct {
	MerchantKey string
	InitTransID string // recurring_init_trans_id
	Token       string
	Hash        string
}

// ReadStop checks the fields of a POST /api/v1/payment/recurring/stop. Errors: CodeInvalid with every fault.
func ReadStop(body []byte) (Stop, error) {
	in, err := Read(body)
	if err != nil {
		return Stop{}, err
	}
	r := Stop{
		MerchantKey: in.Required("merchant_key"), InitTransID: in.Required("recurring_init_trans_id"),
		Token: in.Required("recurring_token"), Hash: in.Required("hash"),
	}
	return r, in.Err()
}

// Check checks what depends on the merchant: order.number, which with anyNumber may have any printable characters.
// Errors: CodeInvalid.
func (r Recurring) Check(anyNumber bool) error { return r.body.errUnder(Rules{AnyNumber: anyNumber}) }
