package request

import (
	"strings"

	"checkout/internal/fault"
)

// IsIdempotencyKey reports whether a text has at most 255 characters, which are printable ASCII.
func IsIdempotencyKey(text string) bool {
	return len(text) <= maxIdempotencyKey && !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
}

// ErrIdempotencyKey returns the error for a key that is not valid, or for another request with the same key.
func ErrIdempotencyKey(text string) *fault.Error {
	return fault.At("Idempotency-Key", text)
}

// maxIdempotencyKey is the most characters of an Idempotency-Key.
const maxIdempotencyKey = 255
