package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/internal/connector"
)

// notices are the tests of providers that send notices.
var notices = append(append([]test[Provider]{
	{"notices", trueNotices},
	{"notices of something else", otherNotices},
}, forEachLie("forged notices", forgedNotices)...), forEachLie("altered notices", alteredNotices)...)

// forEachLie makes a test for each of the opposites.
func forEachLie(name string, run func(*testing.T, Provider, Behaviour, connector.Outcome)) (all []test[Provider]) {
	for _, o := range opposites {
		named := fmt.Sprintf("%s, %d for %d", name, o.forged, o.really)
		all = append(all, test[Provider]{named, func(t *testing.T, p Provider) { run(t, p, o.really, o.forged) }})
	}
	return all
}

// handler is the connector as NotificationHandler. It skips the rest of the test if the connector is none.
func (p Provider) handler(t *testing.T) connector.NotificationHandler {
	t.Helper()
	handler, ok := p.Connector.(connector.NotificationHandler)
	if !ok {
		t.Skip("this provider sends no notices")
	}
	return handler
}

// handle passes a notice to the connector that arrived at the MID's address.
func (p Provider) handle(t *testing.T, n connector.Notification) (connector.Notice, error) {
	t.Helper()
	n.Credentials = p.Credentials
	return p.handler(t).HandleNotification(t.Context(), n)
}

// decided makes a charge that is decided, and returns its outcome.
func (p Provider) decided(t *testing.T, b Behaviour) connector.Outcome {
	t.Helper()
	p.handler(t)
	return wanted(t)(p.Connector.Charge(t.Context(), p.charge(b))).Outcome
}

// trueNotices checks that genuine notices return the outcome of the provider's ledger and are acknowledged.
func trueNotices(t *testing.T, p Provider) {
	outcome := p.decided(t, Approves)
	n, err := p.handle(t, p.Notify(connector.RequestCharge, reference))
	if err != nil || n.PaymentID != paymentID || n.SessionID != "" && n.SessionID != sessionID ||
		n.Kind != "" && n.Kind != connector.RequestCharge ||
		n.Reference != "" && n.Reference != reference || n.Result.Outcome != outcome {
		t.Errorf("read %+v, %v", n, err)
	}
	if status := n.Response.Status; status != 0 && (status < 200 || status > 299) {
		t.Errorf("the provider gets %d, and will send the notice again", status)
	}
}

// wantTruth checks that a notice that is not the provider's is refused, or returns only the outcome of the provider's
// ledger.
func (p Provider) wantTruth(t *testing.T, what string, n connector.Notification, truth connector.Outcome) {
	t.Helper()
	got, err := p.handle(t, n)
	if err != nil || got.PaymentID == "" {
		return
	}
	if got.PaymentID != paymentID || got.Reference != "" && got.Reference != reference || got.Result.Outcome != truth {
		t.Errorf("%s: of a charge whose outcome is %d, %+v", what, truth, got)
	}
}

// opposites are outcomes of a charge, and the outcome that a forged notice has instead.
var opposites = []struct {
	really Behaviour
	forged connector.Outcome
}{{Declines, connector.OutcomeApproved}, {Approves, connector.OutcomeDeclined}, {Approves, connector.OutcomeChargeback}}

func forgedNotices(t *testing.T, p Provider, really Behaviour, forged connector.Outcome) {
	p.handler(t)
	for _, kind := range []connector.RequestKind{
		connector.RequestCharge, connector.RequestCapture, connector.RequestVoid, connector.RequestRefund,
	} {
		if n, err := p.handle(t, p.Forge(kind, "no-reference", paymentID, forged)); err == nil && n.PaymentID != "" {
			t.Errorf("%s: of what the provider never received, %+v", kind, n)
		}
	}
	truth := p.decided(t, really)
	for _, payment := range []string{paymentID, "payment-of-somebody-else"} {
		p.wantTruth(t, "forged", p.Forge(connector.RequestCharge, reference, payment, forged), truth)
	}
	p.Credentials = nil
	bare := p.Forge(connector.RequestCharge, reference, paymentID, forged)
	p.wantTruth(t, "forged, at a MID without credentials", bare, truth)
}

// alteredNotices checks genuine notices of which a part was changed, or which arrived at another MID's address.
func alteredNotices(t *testing.T, p Provider, really Behaviour, _ connector.Outcome) {
	truth := p.decided(t, really)
	for i := range p.Notify(connector.RequestCharge, reference).Body {
		n := p.Notify(connector.RequestCharge, reference)
		n.Body = slices.Clone(n.Body)
		n.Body[i] ^= 1
		p.wantTruth(t, string(n.Body), n, truth)
	}
	bare := p.Notify(connector.RequestCharge, reference)
	bare.Header, bare.Query = nil, nil
	p.wantTruth(t, "without its headers", bare, truth)
}

func otherNotices(t *testing.T, p Provider) {
	p.handler(t)
	for _, body := range []string{
		"", "null", "[]", "{}", "not JSON", `{"reference":1}`, strings.Repeat("[", 100000), "\x00\xff",
	} {
		if n, err := p.handle(t, connector.Notification{Body: []byte(body)}); err == nil && n.PaymentID != "" {
			t.Errorf("%.20q is taken for %+v", body, n)
		}
	}
}
