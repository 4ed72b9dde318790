package callback

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Trial is what came of a test callback in one format.
type Trial struct {
	Format    string `json:"format"`           // JSON or form
	Status    int    `json:"status,omitempty"` // of the HTTP response; 0: none
	Delivered bool   `json:"delivered"`        // as the service counts it
	Millis    int64  `json:"ms"`
	Error     string `json:"error,omitempty"`

	err error
}

// Trials are those of both formats.
type Trials struct {
	Order string  `json:"order"` // that is made up
	Tried []Trial `json:"tried"`
	Hint  string  `json:"hint"` // what that says of the shop
}

// TrialIDs are what the ids and times of test callbacks are made of.
type TrialIDs struct {
	Now    func() time.Time
	Random func(n int) []byte
}

// SendTrials sends a callback of a made-up payment to the address of a merchant for test payments, first as JSON and
// then as a form. It is a decline, so that no shop ships anything, and its texts say that it is a test.
func SendTrials(ctx context.Context, sender Sender, m *settings.Merchant, ids TrialIDs) (t Trials, err error) {
	now, random := ids.Now(), ids.Random(8)
	t.Order = "test-callback-" + hex.EncodeToString(random[:4])
	owner := fault.Owner{Merchant: m.ID, Test: true}
	id := store.NewPaymentID(store.OrderHash(owner.Text(), t.Order), now, random)
	const text = "Test callback: there was no payment."
	c := Callback{PaymentID: id, Owner: owner, Mapping: m.Mappings[0].Name, Fields: Fields{
		{Name: "id", Value: id}, {Name: "order_number", Value: t.Order}, {Name: "order_amount", Value: "1.00"},
		{Name: "order_currency", Value: "EUR"}, {Name: "order_description", Value: text},
		{Name: "order_status", Value: "decline"}, {Name: "type", Value: "sale"}, {Name: "status", Value: "fail"},
		{Name: "reason", Value: text}, {Name: "reason_code", Value: "declined"},
		{Name: "date", Value: now.UTC().Format(time.DateTime)},
	}}
	for i, format := range []string{formatJSON, formatForm} {
		c.ID = WebhookID(id, i+1) // not the same, or a shop could drop the second as a repeat
		out, err := c.outgoing(m, now, format == formatJSON)
		if err != nil {
			return t, err
		}
		out.URL = m.CallbackURL(owner)
		one, begin := Trial{Format: format}, ids.Now()
		one.Status, one.err = sender.Send(ctx, out)
		one.Millis = ids.Now().Sub(begin).Milliseconds()
		if one.Delivered = one.err == nil && IsTaken(one.Status); one.err != nil {
			one.Error = fault.ErrorText(one.err)
		}
		t.Tried = append(t.Tried, one)
	}
	sends := map[bool]string{true: "JSON", false: "forms"}[m.CallbacksAreJSON(c.Mapping)]
	t.Hint = hint(t.Tried[0], t.Tried[1]) + " The service sends it " + sends + "; the setting callback_json changes that."
	return t, nil
}

const formatJSON, formatForm = "JSON", "form"

// hint says what two responses tell of the format that a shop reads.
func hint(asJSON, asForm Trial) string {
	redirects := func(t Trial) bool { return t.Status >= 300 && t.Status < 400 }
	switch {
	case errors.Is(asJSON.err, ErrAddress):
		return "Callbacks can't be sent there: the address has to be public, with https."
	case errors.Is(asJSON.err, ErrTimeout) && errors.Is(asForm.err, ErrTimeout):
		return "The address does not respond within 10 seconds, so no callback is ever delivered there."
	case asJSON.err != nil && asForm.err != nil:
		return "The address is not reached from here."
	case redirects(asJSON) && redirects(asForm):
		return "The address redirects, which callbacks do not follow: set the address that it leads to."
	case asJSON.Delivered && asForm.Delivered:
		return "Both were taken, which does not tell which one the shop reads: many respond 200 to what they can't read. " +
			"Look in the shop's log which of the two it has read. " + payAnOrder
	case asJSON.Delivered || asForm.Delivered:
		taken := asForm.Format
		if asJSON.Delivered {
			taken = asJSON.Format
		}
		return "The shop seems to read " + taken + ". But it can't know the order: a shop that refuses such orders, and " +
			"responds 200 to what it can't read, reads the other one. " + payAnOrder
	}
	return "Neither was taken. A shop may refuse an order that it does not know: its log tells which one it has read."
}

const payAnOrder = "Pay an order with the test key, too, and see whether the shop marks it as paid."
