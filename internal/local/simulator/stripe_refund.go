package simulator

// refundedIntent is the PaymentIntent that a request to refund names, itself or by its charge.
func (p *stripe) refundedIntent(r stripeRequest) (*stripeIntent, *stripeError) {
	if id := r.get("payment_intent"); id != "" {
		i, e := p.find(r.account, id)
		return i, e.named("payment_intent")
	}
	id := r.get("charge")
	if id == "" {
		return nil, wrong("parameter_missing", "payment_intent",
			"One of the following params should be provided for this request: payment_intent or charge.")
	}
	charge, _ := p.byID(r.account, id).(object)
	intent, _ := charge["payment_intent"].(string)
	i, e := p.find(r.account, intent)
	if e != nil {
		return nil, missing("charge", "charge", id).named("charge")
	}
	return i, nil
}

func (p *stripe) createRefund(r stripeRequest) (any, *stripeError) {
	i, e := p.refundedIntent(r)
	if e != nil {
		return nil, e
	}
	charge, charged := p.charge(i)
	totals, _ := p.Totals("stripe", charge.ID)
	switch left, err := totals.Captured.Sub(totals.Refunded); {
	case !charged || p.status(i) != "succeeded":
		return nil, wrong("charge_not_refundable", "", "This PaymentIntent ("+i.id+") does not have a successful charge "+
			"to refund.")
	case charge.State == Reversed:
		return nil, wrong("charge_disputed", "", "Charge ch_"+charge.ID+" has been charged back; cannot issue a refund.")
	case err != nil || left.IsZero():
		return nil, wrong("charge_already_refunded", "", "Charge ch_"+charge.ID+" has already been refunded.")
	}
	amount, _ := totals.Captured.Sub(totals.Refunded)
	if text := r.get("amount"); text != "" {
		if amount, _, e = stripeAmount(text, stripeCurrency(i.amount), "amount"); e != nil {
			return nil, e
		}
	}
	o, e := p.follow(r, i, Operation{Kind: Refund, Amount: amount})
	if e != nil {
		return nil, e
	}
	if o.State == Declined {
		return nil, wrong("", "amount", "Refund amount is greater than unrefunded amount on charge.")
	}
	p.refunds[o.ID] = map[string]string{}
	metadataOf(r.form, p.refunds[o.ID])
	p.event(r.account, "refund.created", "evt_"+o.ID+"_created", func() object { return p.refund(o) })
	p.event(r.account, "charge.refunded", "evt_"+o.ID+"_charge", func() object {
		charge, _ := p.charge(i)
		return p.chargeObject(charge, i)
	})
	return p.refund(o), nil
}

func (p *stripe) listRefunds(r stripeRequest) (any, *stripeError) {
	var all []object
	for _, o := range p.operations(r.account, p.isRefund) {
		all = append(all, p.refund(o))
	}
	return pageOf(r, having(r.form, all, "payment_intent", "charge"))
}

func (p *stripe) readRefund(r stripeRequest) (any, *stripeError) {
	o, _, e := p.operation(r, "re", "refund", p.isRefund)
	if e != nil {
		return nil, e
	}
	return p.refund(o), nil
}

func (p *stripe) updateRefund(r stripeRequest) (any, *stripeError) {
	o, _, e := p.operation(r, "re", "refund", p.isRefund)
	if e != nil {
		return nil, e
	}
	metadataOf(r.form, p.refunds[o.ID])
	return p.refund(o), nil
}
