package request

// Status is a checked POST /api/v1/payment/status.
type Status struct {
	MerchantKey string
	PaymentID   string
	OrderID     string
	Size        int // 0: not sent
	Hash        string
}

// ReadStatus checks the fields of a POST /api/v1/payment/status (protocol.md, Endpoints), in the order of that row. If
// both ids are sent, only payment_id is used; size is only used with order_id. Errors: CodeInvalid with every fault.
func ReadStatus(body []byte) (Status, error) {
	in, err := Read(body)
	if err != nil {
		return Status{}, err
	}
	var r Status
	r.MerchantKey = in.Required("merchant_key")
	r.Hash = in.Required("hash")
	if in.Has("order_id") && !in.Has("payment_id") {
		r.OrderID = in.Text("order_id")
		r.Size = in.integer("size", 0, 1, 100)
	} else {
		r.PaymentID = in.Required("payment_id")
	}
	return r, in.Err()
}
