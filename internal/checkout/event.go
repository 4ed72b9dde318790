package checkout

import (
	"slices"
	"time"
)

// Event is the type and status of a callback (decisions.md 6, first table).
type Event struct {
	Type   string
	Status string
	Reason string // of what is no success
	Amount string // of a capture or refund: its own, decimal text
}

// interim is what a merchant with "callbacks: final" is not told.
func (e Event) interim() bool {
	return e.Type == "3ds" || e.Type == "redirect" || e.Type == "init" || e.Status == "waiting" || e.Status == "undefined"
}

// notKnownYet is the reason with which a merchant is told that an outcome is not known yet.
var notKnownYet = map[string]string{
	"waiting":   "The payment provider has not decided yet.",
	"undefined": "The payment provider's answer is not known yet.",
}

// newCallback makes the callback of an event, nil if there is no such merchant or it is told of outcomes
// alone. Without an address it is parked at once: it can be sent when there is one.
func newCallback(now time.Time, m *Merchant, p *Payment, event Event) *Callback {
	if m == nil {
		return nil
	}
	if event.interim() && m.mappingNamed(p.Mapping).Compatibility.on(callbacksSwitch) {
		return nil
	}
	p.Callbacks++
	state := CallbackWaiting
	if m.notificationURL(p.Owner) == "" {
		state = CallbackParked
	}
	return &Callback{
		ID:        webhookID(p.ID, p.Callbacks),
		PaymentID: p.ID,
		Seq:       p.Callbacks,
		Owner:     p.Owner,
		Fields:    slices.DeleteFunc(fieldsOf(now, m, p, event), func(f callbackField) bool { return f.Value == "" }),
		CreatedAt: now,
		State:     state,
		NextAt:    now,
	}
}

// fieldsOf answers the fields of an event in the order of decisions.md
// 6. Empty ones are left out when they are sent.
func fieldsOf(now time.Time, m *Merchant, p *Payment, event Event) []callbackField {
	mapping := m.mappingNamed(p.Mapping)
	fields := []callbackField{
		{"id", p.ID},
		{"order_number", p.Order.Number},
		{"order_amount", p.Order.Amount},
		{"order_currency", p.Order.Currency},
		{"order_description", p.Order.Description},
		{"transaction_amount", event.Amount},
		{"order_status", string(p.Status)},
		{"type", event.Type},
		{"status", event.Status},
		{"reason", event.Reason},
		{"customer_ip", p.PayerIP},
		{"date", timestamp(now)},
		{"hash", signCallback(m, mapping, p.ID, p.Order)},
		{"customer_name", p.Customer.Name},
		{"customer_email", p.Customer.Email},
		{"customer_phone", p.BillingAddress.Phone},
		{"customer_country", p.BillingAddress.Country},
		{"customer_state", p.BillingAddress.State},
		{"customer_city", p.BillingAddress.City},
		{"customer_address", p.BillingAddress.Address},
	}
	fields = append(fields, p.cardFields()...)
	fields = append(fields, p.moneyFields()...)
	if mapping.ExtendedData {
		fields = append(fields, p.extendedFields(m)...)
	}
	return append(fields, flattenCustomData(p.CustomData)...)
}

// cardFields are those of the card, its token and its recurring chain.
func (p *Payment) cardFields() []callbackField {
	fields := []callbackField{
		{"card_token", p.CardToken},
		{"recurring_token", p.RecurringToken},
		{"consent_id", p.ConsentID},
		{"consent_state", p.ConsentState},
	}
	if p.Chain != "" {
		fields = append(fields, callbackField{"recurring_init_trans_id", p.Chain}, callbackField{"schedule_id", p.ScheduleID})
	}
	if p.Card != nil {
		fields = append(fields, callbackField{"card", p.Card.Mask}, callbackField{"card_expiration_date", p.Card.expiry()})
	}
	if p.PayeeCard != nil {
		fields = append(fields, callbackField{"payee_card", p.PayeeCard.Mask})
	}
	return fields
}

// moneyFields are those of the payee, a crypto payment and VAT.
func (p *Payment) moneyFields() []callbackField {
	fields := []callbackField{
		{"payee_name", p.Payee.Name},
		{"payee_email", p.Payee.Email},
		{"payee_country", p.Payee.Address.Country},
		{"payee_state", p.Payee.Address.State},
		{"payee_city", p.Payee.Address.City},
		{"payee_address", p.Payee.Address.Address},
		{"exchange_rate", p.ExchangeRate},
		{"exchange_rate_base", p.ExchangeBase},
		{"exchange_currency", p.ExchangeCoin},
		{"exchange_amount", p.ExchangeAmount},
		{"vat_amount", p.VAT},
	}
	for _, shown := range p.Shown {
		if shown.ID == "crypto_network" || shown.ID == "crypto_address" {
			fields = append(fields, callbackField{shown.ID, shown.Value})
		}
	}
	return fields
}

// extendedFields are those of the mapping's setting "extended data".
func (p *Payment) extendedFields(m *Merchant) []callbackField {
	return []callbackField{
		{"connector_name", p.Connector},
		{"rrn", p.RRN},
		{"approval_code", p.ApprovalCode},
		{"gateway_id", p.ProviderID},
		{"extra_gateway_id", p.ExtraID},
		{"merchant_name", m.Name},
		{"mid_name", p.MID},
		{"issuer_country", p.IssuerCountry},
		{"issuer_bank", p.IssuerBank},
	}
}
