package simulator

import (
	"maps"
	"slices"
)

// newThing makes a thing of what is shown of it.
func (p *stripe) newThing(r stripeRequest, prefix, kind string, shown object) *stripeThing {
	t := &stripeThing{id: p.newObject(prefix), account: r.account, shown: shown, metadata: map[string]string{}}
	metadataOf(r.form, t.metadata)
	maps.Copy(shown, object{"id": t.id, "object": kind, "created": p.Now().Unix(), "livemode": false})
	p.things = append(p.things, t)
	if len(p.things) > p.Keep {
		oldest := slices.IndexFunc(p.things, func(t *stripeThing) bool { return t.shown["object"] != "webhook_endpoint" })
		p.things = slices.Delete(p.things, oldest, oldest+1)
	}
	return t
}

// object is a thing as Stripe shows it.
func (t *stripeThing) object() object {
	if t.deleted {
		return object{"id": t.id, "object": t.shown["object"], "deleted": true}
	}
	shown := maps.Clone(t.shown)
	shown["metadata"] = maps.Clone(t.metadata)
	return shown
}

// thing returns a thing of a kind, "" for any, by its id; nil if there is none.
func (p *stripe) thing(account, kind, id string) *stripeThing {
	i := slices.IndexFunc(p.things, func(t *stripeThing) bool {
		return t.id == id && t.account == account && (kind == "" || t.shown["object"] == kind)
	})
	if i < 0 {
		return nil
	}
	return p.things[i]
}

// pathThing returns the thing of a request's path.
func (p *stripe) pathThing(r stripeRequest, kind, parameter string) (*stripeThing, *stripeError) {
	t := p.thing(r.account, kind, r.PathValue("id"))
	if t == nil || t.deleted && r.Method != "GET" {
		return nil, missing(kind, parameter, r.PathValue("id"))
	}
	return t, nil
}

func (p *stripe) readThing(kind, parameter string) stripeHandler {
	return func(r stripeRequest) (any, *stripeError) {
		t, e := p.pathThing(r, kind, parameter)
		if e != nil {
			return nil, e
		}
		return t.object(), nil
	}
}

func (p *stripe) deleteThing(kind string) stripeHandler {
	return func(r stripeRequest) (any, *stripeError) {
		t, e := p.pathThing(r, kind, "id")
		if e != nil {
			return nil, e
		}
		t.deleted = true
		return t.object(), nil
	}
}

// all are the things of a kind that are not deleted, the newest first.
func (p *stripe) all(account, kind string) (all []object) {
	for _, t := range slices.Backward(p.things) {
		if t.account == account && t.shown["object"] == kind && !t.deleted {
			all = append(all, t.object())
		}
	}
	return all
}

func (p *stripe) listThings(kind string) stripeHandler {
	return func(r stripeRequest) (any, *stripeError) {
		return pageOf(r, having(r.form, p.all(r.account, kind), "email"))
	}
}

var customerFields = []string{
	"name", "email", "phone", "description", "address", "shipping", "preferred_locales", "tax_exempt", "balance",
}

func (p *stripe) createCustomer(r stripeRequest) (any, *stripeError) {
	shown := object{
		"address": nil, "balance": 0, "currency": nil, "default_source": nil, "delinquent": false, "description": nil,
		"discount": nil, "email": nil, "invoice_prefix": "SIM", "invoice_settings": object{"default_payment_method": nil},
		"name": nil, "phone": nil, "preferred_locales": []any{}, "shipping": nil, "tax_exempt": "none", "test_clock": nil,
	}
	maps.Copy(shown, nested(r.form, customerFields...))
	var method *stripeThing
	if r.get("payment_method") != "" {
		var e *stripeError
		if method, e = p.methodOf(r); e != nil {
			return nil, e
		}
	}
	t := p.newThing(r, "cus", "customer", shown)
	if method != nil {
		method.shown["customer"] = t.id
	}
	p.event(r.account, "customer.created", "evt_"+t.id, t.object)
	return t.object(), nil
}

// updateCustomer sets the fields that are parameters.
func (p *stripe) updateCustomer(r stripeRequest) (any, *stripeError) {
	t, e := p.pathThing(r, "customer", "id")
	if e != nil {
		return nil, e
	}
	maps.Copy(t.shown, nested(r.form, customerFields...))
	metadataOf(r.form, t.metadata)
	return t.object(), nil
}

func (p *stripe) searchCustomers(r stripeRequest) (any, *stripeError) {
	return found(r, p.all(r.account, "customer"))
}
