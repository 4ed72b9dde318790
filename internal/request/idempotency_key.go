package request

import (
	"strings"
)

// IsIdempotencyKey takes 1 to 255 printable ASCII characters.
func IsIdempotencyKey(text string) bool {
	return len(text) <= maxIdempotencyKey && !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
}

// ErrIdempotencyKey refuses a key, or another request with the same key.
func ErrIdempotencyKey(text string) *Error {
	return Invalid([]Fault{{Code: FaultInvalid, Path: "Idempotency-Key", Text: text}})
}

// maxIdempotencyKey is the most characters of an Idempotency-Key.
const maxIdempotencyKey = 255
