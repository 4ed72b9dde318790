package merchant

import (
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// PaymentObject is a payment as the merchant sees it (protocol.md, Payment object).
type PaymentObject struct {
	PaymentID  string          `json:"payment_id"`
	Date       string          `json:"date"` // YYYY-MM-DD hh:mm:ss, UTC
	Status     payment.Status  `json:"status"`
	Reason     string          `json:"reason,omitempty"`
	ReasonCode reason.Code     `json:"reason_code,omitempty"`
	Order      OrderObject     `json:"order"`
	Customer   *CustomerObject `json:"customer,omitempty"`

	RecurringToken string `json:"recurring_token,omitempty"`
	ScheduleID     string `json:"schedule_id,omitempty"`

	// RedirectURL is that of a payment with a wallet's token, in the response to its session request.
	RedirectURL string `json:"redirect_url,omitempty"`

	DigitalWallet string       `json:"digital_wallet,omitempty"` // applepay or googlepay
	PANType       card.PANType `json:"pan_type,omitempty"`       // of a wallet's card, if that was decrypted

	// With the mapping setting "extended data".
	Card               string              `json:"card,omitempty"`
	CardExpirationDate string              `json:"card_expiration_date,omitempty"`
	RRN                string              `json:"rrn,omitempty"`
	ApprovalCode       string              `json:"approval_code,omitempty"`
	ConnectorName      string              `json:"connector_name,omitempty"`
	MIDName            string              `json:"mid_name,omitempty"`
	Transactions       []TransactionObject `json:"transactions,omitempty"`

	// While the outcome of a request to the provider is unknown.
	UnknownSince     string            `json:"unknown_since,omitempty"` // YYYY-MM-DD hh:mm:ss, UTC
	UnknownOperation payment.EventType `json:"unknown_operation,omitempty"`

	// A person decides what became of a request, or what follows from a provider's contradiction.
	WaitsForPerson bool `json:"waits_for_person,omitempty"`

	rank    rank
	payment *payment.Payment // nil for a session without an attempt
}

// OrderObject is the order as the merchant sent it.
type OrderObject struct {
	Number      string `json:"number"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
}

// CustomerObject is present only if both fields are known.
type CustomerObject struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// TransactionObject is one transaction of a payment.
type TransactionObject struct {
	Type       payment.EventType         `json:"type"`
	Status     payment.TransactionStatus `json:"status"`
	Date       string                    `json:"date"`
	Amount     string                    `json:"amount"`
	Reason     string                    `json:"reason,omitempty"`
	ReasonCode reason.Code               `json:"reason_code,omitempty"`
	connector.Authentication
}

// paymentOfSession returns the payment object of a session without an attempt (protocol.md, Payment object).
func paymentOfSession(sess *checkout.Session, now time.Time) PaymentObject {
	o := PaymentObject{
		PaymentID: sess.FirstPaymentID,
		Date:      sess.CreatedAt.UTC().Format(time.DateTime),
		Status:    payment.StatusPrepare,
		Order:     orderObject(sess.Request.Order),
		Customer:  customerObject(sess.Request.Customer),
		rank:      rankInProgress,
	}
	switch sess.StateAt(now) {
	case checkout.SessionExpired:
		o.decline(reason.SessionExpired)
	case checkout.SessionCancelled:
		o.decline(reason.SessionCancelled)
	}
	return o
}

// decline makes it the object of a session that ended without an attempt.
func (o *PaymentObject) decline(code reason.Code) {
	o.Status, o.rank = payment.StatusDecline, rankDeclined
	o.Reason, o.ReasonCode = code.Plain(), code
}

func paymentObject(m *settings.Merchant, p *payment.Payment) PaymentObject {
	o := PaymentObject{
		PaymentID: p.ID,
		Date:      payment.Timestamp(p.ChangedAt),
		Status:    p.Status,
		Order:     orderObject(p.Order),
		Customer:  customerObject(p.Customer),
		rank:      rankOf(p),
		payment:   p,
	}
	if job := p.Jobs.FirstUnknown(); job != nil {
		o.UnknownSince, o.UnknownOperation = payment.Timestamp(job.UnknownSince), p.EventType(job.Kind)
	}
	o.WaitsForPerson = p.Jobs.WaitForPerson()
	if p.Status == payment.StatusDecline {
		o.Reason, o.ReasonCode = p.Reason, p.ReasonCode
	}
	if o.RecurringToken = p.RecurringToken; p.Chain != "" {
		o.ScheduleID = p.ScheduleID
	}
	o.DigitalWallet, o.PANType = p.DigitalWallet()
	if !m.MappingNamed(p.Mapping).ExtendedData {
		return o
	}
	if p.Card != nil {
		o.Card, o.CardExpirationDate = p.Card.Mask, p.Card.Expiry()
	}
	o.RRN, o.ApprovalCode, o.ConnectorName, o.MIDName = p.RRN, p.ApprovalCode, p.Connector, p.MID
	for _, t := range p.Transactions {
		if t.Type == payment.EventContradiction || t.Type == payment.EventGiveBack {
			continue
		}
		o.Transactions = append(o.Transactions, TransactionObject{
			t.Type, t.Status, payment.Timestamp(t.Date), t.Amount.String(), t.Reason, t.ReasonCode, t.Authentication,
		})
	}
	return o
}

func orderObject(o request.Order) OrderObject {
	return OrderObject{o.Number, o.Amount.Text, o.Currency, o.Description}
}

func customerObject(c request.Customer) *CustomerObject {
	if c.Name == "" || c.Email == "" {
		return nil
	}
	return &CustomerObject{c.Name, c.Email}
}

// rank tells which payment of an order describes it best: the one of the highest rank.
type rank int

// The ranks, the lowest first.
const (
	rankDeclined   rank = iota + 1
	rankInProgress      // nobody has paid yet
	rankRefunded        // refunded, voided, charged back or reversed
	rankPaid            // authorised or settled
)

// rankOf returns the rank of a payment.
func rankOf(p *payment.Payment) rank {
	switch {
	case p.Status == payment.StatusDecline:
		return rankDeclined
	case p.Jobs.Charge() != nil: // not decided; the status may be pending, if the payer pays elsewhere
		return rankInProgress
	case p.Status == payment.StatusPending, p.Status == payment.StatusSettled:
		return rankPaid
	}
	return rankRefunded
}
