package request

import (
	"encoding/json"
	"time"
)

// Recurring is a checked POST /api/v1/payment/recurring (decisions.md 2).
type Recurring struct {
	InitTransID string // recurring_init_trans_id
	Token       string
	Order       Order // without a currency, which is that of the initial payment
	ScheduleID  string
	CustomData  json.RawMessage
	Customer    Customer
	Hash        string

	Number bool // Order.Amount was a JSON number
}

// ReadRecurring checks the fields of a POST /api/v1/payment/recurring, except merchant_key, which was read before. With
// anyNumber, order.number may have any printable characters.
func ReadRecurring(in Reader, anyNumber bool, now time.Time) (Recurring, error) {
	var r Recurring
	r.InitTransID = in.Required("recurring_init_trans_id")
	r.Token = in.Required("recurring_token")
	order := in.Inside("order")
	r.Order.Number = order.Required("number", UpTo(255), orderNumber(anyNumber))
	r.Order.Amount.Text = order.Required("amount", AmountIn(anyCurrency))
	r.Number = order.IsNumber("amount")
	r.Order.Description = order.Required("description", lengthBetween(2, 1024))
	r.ScheduleID = in.Text("schedule_id")
	r.CustomData = in.CustomData()
	r.Customer = in.Customer(now)
	r.Hash = in.Required("hash")
	return r, in.Err()
}
