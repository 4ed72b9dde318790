// Package fault has the error that a caller is told, with its code and the places that are wrong, and what may be
// logged or shown: the note of a log line, the owner of a document, texts without what can't be printed.
package fault

import (
	"errors"
	"fmt"
)

// Code says what kind of failure an Error is. Each has one HTTP status, given in internal/api.
type Code int

// The codes of protocol.md, Errors.
const (
	CodeInternal     Code = iota // an unexpected error
	CodeInvalid                  // the request's data is invalid
	CodeDuplicate                // same merchant_key and order.number within 15 seconds
	CodeHash                     // unknown merchant_key or wrong hash
	CodeDenied                   // merchant or mapping disabled
	CodeNotFound                 // order, payment or session unknown
	CodeNotAllowed               // operation not allowed in this status
	CodeTooMany                  // over a rate limit
	CodeNotAuthentic             // a notification that is not the provider's
	CodeNotReady                 // the first minute of a new deployment
	CodeTooEarly                 // a notification of what comes before the success that it follows
	CodeSignedOut                // no session of an operator
	CodeConflict                 // settings were changed since the caller has read them
)

// The error_code of an element of errors. NumberInvalid is used where no other one applies.
const (
	NumberInvalid          = 100000
	NumberNoMapping        = 204002
	NumberOperation        = 204003
	NumberPaymentNotFound  = 208001
	NumberCaptureStatus    = 208003
	NumberCaptureAmount    = 208004
	NumberRefundStatus     = 208005
	NumberRefundAmount     = 208006
	NumberTokenNotFound    = 205005
	NumberTokenExpired     = 205006
	NumberTokenNotMerchant = 205007
)

// Fault is one fault of a request.
type Fault struct {
	Number int    // one of the numbers above
	Path   string // such as order.amount; "" if the fault is not in a field
	Text   string
}

func (f Fault) String() string {
	if f.Path == "" {
		return f.Text
	}
	return f.Path + ": " + f.Text
}

// Error is an error that is sent to the caller. The text of other errors is internal and is not in the response.
type Error struct {
	Code       Code
	Faults     []Fault // in document order, at least one
	RetryAfter int     // seconds, of CodeTooMany and CodeNotReady
	First      bool    // the text of a single fault is the top error_message, too

	// Hint is told as JSON, nil for none: with a test key what was signed, of CodeHash, or which preset takes the request,
	// of CodeInvalid; of CodeConflict what was changed.
	Hint any
}

func (e *Error) Error() string {
	if len(e.Faults) == 0 {
		return fmt.Sprintf("checkout error %d", e.Code)
	}
	return e.Faults[0].String()
}

// CodeOf returns the code of err, CodeInternal if it has none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// Of returns a fault of what stands at a path.
func Of(path, text string) Fault { return Fault{Number: NumberInvalid, Path: path, Text: text} }

// Refuse returns an Error with one fault, which is in no field.
func Refuse(code Code, text string) *Error { return RefuseAs(code, NumberInvalid, text) }

// RefuseAs is Refuse for a fault with a number of its own.
func RefuseAs(code Code, number int, text string) *Error {
	return &Error{Code: code, Faults: []Fault{{Number: number, Text: text}}}
}

// Invalid returns an Error with CodeInvalid.
func Invalid(faults []Fault) *Error { return &Error{Code: CodeInvalid, Faults: faults} }

// At returns an Error with CodeInvalid and one fault.
func At(path, text string) *Error { return Invalid([]Fault{Of(path, text)}) }

// WithFirst sets First of an error with a single fault, if first is true (protocol.md, Plugins as they are). It does
// not for CodeHash, whose response has to be the same for known and unknown merchants.
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

// ErrHash returns the error for an unknown merchant_key and for a wrong hash. It is the same for both, so that nobody
// can find out which keys exist.
func ErrHash() *Error {
	return &Error{Code: CodeHash, Faults: []Fault{Of("hash", "Hash is not valid.")}}
}

// ErrDenied returns the error for a merchant or mapping that is disabled.
func ErrDenied() *Error { return Refuse(CodeDenied, "Access denied.") }
