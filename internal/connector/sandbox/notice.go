package sandbox

import (
	"context"
	"encoding/json"
	"slices"

	"checkout/internal/connector"
)

// notice is what the sandbox sends. It has no outcome, so a forged notice only makes the connector read the ledger.
type notice struct {
	Kind      connector.RequestKind `json:"kind,omitempty"` // absent: a charge
	Reference string                `json:"reference"`
	Event     string                `json:"event,omitempty"` // eventDisputed if a settled charge was disputed
}

// kinds are the kinds of requests that a notice may be about.
var kinds = append([]connector.RequestKind{"", connector.RequestCharge}, followUps...)

// eventDisputed is the event of a chargeback or reversal.
const eventDisputed = "taken back"

func (s *Sandbox) notify(ctx context.Context, e entry, event string) error {
	body, err := json.Marshal(notice{e.Kind, e.Reference, event})
	if err != nil {
		return err
	}
	return s.Notify(ctx, e.NoticeURL, body)
}

// HandleNotification reads a notice and returns what the ledger has of its reference.
func (s *Sandbox) HandleNotification(ctx context.Context, received connector.Notification) (connector.Notice, error) {
	n, e, err := s.readNotice(ctx, received.Body)
	if err != nil || e.Reference == "" {
		return connector.Notice{}, err
	}
	known := connector.Notice{
		PaymentID: e.PaymentID, SessionID: e.SessionID, Kind: e.Kind, Reference: e.Reference, Result: s.result(e),
	}
	if n.Event == eventDisputed && e.Disputed != 0 {
		known.Result = connector.Result{Outcome: e.Disputed}
	}
	return known, nil
}

// readNotice reads a notice and its entry, which has no reference if the ledger has none.
func (s *Sandbox) readNotice(ctx context.Context, body []byte) (n notice, e entry, err error) {
	if err := json.Unmarshal(body, &n); err != nil || n.Reference == "" || !slices.Contains(kinds, n.Kind) {
		return notice{}, entry{}, nil
	}
	e, _, err = s.read(ctx, n.Kind, n.Reference)
	return n, e, err
}

// Report sends the notice with this body again, as a provider does that got no response to it. It fails with
// CodeNotFound, and with the errors of the service, which handles the notice.
func (s *Sandbox) Report(ctx context.Context, body []byte) error {
	n, e, err := s.readNotice(ctx, body)
	if err != nil {
		return err
	}
	if e.Reference == "" {
		return errUnknown
	}
	return s.notify(ctx, e, n.Event)
}
