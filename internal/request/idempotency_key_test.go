package request

import (
	"strings"
	"testing"
)

func TestIsIdempotencyKey(t *testing.T) {
	for key, want := range map[string]bool{
		"one 1~": true, strings.Repeat("x", 255): true, strings.Repeat("x", 256): false, "é": false, "a\nb": false,
	} {
		if got := IsIdempotencyKey(key); got != want {
			t.Errorf("%q: %v", key, got)
		}
	}
}
