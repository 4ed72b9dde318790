package checkout

import (
	"encoding/json"

	"checkout/internal/merchant"
)

// Response is what a merchant's request gets back, as JSON. It is one of the types below.
type Response interface{ isResponse() }

func (Created) isResponse()        {}
func (Accepted) isResponse()       {}
func (CaptureAnswer) isResponse()  {}
func (VoidAnswer) isResponse()     {}
func (PaymentObject) isResponse()  {}
func (PaymentList) isResponse()    {}
func (explained) isResponse()      {}
func (storedResponse) isResponse() {}

// storedResponse is the response to the first request with an Idempotency-Key, as it was sent.
type storedResponse struct{ json.RawMessage }

// explained is the response of Explain.
type explained struct{ merchant.Explanation }

// PaymentList are payments of one order, newest first.
type PaymentList []PaymentObject
