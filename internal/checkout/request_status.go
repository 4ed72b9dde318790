package checkout

// readStatus checks the fields of a POST /api/v1/payment/status (decisions.md 2), in the order of that
// row. With both ids payment_id wins; size is for order_id alone.
// Errors: CodeInvalid with every fault.
func readStatus(body []byte) (StatusRequest, error) {
	in, err := readFields(body)
	if err != nil {
		return StatusRequest{}, err
	}
	var r StatusRequest
	r.MerchantKey = in.required("merchant_key")
	r.Hash = in.required("hash")
	if in.has("order_id") && !in.has("payment_id") {
		r.OrderID = in.text("order_id")
		r.Size = in.integer("size", 0, 1, 100)
	} else {
		r.PaymentID = in.required("payment_id")
	}
	return r, in.err()
}
