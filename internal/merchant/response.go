package merchant

import (
	"encoding/json"
	"strings"

	"checkout/internal/checkout/payment"
	"checkout/internal/reason"
	"checkout/internal/routing"
)

// Response is a response to a merchant, as JSON. It is one of the types below.
type Response interface{ isResponse() }

func (Created) isResponse() {}

func (Accepted) isResponse() {}

func (CaptureResponse) isResponse() {}

func (VoidResponse) isResponse() {}

func (PaymentObject) isResponse() {}

func (StopResponse) isResponse() {}

func (paymentList) isResponse() {}

func (explainResponse) isResponse() {}

func (storedResponse) isResponse() {}

// storedResponse is the response to the first request with an Idempotency-Key, as it was sent.
type storedResponse struct{ json.RawMessage }

// explainResponse is the response of Explain.
type explainResponse struct{ routing.Explanation }

// paymentList is a list of the payments of one order, newest first.
type paymentList []PaymentObject

// Created is the response to a new session.
type Created struct {
	RedirectURL string `json:"redirect_url"`
}

// Accepted is the response to a request that is executed later. The outcome follows in a callback.
type Accepted struct {
	PaymentID string `json:"payment_id"`
	Result    string `json:"result"` // accepted
}

func accepted(paymentID string) Accepted { return Accepted{paymentID, "accepted"} }

// CaptureResponse is the response to a capture. Status is the payment's.
type CaptureResponse struct {
	PaymentID   string         `json:"payment_id"`
	Status      payment.Status `json:"status"`
	TransStatus string         `json:"trans_status"` // SUCCESS, FAIL, or WAITING while the outcome is not known
	Date        string         `json:"date"`         // YYYY-MM-DD hh:mm:ss, UTC
}

func captureResponse(p *payment.Payment, end payment.Transaction) CaptureResponse {
	r := CaptureResponse{p.ID, payment.StatusPending, transStatus(end), payment.Timestamp(end.Date)}
	if end.Status == payment.Success {
		r.Status = payment.StatusSettled
	}
	return r
}

// VoidResponse is the response to a void. Status and PaymentStatus are both the payment's.
type VoidResponse struct {
	PaymentID     string         `json:"payment_id"`
	Status        payment.Status `json:"status"`
	TransStatus   string         `json:"trans_status"` // SUCCESS, FAIL, or WAITING while the outcome is not known
	PaymentStatus payment.Status `json:"payment_status"`
	Date          string         `json:"date"` // YYYY-MM-DD hh:mm:ss, UTC
	Reason        string         `json:"reason,omitempty"`
	ReasonCode    reason.Code    `json:"reason_code,omitempty"`
	Order         OrderObject    `json:"order"`
}

func voidResponse(p *payment.Payment, end payment.Transaction) VoidResponse {
	status := p.Status
	if end.Status == payment.Success {
		status = payment.StatusVoid
	}
	return VoidResponse{
		PaymentID: p.ID, Status: status, TransStatus: transStatus(end), PaymentStatus: status,
		Date:   payment.Timestamp(end.Date),
		Reason: end.Reason, ReasonCode: end.ReasonCode, Order: orderObject(p.Order),
	}
}

// transStatus returns the trans_status of a transaction.
func transStatus(end payment.Transaction) string {
	if end.Status == "" {
		return "WAITING"
	}
	return strings.ToUpper(string(end.Status))
}

// StopResponse is the response to a stop of a chain's schedule.
type StopResponse struct {
	InitTransID string `json:"recurring_init_trans_id"`
	Result      string `json:"result"` // stopped, or already_stopped if nothing was due anyway
}
