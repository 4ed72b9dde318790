package listing

import (
	"reflect"
	"testing"
)

// Nothing in a cell is a formula, neither for a spreadsheet of this separator nor for one of another.
func TestCells(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Order 7": "Order 7", "-12.50": "-12.50", "a-b=c": "a-b=c", "a@b.example": "a@b.example", "a; b": "a; b",
		"1+1": "1+1", "a;b|c\td": "a;b|c\td", "2026-11-23": "2026-11-23", "a,=b": "a,=b",
		"=1": "'=1", "+1": "'+1", "-1+1": "'-1+1", "@SUM(1)": "'@SUM(1)", "\t=1": "'\t'=1", "\r1": "'\r1",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠1": "'＠1", "−1": "'−1", " =1": "' =1", `"=1`: `'"=1`,
		"a;=1": "a;'=1", "a;;=1": "a;;'=1", "a;\"=1\"": "a;'\"=1\"", "a\t+1": "a\t'+1",
		"a\n@1": "a\n'@1", "a\r\n-1": "a\r\n'-1",
		"a; ＝1": "a;' ＝1", "a|=1": "a|'=1", "a;\t=1": "a;\t'=1", "=1;=2": "'=1;'=2", "a;-5": "a;'-5",
	} {
		if got := cell(reflect.ValueOf(text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
