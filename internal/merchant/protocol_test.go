package merchant

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"checkout/internal/request/requesttest"
)

// The table of Payment object in infra/protocol.md has every field.
func TestProtocolHasThePaymentObject(t *testing.T) {
	var got, want []string
	for _, row := range requesttest.ProtocolRows(t, "Payment object") {
		for name := range strings.SplitSeq(row[0], ", ") {
			got = append(got, strings.Trim(name, "`"))
		}
	}
	object := reflect.TypeFor[PaymentObject]()
	for i := range object.NumField() {
		if name, _, _ := strings.Cut(object.Field(i).Tag.Get("json"), ","); name != "" {
			want = append(want, name)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
