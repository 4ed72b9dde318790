package provider

import (
	"crypto/hmac"
	"net/url"
	"strings"

	"checkout/internal/connector"
	"checkout/internal/money"
)

// noticeParameters are the parameters of a notice address that identify the request.
var noticeParameters = []string{"kind", "reference", "payment", "amount", "currency"}

// noticeCode is the parameter with a code that nobody without the MID's secret can make.
const noticeCode = "code"

// NoticeURL returns the address for the notices about a request, for providers whose notices don't name the payment.
// NoticeRequest reads it. It is "" if the MID has no notice address.
func NoticeURL(r connector.ProviderRequest, secret string) string {
	address, err := url.Parse(r.NoticeURL)
	if r.NoticeURL == "" || err != nil {
		return ""
	}
	query := url.Values{
		"kind": {string(r.Kind)}, "reference": {r.Reference}, "payment": {r.PaymentID},
		"amount": {r.Amount.String()}, "currency": {r.Amount.Currency().Code},
	}
	query.Set(noticeCode, codeOf(query, secret))
	address.RawQuery = query.Encode()
	return address.String()
}

// NoticeRequest returns the request that a notice is about, by the address that it was sent to. Whoever knows the
// address may have sent the notice, so its body is no proof of anything. Errors: connector.ErrNotAuthentic.
func NoticeRequest(n connector.Notification, secret string) (connector.ProviderRequest, error) {
	query := url.Values(n.Query)
	if secret == "" || !hmac.Equal([]byte(query.Get(noticeCode)), []byte(codeOf(query, secret))) {
		return connector.ProviderRequest{}, connector.ErrNotAuthentic
	}
	currency, _ := money.Find(query.Get("currency"))
	amount, err := money.Parse(query.Get("amount"), currency)
	if err != nil {
		return connector.ProviderRequest{}, connector.ErrNotAuthentic
	}
	return connector.ProviderRequest{
		Kind: connector.RequestKind(query.Get("kind")), Reference: query.Get("reference"), PaymentID: query.Get("payment"),
		Amount: amount, Credentials: n.Credentials,
	}, nil
}

func codeOf(query url.Values, secret string) string {
	text := "notice address"
	for _, name := range noticeParameters {
		text += "\n" + strings.Join(query[name], "\n")
	}
	return Sign(secret, text)
}
