package stripe

import (
	"encoding/json"
	"net/http"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
)

// event is a notice of Stripe.
type event struct {
	Object   string `json:"object"`
	Type     string `json:"type"`
	Livemode bool   `json:"livemode"`
	Created  int64  `json:"created"` // in seconds; the same on every repeat
	Data     struct {
		Object json.RawMessage `json:"object"`
	} `json:"data"`
}

// read reads the object that an event is about.
func (e event) read(object any) error {
	if json.Unmarshal(e.Data.Object, object) != nil {
		return connector.Unreadable(errAbout)
	}
	return nil
}

// ignored acknowledges an event that is about nothing of ours, so that Stripe does not repeat it.
func ignored() connector.Notice {
	return connector.Notice{Response: connector.NoticeResponse{Status: http.StatusOK}}
}

// noticeOf is a notice about a request of the payment of an object, with its metadata. kind is "" where the object does
// not tell it.
func noticeOf(
	metadata map[string]string, kind connector.RequestKind, reference string, result connector.Result,
) connector.Notice {
	if metadata[metaPayment] == "" || metadata[metaReference] == "" || reference == "" {
		return ignored()
	}
	return connector.Notice{
		PaymentID: metadata[metaPayment], SessionID: metadata[metaSession], Kind: kind, Reference: reference,
		Result: result,
	}
}

// intentNotice reads an event of a PaymentIntent.
func intentNotice(e event) (connector.Notice, error) {
	var p stripe.PaymentIntent
	if err := e.read(&p); err != nil {
		return connector.Notice{}, err
	}
	return noticeOfIntent(&p)
}

// noticeOfIntent is a notice about a PaymentIntent: about its capture or void if that is what has happened, else about
// its charge.
func noticeOfIntent(p *stripe.PaymentIntent) (connector.Notice, error) {
	reference := p.Metadata[metaReference]
	if reference == "" { // of another system with the same account
		return ignored(), nil
	}
	switch capture, void := p.Metadata[metaCapture], p.Metadata[metaVoid]; {
	case p.Status == stripe.PaymentIntentStatusSucceeded && capture != "":
		return noticeOf(p.Metadata, connector.RequestCapture, capture, connector.Result{}).Telling(captured(p))
	case p.Status == stripe.PaymentIntentStatusCanceled && void != "":
		return noticeOf(p.Metadata, connector.RequestVoid, void, connector.Result{Outcome: connector.OutcomeApproved}), nil
	case capturedElsewhere(p), endedElsewhere(p):
		return noticeOf(p.Metadata, connector.RequestCharge, reference, elsewhere(p)), nil
	}
	return noticeOf(p.Metadata, connector.RequestCharge, reference, connector.Result{}).Telling(intentResult(p))
}
