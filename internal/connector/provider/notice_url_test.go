package provider

import (
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/money"
)

// TestNoticeURL reads an address as it was written, and none that was changed in any part.
func TestNoticeURL(t *testing.T) {
	currency, _ := money.Find("USD")
	amount, _ := money.Parse("10.00", currency)
	credentials := map[string]string{"secret": "s"}
	want := connector.ProviderRequest{
		Kind: connector.RequestRefund, Reference: "r-1", PaymentID: "p-1", Amount: amount,
		Credentials: credentials,
	}
	written := want
	written.NoticeURL = "https://pay.example/notify"
	address, err := url.Parse(NoticeURL(written, "s"))
	if err != nil || !strings.HasPrefix(address.String(), "https://pay.example/notify?") {
		t.Fatal(address, err)
	}
	read := func(query url.Values, secret string) (connector.ProviderRequest, error) {
		return NoticeRequest(connector.Notification{Query: query, Credentials: credentials}, secret)
	}
	if got, err := read(address.Query(), "s"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v", got, err)
	}
	for name := range address.Query() {
		for _, change := range []func(url.Values){
			func(q url.Values) { q.Del(name) },
			func(q url.Values) { q.Set(name, q.Get(name)+"0") },
			func(q url.Values) { q.Add(name, "0") },
		} {
			query := address.Query()
			change(query)
			if name == noticeCode && query.Get(name) == address.Query().Get(name) {
				continue // a second code is not read
			}
			if got, err := read(query, "s"); !errors.Is(err, connector.ErrNotAuthentic) {
				t.Errorf("%s changed: %+v, %v", name, got, err)
			}
		}
	}
	for _, secret := range []string{"", "t"} {
		if got, err := read(address.Query(), secret); !errors.Is(err, connector.ErrNotAuthentic) {
			t.Errorf("with the secret %q: %+v, %v", secret, got, err)
		}
	}
	if got := NoticeURL(want, "s"); got != "" {
		t.Errorf("of a MID without a notice address: %s", got)
	}
}
