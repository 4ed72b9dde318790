package request

import (
	"strings"
	"testing"
)

// A session whose signed text begins like a payment id could be signed with the hash of a return.
func TestReadsAsReturn(t *testing.T) {
	const id = "e9942f2c-f795-82e7-832a-0052b109abcd"
	for _, test := range []struct {
		order Order
		want  bool
	}{
		{Order{Number: "pen-1", Amount: Amount{Text: "10.00"}, Currency: "USD", Description: "A pen"}, false},
		{Order{Number: id + "pen-1", Amount: Amount{Text: "10.00"}, Currency: "USD", Description: "A pen"}, true},
		{Order{Number: strings.ToUpper(id), Amount: Amount{Text: "10.00"}, Currency: "USD", Description: "A pen"}, true},
		{Order{Number: id[:35], Amount: Amount{Text: "10.00"}, Currency: "USD", Description: "A pen"}, true},
		// the amount ends it
		{Order{Number: id[:26], Amount: Amount{Text: "52"}, Currency: "B109AB", Description: "CD and more"}, true},
		{Order{Number: id[:26], Amount: Amount{Text: ""}, Currency: "B109AB", Description: "12cd and more"}, true},
		{Order{Number: id[:20], Amount: Amount{Text: "8.00"}, Currency: "USD", Description: "A pen"}, false},
		{Order{Number: "e9942f2c-f795-42e7-832a-0052b109abcd", Amount: Amount{Text: "10.00"}, Currency: "USD",
			Description: "A pen"}, false}, // a UUID of version 4 is a fine order number
		{Order{Number: "e9942f2c-f795-82e7-c32a-0052b109abcd", Amount: Amount{Text: "10.00"}, Currency: "USD",
			Description: "A pen"}, false},
		{Order{Number: "xe9942f2c-f795-82e7-832a-0052b109abcd", Amount: Amount{Text: "10.00"}, Currency: "USD",
			Description: "A pen"}, false},
		{Order{Number: id[:26], Amount: Amount{Text: ""}, Currency: "B109AB", Description: "1ﬀ1 and more"}, true},
		// a ligature is two letters in upper case
		{Order{Number: id[:26], Amount: Amount{Text: ""}, Currency: "B109AB", Description: "ﬀ and more"}, false},
	} {
		if got := ReadsAsReturn(test.order); got != test.want {
			t.Errorf("%q: %v", test.order, got)
		}
	}
}
