package checkout

import (
	"fmt"
	"slices"
	"time"
)

// CallbackState is where a callback stands.
type CallbackState string

// The states of a callback. A parked one was tried to the end of the schedule,
// or had no address, and is kept for good, to be seen and sent again.
const (
	CallbackWaiting   CallbackState = "waiting"
	CallbackDelivered CallbackState = "delivered"
	CallbackParked    CallbackState = "parked"
	CallbackDropped   CallbackState = "dropped" // a decline that the payer's next attempt made no news
)

// Callback is one event that a merchant has to be told (decisions.md 6). Its
// fields are fixed when the event happens; only the delivery changes. ID,
// PaymentID and Seq, and with them the first field, are in its key.
type Callback struct {
	ID        string `json:"-"` // webhook-id, the same on every repeat
	PaymentID string `json:"-"`
	Seq       int    `json:"-"` // 1, 2, ... of the payment; the order of delivery
	Owner
	Fields    callbackFields `json:"fields"` // the first is the payment's id
	CreatedAt time.Time      `json:"created_at"`
	Cause     string         `json:"cause,omitempty"` // id of the API call that led to it, if known
	State     CallbackState  `json:"state"`
	NextAt    time.Time      `json:"next_at,omitzero"`     // not to be sent before; stored where it is not CreatedAt
	SessionID string         `json:"session_id,omitempty"` // withheld until this session is over (declines: last)
	Tries     []CallbackTry  `json:"tries,omitempty"`      // the latest, at most maxTries

	// Of one that was parked and is sent again.
	SentAgainAt  time.Time `json:"sent_again_at,omitzero"`  // when an operator asked for it last
	ScheduleFrom int       `json:"schedule_from,omitempty"` // how many of Tries were before that: the schedule begins anew

	version int64
	dueAt   time.Time // as it is stored
}

// CallbackTry is one delivery that was tried, and its end.
type CallbackTry struct {
	At     time.Time `json:"at"`
	Status int       `json:"status,omitempty"` // the HTTP answer; 0: none
	Error  string    `json:"error,omitempty"`  // in printable form, cut
}

// Event is the type and status of a callback (decisions.md 6, first table).
type Event struct {
	Type   string
	Status string
	Reason string // of what is no success
	Amount string // of a capture or refund: its own, decimal text
}

// notKnownYet is the reason with which a merchant is told that an outcome is not known yet.
var notKnownYet = map[string]string{
	"waiting":   "The payment provider has not decided yet.",
	"undefined": "The payment provider's answer is not known yet.",
}

// callbackGrace is how long after its message a callback is due: Sweep then sends it again.
const callbackGrace = time.Minute

// maxTries is how many tries of a callback are kept: those of five schedules.
const maxTries = 45

// addTry keeps a try, in place of the oldest one if there are too many.
func (c *Callback) addTry(try CallbackTry) {
	c.Tries = append(c.Tries, try)
	if over := len(c.Tries) - maxTries; over > 0 {
		c.Tries, c.ScheduleFrom = slices.Clone(c.Tries[over:]), max(c.ScheduleFrom-over, 0)
	}
}

// scheduled is how many tries of the callback's present schedule were made.
func (c *Callback) scheduled() int { return len(c.Tries) - c.ScheduleFrom }

// newCallback makes the callback of an event, nil if there is no such merchant or it is told of outcomes
// alone. Without an address it is parked at once: it can be sent when there is one.
func (s *Service) newCallback(now time.Time, m *Merchant, p *Payment, event Event) *Callback {
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

// notificationURL answers where callbacks of live or test mode go.
func (m *Merchant) notificationURL(o Owner) string {
	if o.Test {
		return m.TestNotificationURL
	}
	return m.NotificationURL
}

func webhookID(paymentID string, seq int) string { return fmt.Sprintf("msg_%s_%d", paymentID, seq) }

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

// record is the callback as a store keeps it. While it waits it is due at due;
// once it is parked it is listed by due, the time when it was.
func (c *Callback) record(due time.Time) Record {
	key, err := callbackKey(c.PaymentID, c.Seq)
	if err != nil {
		panic("callback of a payment without an id of ours: " + c.PaymentID)
	}
	r := encode(key, c.version, c.shortened())
	switch c.State {
	case CallbackWaiting:
		r.DueAt, r.DueKind = due, DueCallback
	case CallbackParked:
		r.DueAt, r.DueKind = due, DueParked
	}
	return r
}

// interim is what a merchant with "callbacks: final" is not told.
func (e Event) interim() bool {
	return e.Type == "3ds" || e.Type == "redirect" || e.Type == "init" || e.Status == "waiting" || e.Status == "undefined"
}
