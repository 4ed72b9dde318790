package endpoint

import (
	"fmt"
	"strings"
	"testing"
)

func TestTransactionUnits(t *testing.T) {
	put := func(n int) string { return fmt.Sprintf(`{"Put":{"Item":{"pk":{"S":"%s"}}}}`, strings.Repeat("x", n)) }
	for _, c := range []struct {
		items string
		want  int64
	}{
		{put(1), 2000}, {put(1022), 2000}, {put(1023), 4000}, {put(2500), 6000},
		{put(1) + "," + put(1) + "," + put(1), 6000}, {`{"ConditionCheck":{}},{"Delete":{}},{"Update":{}}`, 6000},
	} {
		if got := transactionUnits([]byte(`{"TransactItems":[` + c.items + `]}`)); got != c.want {
			t.Errorf("%.40s: %d, want %d", c.items, got, c.want)
		}
	}
}

func TestValueSize(t *testing.T) {
	for value, want := range map[string]int{
		`{"S":"abcd"}`: 4, `{"N":"12345"}`: 3, `{"BOOL":true}`: 1, `{"NULL":true}`: 1, `{"B":"AAAA"}`: 3,
		`{"M":{"ab":{"S":"c"}}}`: 7, `{"L":[{"S":"ab"},{"S":"c"}]}`: 8, `{"SS":["ab","c"]}`: 3,
	} {
		if got := valueSize([]byte(value)); got != want {
			t.Errorf("%s: %d, want %d", value, got, want)
		}
	}
}
