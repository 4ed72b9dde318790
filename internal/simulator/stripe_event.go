package simulator

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
)

// notice is the event about an operation, nil if Stripe sends none about it.
func (p *stripe) notice(o Operation) *http.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, e := p.find(o.Account, o.Values["intent"])
	if e != nil {
		return nil
	}
	kind, about := p.event(o, i)
	if kind == "" {
		return nil
	}
	body, err := json.Marshal(object{
		"id": "evt_" + o.ID + "_" + string(o.State), "object": "event", "livemode": false,
		"api_version": "2026-03-25.dahlia", "created": p.Now().Unix(), "pending_webhooks": 1,
		"type": kind, "data": object{"object": about},
	})
	if err != nil {
		return nil
	}
	r, err := http.NewRequest(http.MethodPost, o.NoticeURL, bytes.NewReader(body))
	if err != nil {
		return nil
	}
	r.Header.Set("Content-Type", "application/json")
	at := fmt.Sprint(p.Now().Unix())
	mac := hmac.New(sha256.New, []byte(Secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	r.Header.Set("Stripe-Signature", "t="+at+",v1="+hex.EncodeToString(mac.Sum(nil)))
	return r
}

// event is the type of the event about an operation, and its object; "": there is none.
func (p *stripe) event(o Operation, i *stripeIntent) (kind string, about object) {
	switch {
	case o.Kind == Refund && o.State == Declined, o.State == Waiting:
		return "", nil
	case o.Kind == Refund && o.State == Reversed:
		return "refund.failed", p.refund(o)
	case o.Kind == Refund:
		return "refund.updated", p.refund(o)
	case o.State == Reversed && o.Reason != "voided":
		return "charge.dispute.created", object{
			"id": "dp_" + o.ID, "object": "dispute", "amount": i.units, "charge": "ch_" + i.id, "payment_intent": i.id,
			"reason": "fraudulent", "status": "needs_response",
		}
	}
	kind = map[string]string{
		"succeeded": "payment_intent.succeeded", "requires_capture": "payment_intent.amount_capturable_updated",
		"canceled": "payment_intent.canceled", "requires_payment_method": "payment_intent.payment_failed",
	}[p.status(i)]
	return kind, p.object(i, stripeRequest{})
}
