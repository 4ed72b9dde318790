package checkout

import (
	"time"

	"checkout/internal/money"
)

// Transaction is one thing that was asked of the provider and its end.
type Transaction struct {
	Type      EventType         `json:"type"`
	Status    TransactionStatus `json:"status"`
	Date      time.Time         `json:"date"`
	Amount    money.Amount      `json:"amount"`
	Reference string            `json:"reference,omitempty"`
	Reason    string            `json:"reason,omitempty"` // of a fail, or of a success with something beside it
	MID       string            `json:"mid,omitempty"`
	Connector string            `json:"connector,omitempty"`
	Code      string            `json:"code,omitempty"`     // the provider's own
	SentAt    time.Time         `json:"sent_at,omitzero"`   // when it was last sent to the provider; zero: it was not
	LookUps   int               `json:"look_ups,omitempty"` // how often the provider was asked what became of it
}
