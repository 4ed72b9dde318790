package requesttest

import (
	"fmt"
	"strings"
)

// Quoted returns a JSON text of n times s.
func Quoted(n int, s string) string { return `"` + strings.Repeat(s, n) + `"` }

// The texts of faults.
const (
	Blank    = "This value should not be blank."
	NotValid = "This value is not valid."
	Choice   = "The value you selected is not a valid choice."
	BadURL   = "This value is not a valid URL."
	NotAbove = "This value should be greater than 0."
)

// TextsOf returns each of a list as a text.
func TextsOf[T fmt.Stringer](all []T) []string {
	var found []string
	for _, one := range all {
		found = append(found, one.String())
	}
	return found
}
