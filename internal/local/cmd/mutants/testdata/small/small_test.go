package small

import "testing"

func TestMayRefund(t *testing.T) {
	if !MayRefund(true, 3, 10) || MayRefund(true, 11, 10) || MayRefund(true, -1, 10) {
		t.Fail()
	}
}

func TestKnown(t *testing.T) {
	if !Known(Sale) || Known("void") {
		t.Fail()
	}
}
