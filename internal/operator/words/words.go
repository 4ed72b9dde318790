package words

import (
	"cmp"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/reason"
)

// Description has all words that page and command show of payments.
type Description struct {
	Statuses    map[string]StatusWords `json:"statuses"`     // by Row.State
	Payouts     map[string]StatusWords `json:"payouts"`      // the same of payouts, where they differ
	ReasonCodes map[string]ReasonWords `json:"reason_codes"` // of declines
	Columns     []ColumnWords          `json:"columns"`      // of a list of payments, in their order
	Filters     []FilterWords          `json:"filters"`
	Acts        map[string]ActWords    `json:"acts"` // by Possible.Act
}

// StatusWords explains a state of a payment or session.
type StatusWords struct {
	Label string `json:"label"`
	Means string `json:"means"`
	Turn  string `json:"turn"`  // whose turn it is
	Tell  string `json:"tell"`  // what the payer can be told
	Shape string `json:"shape"` // ok, wait, bad or off
}

// ReasonWords explains a reason of a decline.
type ReasonWords struct {
	Text  string `json:"text"`
	Tell  string `json:"tell"`
	Retry string `json:"retry"`
}

// ColumnWords is a column of a list of payments.
type ColumnWords struct {
	Name  string `json:"name"` // the member of Row
	Label string `json:"label"`
}

// FilterWords is a member of a filter. Kind is text, choice, day or amount.
type FilterWords struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Kind    string   `json:"kind"`
	Choices []string `json:"choices,omitempty"`
}

// Summary says in words what a status means.
type Summary struct {
	State string    `json:"state"`
	Means string    `json:"means"`
	Turn  string    `json:"turn"` // whose turn it is: nobody, payer, merchant, provider, service, operator
	Next  string    `json:"next,omitempty"`
	At    time.Time `json:"at,omitzero"`     // of Next
	Tell  string    `json:"tell"`            // what the payer can be told
	Retry string    `json:"retry,omitempty"` // of a decline: whether another try would help
}

// Describe returns all words.
func Describe() Description {
	d := Description{
		Statuses: statusWords, Payouts: payoutWords, ReasonCodes: map[string]ReasonWords{}, Columns: columnWords,
		Filters: filterWords(),
		Acts:    Acts,
	}
	for _, row := range reason.All {
		d.ReasonCodes[string(row.Code)] = reasonWords(row.Code)
	}
	return d
}

// Whose turn it is.
const (
	TurnNobody   = "nobody"
	turnPayer    = "payer"
	turnMerchant = "merchant"
	turnProvider = "provider"
	TurnService  = "service"
	turnOperator = "operator"
)

// The shapes of statuses.
const (
	shapeOK   = "ok"
	shapeWait = "wait"
	shapeBad  = "bad"
	shapeOff  = "off"
)

var statusWords = map[string]StatusWords{
	string(checkout.SessionOpen): {
		"Not tried yet", "The payer was sent to the checkout page and has not tried to pay.", turnPayer,
		"Nothing was charged. You can still pay on the checkout page.", shapeWait,
	},
	string(checkout.SessionExpired): {
		"Expired", "The checkout page has expired, and the payer has not tried to pay.", TurnNobody,
		"Nothing was charged. Please order again in the shop.", shapeOff,
	},
	string(checkout.SessionCancelled): {
		"Left", "The payer left the checkout page without trying to pay.", TurnNobody,
		"Nothing was charged. Please order again in the shop.", shapeOff,
	},
	string(payment.StatusPrepare): {
		"In progress", "The payment has begun, and its outcome is not known yet.", turnProvider,
		"The payment is being checked. Please wait, and don't pay a second time.", shapeWait,
	},
	string(payment.Status3DS): {
		"Payer confirms", "The payer has to confirm the payment with the bank of the card.", turnPayer,
		"Please finish the confirmation with your bank. Until then nothing is charged.", shapeWait,
	},
	string(payment.StatusRedirect): {
		"Payer pays elsewhere", "The payer was sent to the provider's page to pay there.", turnPayer,
		"Please finish the payment on the page that you were sent to.", shapeWait,
	},
	string(payment.StatusPending): {
		"Authorised or waiting", "The amount is reserved and not captured yet, or the payer still has to pay.",
		turnMerchant, "The amount is reserved, or you still have to pay. The shop can say which.", shapeWait,
	},
	string(payment.StatusSettled): {
		"Paid", "The payment has succeeded.", TurnNobody, "Your payment has succeeded.", shapeOK,
	},
	string(payment.StatusDecline): {
		"Declined", "The payment was declined.", TurnNobody,
		"The payment was declined. An amount that your bank shows as reserved is released by the bank.", shapeBad,
	},
	string(payment.StatusRefund): {
		"Refunded", "All that was paid was refunded.", TurnNobody,
		"Your money was refunded. It can take your bank several days to show it.", shapeOff,
	},
	string(payment.StatusVoid): {
		"Voided", "The payment was cancelled before any money was taken.", TurnNobody,
		"The payment was cancelled. The reserved amount is released by your bank.", shapeOff,
	},
	string(payment.StatusChargeback): {
		"Charged back", "The payer's bank has taken the money back from the merchant.", turnMerchant,
		"Your bank has returned the money to you.", shapeBad,
	},
	string(payment.StatusReversal): {
		"Reversed", "The provider has returned the money to the payer after the payment had succeeded.", TurnNobody,
		"The payment did not go through in the end. The money returns to your account.", shapeBad,
	},
}

// payoutWords explains the states of payouts, whose money goes the other way.
var payoutWords = map[string]StatusWords{
	string(payment.StatusPrepare): {
		"Payout in progress", "The payout has begun, and its outcome is not known yet.", turnProvider,
		"The payout is on its way. Please wait.", shapeWait,
	},
	string(payment.StatusPending): {
		"Payout in progress", "The provider has accepted the payout and has not made it yet.", turnProvider,
		"The payout is on its way. It can take several days.", shapeWait,
	},
	string(payment.StatusSettled): {
		"Paid out", "The payout was made.", TurnNobody, "The payout to you was made. " + bankIsSlow, shapeOK,
	},
	string(payment.StatusDecline): {
		"Payout declined", "The payout was declined.", turnMerchant,
		"The payout was declined. Please ask the shop how you get your money.", shapeBad,
	},
	string(payment.StatusVoid): {
		"Payout cancelled", "The payout was cancelled.", TurnNobody,
		"The payout was cancelled. Please ask the shop.", shapeOff,
	},
	string(payment.StatusReversal): {
		"Payout came back", "The payout was made, and the money came back to the merchant.", turnMerchant,
		"The payout did not reach you: the money went back to the shop. Please ask the shop.", shapeBad,
	},
}

// reasonWords explains a reason code.
func reasonWords(code reason.Code) ReasonWords {
	row := code.Row()
	w := ReasonWords{Text: code.Plain(), Retry: "Another try in the same way would be declined, too: " +
		"another card or way to pay is needed."}
	if row.Soft {
		w.Retry = "Another try later may succeed, also with the same card."
	}
	payer := cmp.Or(row.Payer, row.Code) // who pays with a stolen card is told no more than that it was declined
	w.Tell = Sentence(payer.Plain())
	if words, ok := toldWords[payer]; ok {
		w.Tell = words
	}
	return w
}

// toldWords is what the payer can be told, where the merchant's text is not for payers.
var toldWords = map[reason.Code]string{
	reason.Declined:             "The payment was declined. Please use another card, or ask your bank.",
	reason.InsufficientFunds:    "There is not enough money on the account.",
	reason.ExceedsLimit:         "The payment is above a limit of your card or account. Your bank can raise it.",
	reason.TryAgainLater:        "The payment can't be made at the moment. Please try again later.",
	reason.NotSupported:         "This way to pay is not possible here. Please choose another one.",
	reason.CallIssuer:           "Please call your bank: it wants to speak with you before it accepts the payment.",
	reason.AuthenticationFailed: "The confirmation with your bank has failed. Please try again, or ask your bank.",
	reason.CardNotSupported:     "This card can't be used for the payment. Please use another one.",
	reason.CardInvalid:          "The card's number is not valid. Please check it.",
	reason.CardExpired:          "The card has expired. Please use the new one.",
	reason.SecurityCodeInvalid:  "The security code is wrong. Please check it.",
	reason.PayerRefused:         "The payment was not confirmed: it was refused or cancelled at that step.",
	reason.PayerTooSlow:         "The time to confirm the payment ran out. Please try again.",
	reason.PaidTooLittle:        "Less arrived than was due. It is being decided what becomes of it.",
	reason.PaidTooLate: "The money arrived after the time to pay was over. It is being decided what becomes of " +
		"it.",
	reason.CardUnreadable: "The payment could not be made. Please enter the card again.",
	reason.NotSent:        "The payment could not be made. Please try again.",
	reason.TokenInvalid:   "The wallet's payment can't be used. Please pay again with the wallet.",
}

var columnWords = []ColumnWords{
	{"created_at", "Time"}, {"state", "Status"}, {"amount", "Amount"}, {"currency", "Currency"},
	{"refunded", "Refunded"}, {"order", "Order"},
	{"method", "Method"}, {"card", "Card"}, {"email", "E-mail"}, {"country", "Country"}, {"mid", "MID"},
	{"reason_code", "Reason"}, {"callbacks", "Callbacks"}, {"merchant", "Merchant"}, {"approval_code", "Approval code"},
	{"operation", "Operation"}, {"changed_at", "Changed"}, {"id", "Payment id"},
}

func filterWords() []FilterWords {
	var methods, reasons []string
	for _, m := range method.Methods {
		methods = append(methods, m.ID)
	}
	for _, row := range reason.All {
		reasons = append(reasons, string(row.Code))
	}
	return []FilterWords{
		{"merchant", "Merchant", "choice", nil}, // those of the person
		{"mode", "Mode", "choice", []string{"live", "test"}},
		{"from", "From", "day", nil},
		{"until", "Until", "day", nil},
		{"status", "Status", "choice", states()},
		{"method", "Method", "choice", methods},
		{"mid", "MID", "text", nil},
		{"currency", "Currency", "text", nil},
		{"amount", "Amount", "amount", nil},
		{"country", "Country", "text", nil},
		{"card", "Last four digits", "text", nil},
		{"approval_code", "Approval code", "text", nil},
		{"callbacks", "Callbacks", "choice", []string{
			string(callback.Parked), string(callback.Waiting), string(callback.Delivered),
		}},
		{"reason_code", "Reason", "choice", reasons},
	}
}

// states are all values of Row.State that a filter offers, in the order of a payment's life.
func states() []string {
	return []string{
		string(checkout.SessionOpen), string(payment.StatusPrepare), string(payment.Status3DS),
		string(payment.StatusRedirect), string(payment.StatusPending), string(payment.StatusSettled),
		string(payment.StatusDecline), string(payment.StatusRefund), string(payment.StatusVoid),
		string(payment.StatusChargeback), string(payment.StatusReversal), string(checkout.SessionExpired),
		string(checkout.SessionCancelled),
	}
}

// reported is what a provider reports against the outcome of a request.
var reported = map[payment.TransactionStatus]string{
	payment.Success: "approved after it was declined", payment.Fail: "declined after a person had approved it",
}
