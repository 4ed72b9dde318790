package listing

import (
	"reflect"
	"testing"
)

// Nothing in a cell is a formula, neither for a spreadsheet of this separator nor for one of another, and codes stay as
// they are.
func TestCells(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Order 7": "Order 7", "-12.50": "-12.50", "a-b=c": "a-b=c", "a@b.example": "a@b.example", "a; b": "a; b",
		"1+1": "1+1", "a;b|c\td": "a;b|c\td", "2026-11-23": "2026-11-23", "a,=b": "a,=b",
		"=1": "'=1", "+1": "'+1", "-1+1": "'-1+1", "@SUM(1)": "'@SUM(1)", "\t=1": "'\t'=1", "\r1": "'\r1",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠1": "'＠1", "−1": "'−1", " =1": "' =1", `"=1`: `'"=1`,
		"a;=1": "a;'=1", "a;;=1": "a;;'=1", "a;\"=1\"": "a;'\"=1\"", "a\t+1": "a\t'+1",
		"a\n@1": "a\n'@1", "a\r\n-1": "a\r\n'-1",
		"0": "0", "0.50": "0.50", "100": "100", "123456789012345": "123456789012345", "00a": "00a", "e5": "e5",
		"007": "'007", "00": "'00", "01.50": "'01.50", "1234567890123456": "'1234567890123456", "12E456": "'12E456",
		"a; ＝1": "a;' ＝1", "a|=1": "a|'=1", "a;\t=1": "a;\t'=1", "=1;=2": "'=1;'=2", "a;-5": "a;'-5",
	} {
		if got := csvCell(reflect.ValueOf(text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
