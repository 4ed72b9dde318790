package demo

// Outcome is an e-mail address of a buyer by which the sandbox chooses what happens to a payment without a card.
type Outcome struct {
	Email   string
	Happens string
}

// TestOutcomes are the sandbox's addresses. With any other one the payment succeeds.
var TestOutcomes = []Outcome{}
