package demo

// Outcome is a value by which the sandbox chooses what happens to a payment: what stands before the @ in the buyer's
// e-mail address.
type Outcome struct {
	Value   string
	Happens string
}

// Email is an address with the value.
func (o Outcome) Email() string { return o.Value + "@shop.example" }

// TestOutcomes are the sandbox's values for payments without a card. With any other address such a payment waits, and
// the sandbox's page of it has a button for each way in which it can end.
var TestOutcomes = []Outcome{
	{"settled", "Paid at once."},
	{"declined", "Declined at once."},
	{"expires", "Waits for 20 seconds, and nobody pays."},
	{"late", "Paid after 20 seconds, which is too late."},
	{"too-little", "Only half of it arrives within 20 seconds."},
	{"fails-later", "Accepted, and declined 20 seconds later."},
	{"returned", "Paid, and reversed by the provider right afterwards."},
}

// declineCodes are the reason codes of providers. The sandbox declines a payment with the one that the buyer's e-mail
// address names, cards too.
var declineCodes = []string{
	"declined", "do_not_honor", "do_not_try_again", "insufficient_funds", "exceeds_limit", "too_many_payments",
	"try_again_later", "issuer_unavailable", "provider_problem", "merchant_invalid", "call_issuer",
	"authentication_required", "authentication_failed", "fraud_suspected", "security_violation", "card_lost",
	"card_stolen", "pick_up_card", "card_blocked", "card_not_supported", "card_invalid", "card_replaced",
	"card_expired", "security_code_invalid", "pin_invalid", "too_many_pins", "address_mismatch",
	"account_invalid", "account_closed", "account_blocked", "name_mismatch", "voucher_invalid", "amount_invalid",
	"currency_not_supported", "duplicate", "recurring_stopped", "not_allowed", "payer_refused", "payer_too_slow",
}

// TestDeclines are the choices to be declined with each reason code.
func TestDeclines() (all []Outcome) {
	for _, code := range declineCodes {
		all = append(all, Outcome{"decline-" + code, code})
	}
	return all
}
