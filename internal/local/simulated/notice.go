package simulated

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// Notice returns the provider's notice about a request.
func (f *Family) Notice(reference string) connector.Notification {
	r := f.Simulator.Notice(f.Name, reference)
	body := make([]byte, r.ContentLength)
	_, _ = r.Body.Read(body)
	return connector.Notification{Header: r.Header, Query: r.URL.Query(), Body: body, Credentials: f.MID}
}

// Read has the connector read a notice.
func (f *Family) Read(n connector.Notification) (connector.Notice, error) {
	return f.Connector.(connector.NotificationHandler).HandleNotification(context.Background(), n)
}

// forge makes a forged notice of a provider that signs none: its address is one that somebody would make up.
func (f *Family) forge(
	kind connector.RequestKind, reference, paymentID string, _ connector.Outcome,
) connector.Notification {
	body := fmt.Sprintf(`{"reference":%q,"status":"approved"}`, reference)
	return connector.Notification{Query: f.Query("", kind, reference, paymentID), Body: []byte(body)}
}

// ForgeSigned makes notices that are forged, of a provider that signs them with provider.Sign: somebody who knows the
// address signs them with another secret. It needs the provider's words for outcomes.
func (f *Family) ForgeSigned(
	words map[connector.Outcome]string,
) func(connector.RequestKind, string, string, connector.Outcome) connector.Notification {
	const another = "another secret"
	return func(kind connector.RequestKind, reference, paymentID string,
		outcome connector.Outcome) connector.Notification {
		body := fmt.Sprintf(`{"id":"sim1","reference":%q,"status":%q,"code":"chargeback","amount":10.00,"currency":"USD"}`,
			reference, words[outcome])
		return connector.Notification{
			Header: http.Header{"X-Signature": {provider.Sign(another, body)}},
			Query:  f.Query(f.MID["secret"], kind, reference, paymentID), Body: []byte(body),
		}
	}
}

// Query is that of the address for notices about a request, signed with a secret.
func (f *Family) Query(secret string, kind connector.RequestKind, reference, paymentID string) url.Values {
	about := f.Request(reference)
	about.Kind, about.PaymentID = kind, paymentID
	address, _ := url.Parse(provider.NoticeURL(about, secret))
	return address.Query()
}
