package request

import (
	"errors"
	"fmt"
)

// Code says what kind of failure an Error is. Each has one HTTP status, given in internal/api.
type Code int

// The codes of decisions.md 4.
const (
	CodeInternal     Code = iota // anything unforeseen
	CodeInvalid                  // the request's data is invalid
	CodeDuplicate                // same merchant_key and order.number within 15 seconds
	CodeHash                     // unknown merchant_key or wrong hash
	CodeDenied                   // merchant or mapping disabled
	CodeNotFound                 // order, payment or session unknown
	CodeNotAllowed               // operation not allowed in this status
	CodeTooMany                  // over a rate limit
	CodeNotAuthentic             // a notification that is not the provider's
)

// Codes of an errors element; 100000 where no other applies.
const (
	FaultInvalid          = 100000
	FaultNoMapping        = 204002
	FaultOperation        = 204003
	FaultPaymentNotFound  = 208001
	FaultCaptureStatus    = 208003
	FaultCaptureAmount    = 208004
	FaultRefundStatus     = 208005
	FaultRefundAmount     = 208006
	FaultTokenNotFound    = 205005
	FaultTokenExpired     = 205006
	FaultTokenNotMerchant = 205007
)

// Fault is one problem of a request. Path is dotted (order.amount) and empty
// where no field is to blame.
type Fault struct {
	Code int
	Path string
	Text string
}

func (f Fault) String() string {
	if f.Path == "" {
		return f.Text
	}
	return f.Path + ": " + f.Text
}

// Error is every failure that a caller can be told about. Anything else that
// an operation returns is internal and loses its text in the response.
type Error struct {
	Code       Code
	Faults     []Fault // in document order, at least one
	RetryAfter int     // seconds, of CodeTooMany
	First      bool    // a single fault is the top message, too
}

func (e *Error) Error() string {
	if len(e.Faults) == 0 {
		return fmt.Sprintf("checkout error %d", e.Code)
	}
	return e.Faults[0].String()
}

// ErrorCode returns the code of err, CodeInternal if it has none.
func ErrorCode(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// Refuse makes an Error with one fault.
func Refuse(code Code, fault int, text string) *Error {
	return &Error{Code: code, Faults: []Fault{{Code: fault, Text: text}}}
}

// Invalid makes an Error of the code CodeInvalid.
func Invalid(faults []Fault) *Error {
	return &Error{Code: CodeInvalid, Faults: faults}
}

// WithFirst has a single fault's text stand in the top message, too (decisions.md 11, errors). Not that
// of a bad hash: it is the same whether there is such a merchant or not.
func WithFirst(err error, first bool) error {
	if err == nil || !first {
		return err
	}
	var e *Error
	if !errors.As(err, &e) || e.Code == CodeHash || len(e.Faults) != 1 {
		return err
	}
	marked := *e
	marked.First = true
	return &marked
}

// ErrHash is the one response to an unknown merchant_key and to a wrong hash, so that keys can't be probed.
func ErrHash() *Error {
	return &Error{Code: CodeHash, Faults: []Fault{{Code: FaultInvalid, Path: "hash", Text: "Hash is not valid."}}}
}

// ErrDenied refuses a merchant or mapping that is disabled.
func ErrDenied() *Error { return Refuse(CodeDenied, FaultInvalid, "Access denied.") }
