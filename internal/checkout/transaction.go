package checkout

import (
	"time"

	"checkout/internal/money"
)

// Transaction is a request to the provider and its outcome.
type Transaction struct {
	Type      EventType         `json:"type"`
	Status    TransactionStatus `json:"status"`
	Date      time.Time         `json:"date"`
	Amount    money.Amount      `json:"amount"`
	Reference string            `json:"reference,omitempty"`
	Reason    string            `json:"reason,omitempty"` // of a fail, or of an overpayment
	MID       string            `json:"mid,omitempty"`
	Connector string            `json:"connector,omitempty"`
	Code      string            `json:"code,omitempty"`     // the provider's
	SentAt    time.Time         `json:"sent_at,omitzero"`   // when it was last sent; zero: never
	LookUps   int               `json:"look_ups,omitempty"` // how often it was looked up
}
