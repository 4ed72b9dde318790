package demo

// Outcome is a value by which the sandbox chooses what happens to a payment without a card: what stands before the @ in
// the buyer's e-mail address.
type Outcome struct {
	Value   string
	Happens string
}

// Email is an address with the value.
func (o Outcome) Email() string { return o.Value + "@shop.example" }

// TestOutcomes are the sandbox's values. With any other address a payment waits, and the sandbox's page of it has a
// button for each way in which it can end.
var TestOutcomes = []Outcome{
	{"settled", "Paid at once."},
	{"declined", "Declined at once."},
	{"expires", "Waits for 20 seconds, and nobody pays."},
	{"late", "Paid after 20 seconds, which is too late."},
	{"too-little", "Only half of it arrives within 20 seconds."},
	{"fails-later", "Accepted, and declined 20 seconds later."},
	{"returned", "Paid, and reversed by the provider right afterwards."},
}
