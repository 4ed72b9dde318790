package request

import (
	"strings"
	"testing"

	"checkout/internal/fault"
)

func TestReadStatus(t *testing.T) {
	for _, test := range []struct {
		body, want string
		req        Status
	}{
		{`{"merchant_key":"m","hash":"h","payment_id":"p"}`, "", Status{MerchantKey: "m", Hash: "h", PaymentID: "p"}},
		{`{"merchant_key":"m","hash":"h","order_id":1234,"size":"5"}`, "",
			Status{MerchantKey: "m", Hash: "h", OrderID: "1234", Size: 5}},
		{`{"merchant_key":"m","hash":"h","order_id":"o","payment_id":"p","size":"x"}`, "",
			Status{MerchantKey: "m", Hash: "h", PaymentID: "p"}},
		{`{}`, "merchant_key: This value should not be blank.|hash: This value should not be blank.|" +
			"payment_id: This value should not be blank.", Status{}},
		{`{"merchant_key":"m","hash":"h","order_id":"o","size":101}`,
			"size: This value is not valid. It should be a whole number from 1 to 100.",
			Status{MerchantKey: "m", Hash: "h", OrderID: "o"}},
		{`[]`, "Request data is invalid.", Status{}},
	} {
		req, err := ReadStatus([]byte(test.body))
		got := ""
		if err != nil {
			var texts []string
			for _, fault := range err.(*fault.Error).Faults {
				texts = append(texts, fault.String())
			}
			got = strings.Join(texts, "|")
		}
		if got != test.want || req != test.req {
			t.Errorf("%s: %q %+v", test.body, got, req)
		}
	}
}
