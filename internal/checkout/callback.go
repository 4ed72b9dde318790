package checkout

import (
	"slices"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// newCallback makes the callback of an event: nil if the merchant does not exist any more, or gets final outcomes only
// and this is none. Without an address it is parked, and can be sent once there is an address.
func newCallback(now time.Time, m *settings.Merchant, p *payment.Payment, event payment.Event) *callback.Callback {
	if m == nil {
		return nil
	}
	if event.Interim() && m.MappingNamed(p.Mapping).Compatibility.On(settings.CallbacksSwitch) {
		return nil
	}
	p.Callbacks++
	fields := callbackFields(now, m, p, event)
	c := &callback.Callback{
		ID:        callback.WebhookID(p.ID, p.Callbacks),
		PaymentID: p.ID,
		Seq:       p.Callbacks,
		Owner:     p.Owner,
		Mapping:   p.Mapping,
		URL:       p.NotificationURL,
		Fields:    slices.DeleteFunc(fields, func(f request.Field) bool { return f.Value == "" }),
		CreatedAt: now,
		State:     callback.Waiting,
		NextAt:    now,
	}
	if c.Address(m) == "" {
		c.State = callback.Parked
	}
	return c
}

// CardRemoved returns the callback of a saved card that the payer of a session has removed, nil as newCallback does. It
// is of no payment: its id is made for it, so that it delays no callback of a payment.
func (s *Core) CardRemoved(
	now time.Time, m *settings.Merchant, sess *Session, removed *card.Saved,
) *callback.Callback {
	req := &sess.Request
	hash := store.OrderHash(req.Owner.Text(), req.Order.Number)
	p := &payment.Payment{
		ID: store.NewPaymentID(hash, now, s.Random(4)), Details: req.Details,
		ChargeTerms: payment.ChargeTerms{Mapping: sess.Mapping}, Status: payment.StatusPrepare,
	}
	p.CardToken, p.Card = removed.Token, &removed.View
	return newCallback(now, m, p, payment.Event{Type: payment.EventCardRemoved, Status: payment.Removed})
}

// callbackFields returns the fields of an event's callback, also empty ones, in the order of protocol.md, Callback
// fields. The hash is added when it is sent, by the one function that has the merchants' passwords for that.
func callbackFields(now time.Time, m *settings.Merchant, p *payment.Payment, event payment.Event) []request.Field {
	mapping := m.MappingNamed(p.Mapping)
	fields := []request.Field{
		{Name: "id", Value: p.ID},
		{Name: "order_number", Value: p.Order.Number},
		{Name: "order_amount", Value: p.Order.Amount.Text},
		{Name: "order_currency", Value: p.Order.Currency},
		{Name: "order_description", Value: p.Order.Description},
		{Name: "transaction_amount", Value: event.Amount.String()},
		{Name: "order_status", Value: string(p.Status)},
		{Name: "type", Value: string(event.Type)},
		{Name: "status", Value: string(event.Status)},
		{Name: "reason", Value: event.Reason.Text()},
		{Name: "reason_code", Value: string(event.Reason.MerchantCode())},
		{Name: "customer_ip", Value: p.PayerIP},
		{Name: "date", Value: payment.Timestamp(now)},
		{Name: "customer_name", Value: p.Customer.Name},
		{Name: "customer_email", Value: p.Customer.Email},
		{Name: "customer_phone", Value: p.BillingAddress.Phone},
		{Name: "customer_country", Value: p.BillingAddress.Country},
		{Name: "customer_state", Value: p.BillingAddress.State},
		{Name: "customer_city", Value: p.BillingAddress.City},
		{Name: "customer_address", Value: p.BillingAddress.Cut(request.LineLength).Address},
	}
	fields = append(fields, cardFields(p)...)
	fields = append(fields, moneyFields(p)...)
	if mapping.ExtendedData {
		fields = append(fields, extendedFields(p, m)...)
	}
	return append(fields, request.Flatten(p.CustomData)...)
}

// cardFields are the callback fields of the card, its token and its recurring chain.
func cardFields(p *payment.Payment) []request.Field {
	fields := []request.Field{
		{Name: "card_token", Value: p.CardToken},
		{Name: "recurring_token", Value: p.RecurringToken},
		{Name: "consent_id", Value: p.ConsentID},
		{Name: "consent_state", Value: p.ConsentState},
	}
	if p.Chain != "" {
		fields = append(fields,
			request.Field{Name: "recurring_init_trans_id", Value: p.Chain},
			request.Field{Name: "schedule_id", Value: p.ScheduleID})
	}
	if p.Card != nil {
		fields = append(fields,
			request.Field{Name: "card", Value: p.Card.Mask},
			request.Field{Name: "card_expiration_date", Value: p.Card.Expiry()})
	}
	wallet, panType := p.DigitalWallet()
	fields = append(fields,
		request.Field{Name: "digital_wallet", Value: wallet}, request.Field{Name: "pan_type", Value: string(panType)})
	if p.PayeeCard != nil {
		fields = append(fields, request.Field{Name: "payee_card", Value: p.PayeeCard.Mask})
	}
	return fields
}

// moneyFields are the callback fields of the payee, a crypto payment and VAT.
func moneyFields(p *payment.Payment) []request.Field {
	fields := []request.Field{
		{Name: "payee_name", Value: p.Payee.Name},
		{Name: "payee_email", Value: p.Payee.Email},
		{Name: "payee_country", Value: p.Payee.Address.Country},
		{Name: "payee_state", Value: p.Payee.Address.State},
		{Name: "payee_city", Value: p.Payee.Address.City},
		{Name: "payee_address", Value: p.Payee.Address.Address},
		{Name: "exchange_rate", Value: p.ExchangeRate},
		{Name: "exchange_rate_base", Value: p.ExchangeBase},
		{Name: "exchange_currency", Value: p.ExchangeCoin},
		{Name: "exchange_amount", Value: p.ExchangeAmount},
	}
	if p.VAT != nil {
		fields = append(fields, request.Field{Name: "vat_amount", Value: p.VAT.String()})
	}
	for _, shown := range p.Shown {
		if shown.ID == "crypto_network" || shown.ID == "crypto_address" {
			fields = append(fields, request.Field{Name: shown.ID, Value: shown.Value})
		}
	}
	return fields
}

// extendedFields are the callback fields that the mapping's setting "extended data" adds.
func extendedFields(p *payment.Payment, m *settings.Merchant) []request.Field {
	return []request.Field{
		{Name: "connector_name", Value: p.Connector},
		{Name: "rrn", Value: p.RRN},
		{Name: "approval_code", Value: p.ApprovalCode},
		{Name: "gateway_id", Value: p.ProviderID},
		{Name: "extra_gateway_id", Value: p.ExtraID},
		{Name: "merchant_name", Value: m.Name},
		{Name: "mid_name", Value: p.MID},
		{Name: "issuer_country", Value: p.IssuerCountry},
		{Name: "issuer_bank", Value: p.IssuerBank},
		{Name: "eci", Value: p.ECI},
		{Name: "liability_shift", Value: p.LiabilityShift},
		{Name: "three_ds_version", Value: p.ThreeDSVersion},
		{Name: "ds_transaction_id", Value: p.DSTransaction},
	}
}
