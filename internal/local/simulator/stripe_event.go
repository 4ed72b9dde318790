package simulator

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// observe writes down what has happened to a PaymentIntent since the latest event.
func (p *stripe) observe(i *stripeIntent) {
	o, confirmed := p.charge(i)
	seen := p.status(i) + string(o.State) + o.Reason + fmt.Sprint(len(i.tries))
	if !confirmed && i.cancelled == "" || i.seen == seen {
		return
	}
	i.seen = seen
	id := "evt_" + cmp.Or(o.ID, i.id) + "_" + string(o.State)
	if confirmed && charged(o) && o.State != Waiting && o.State != Reversed {
		kind := "charge.succeeded"
		if o.State == Declined {
			kind = "charge.failed"
		}
		p.event(i.account, kind, id+"_charge", func() object { return p.chargeObject(o, i) })
	}
	if kind, about := p.told(o, i); kind != "" {
		p.event(i.account, kind, id+eventSuffix(o, i), func() object { return about })
	}
}

// eventSuffix tells events apart that an operation has in one state.
func eventSuffix(o Operation, i *stripeIntent) string {
	switch {
	case i.cancelled != "":
		return "_canceled"
	case o.Reason == disputeWon:
		return "_won"
	case isLost(o):
		return "_lost"
	}
	return ""
}

// notice is the event about an operation, nil if Stripe sends none about it.
func (p *stripe) notice(o Operation) *http.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, e := p.find(o.Account, o.Values["intent"])
	if e != nil {
		return nil
	}
	kind, about := p.told(o, i)
	if kind == "" {
		return nil
	}
	id := "evt_" + o.ID + "_" + string(o.State) + eventSuffix(o, i)
	p.event(o.Account, kind, id, func() object { return about })
	body, err := json.Marshal(object{
		"id": id, "object": "event", "livemode": false,
		"api_version": "2026-03-25.dahlia", "created": o.ChangedAt.Unix(), "pending_webhooks": 1,
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

// told is the type of the event about an operation, and its object; "": there is none.
func (p *stripe) told(o Operation, i *stripeIntent) (kind string, about object) {
	switch {
	case o.Kind == Refund && o.State == Declined, o.Kind == Refund && o.State == Waiting:
		return "", nil
	case o.Kind == Refund && o.State == Reversed:
		return "refund.failed", p.refund(o)
	case o.Kind == Refund:
		return "refund.updated", p.refund(o)
	case o.State == Approved && o.Reason == disputeWon, isLost(o):
		return "charge.dispute.closed", p.dispute(o, i)
	case o.State == Reversed && o.Reason != "voided":
		return "charge.dispute.created", p.dispute(o, i)
	}
	kind = map[string]string{
		"succeeded": "payment_intent.succeeded", "requires_capture": "payment_intent.amount_capturable_updated",
		"canceled": "payment_intent.canceled", "requires_payment_method": "payment_intent.payment_failed",
		"requires_action": "payment_intent.requires_action", "processing": "payment_intent.processing",
	}[p.status(i)]
	return kind, p.object(i)
}

func (p *stripe) listEvents(r stripeRequest) (any, *stripeError) {
	for _, i := range p.intents {
		if i.account == r.account {
			p.observe(i)
		}
	}
	types := append(slices.Clone(r.form["types[]"]), r.form["type"]...)
	for n := range len(r.form) {
		types = append(types, r.form[fmt.Sprintf("types[%d]", n)]...)
	}
	var all []object
	for _, e := range slices.Backward(p.events) {
		if kind, _ := e.shown["type"].(string); e.account == r.account &&
			(len(types) == 0 || slices.Contains(types, kind)) {
			all = append(all, e.shown)
		}
	}
	return pageOf(r, all)
}

func (p *stripe) readEvent(r stripeRequest) (any, *stripeError) {
	i := slices.IndexFunc(p.events, func(e stripeEvent) bool {
		return e.id == r.PathValue("id") && e.account == r.account
	})
	if i < 0 {
		return nil, missing("event", "id", r.PathValue("id"))
	}
	return p.events[i].shown, nil
}

// createEndpoint sets where the account's events go to. Their secret is Secret.
func (p *stripe) createEndpoint(r stripeRequest) (any, *stripeError) {
	shown := nested(r.form, "url", "enabled_events", "description", "api_version")
	shown["status"] = "enabled"
	t := p.newThing(r, "we", "webhook_endpoint", shown)
	once := t.object()
	once["secret"] = Secret // only now
	return once, nil
}

// endpoint is where an account's events go to, "" if nowhere: the newest of its endpoints.
func (p *stripe) endpoint(account string) string {
	for _, t := range slices.Backward(p.things) {
		if t.account == account && t.shown["object"] == "webhook_endpoint" && !t.deleted {
			url, _ := t.shown["url"].(string)
			return url
		}
	}
	return ""
}
