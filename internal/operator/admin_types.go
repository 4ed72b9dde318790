package operator

import (
	"time"

	"checkout/internal/callback"
	"checkout/internal/listing"
	"checkout/internal/payment"
)

// Row is a payment in a list, as a person may see it.
type Row struct {
	Merchant string `json:"merchant"`
	Mode     string `json:"mode"` // live or test
	ID       string `json:"id"`
	State    string `json:"state"` // in one word: the payment's status, or open, expired, cancelled for a session
	listing.Row
}

// Filter chooses payments of a time. Empty members choose all.
type Filter struct {
	Merchant            string // id; "": all that the person may see
	Mode                string // live or test; "": live
	From, Until         time.Time
	Status, Method, MID string
	Currency, Amount    string
	Country, Card       string // Card: the last four digits
	ApprovalCode        string
	Callbacks           callback.State
	ReasonCode          string
	Cursor              string
	Limit               int // rows; 0: 50, at most 500
}

// List is one page of payments, the latest first.
type List struct {
	Rows       []Row     `json:"rows"`
	Cursor     string    `json:"cursor,omitempty"` // of the next page; "": there is none
	SearchedTo time.Time `json:"searched_to"`      // everything later was looked at
}

// Found is what Find has found, the latest first.
type Found struct {
	Rows []Row  `json:"rows"`
	By   string `json:"by"` // what was searched for, in words: "order number, e-mail address or an id"
	More bool   `json:"more,omitempty"`
	Note string `json:"note,omitempty"` // what would help: "name the day of the payment as well"
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

// Delivery is a callback with its tries.
type Delivery struct {
	Seq       int            `json:"seq"`
	ID        string         `json:"id"` // webhook-id
	Event     string         `json:"event"`
	State     callback.State `json:"state"`
	URL       string         `json:"url"` // without what may be secret
	CreatedAt time.Time      `json:"created_at"`
	NextAt    time.Time      `json:"next_at,omitzero"`
	Tries     []callback.Try `json:"tries"`
	MaySend   bool           `json:"may_send"`
	WhyNot    string         `json:"why_not,omitempty"`
}

// Possible is an act that people may ask for, and why not now.
type Possible struct {
	Act       string   `json:"act"` // refund, capture, void, look-up, settle
	Label     string   `json:"label"`
	Allowed   bool     `json:"allowed"`
	Why       string   `json:"why,omitempty"`       // it is not allowed
	Amount    string   `json:"amount,omitempty"`    // the most
	Partial   bool     `json:"partial,omitempty"`   // a smaller amount may be named
	Reference string   `json:"reference,omitempty"` // of the request that it is about
	Verdicts  []string `json:"verdicts,omitempty"`  // of settle
}

// View is all about a payment on one screen.
type View struct {
	Row       Row        `json:"row"`
	Summary   Summary    `json:"summary"`
	Facts     []Fact     `json:"facts"`
	Timeline  []Event    `json:"timeline"`
	Callbacks []Delivery `json:"callbacks"`
	Possible  []Possible `json:"possible"`
}

// Group is a sum of lines of the journal that have a day, a currency, a method, a MID and a type in common.
type Group struct {
	Day       string            `json:"day"`
	Currency  string            `json:"currency"`
	Method    string            `json:"method"`
	MID       string            `json:"mid"`
	Type      payment.EventType `json:"type"`
	Succeeded int               `json:"succeeded"`
	Failed    int               `json:"failed"`
	Amount    string            `json:"amount"` // of those that succeeded
}

// Totals sums up what a filter chooses.
type Totals struct {
	Groups   []Group   `json:"groups"`
	Sums     []Sum     `json:"sums"`
	Declines []Decline `json:"declines"` // the most frequent first
	Lines    int       `json:"lines"`
	Cursor   string    `json:"cursor,omitempty"` // the rest is to be added
}

// Sum is the money of a currency.
type Sum struct {
	Currency string `json:"currency"`
	Paid     string `json:"paid"`
	Returned string `json:"returned"` // refunds, voids of captured payments, chargebacks
	Net      string `json:"net"`
	Attempts int    `json:"attempts"`
	Accepted int    `json:"accepted"`
}

// Decline is how often a reason was given.
type Decline struct {
	ReasonCode string `json:"reason_code"`
	Text       string `json:"text"`
	Count      int    `json:"count"`
}

// Lines is one page of the journal.
type Lines struct {
	Lines  []listing.Line
	Cursor string
}

// Address is where callbacks are sent to, and how it does.
type Address struct {
	Merchant  string    `json:"merchant"`
	Mode      string    `json:"mode"`
	URL       string    `json:"url"`
	OpenUntil time.Time `json:"open_until,omitzero"` // its circuit breaker
	Slow      bool      `json:"slow,omitempty"`
	Waiting   int       `json:"waiting"`
	Parked    int       `json:"parked"`
	Oldest    time.Time `json:"oldest,omitzero"`
}

// Deliveries are undelivered callbacks.
type Deliveries struct {
	Callbacks []callback.Undelivered `json:"callbacks"` // the first of them
	Waiting   int                    `json:"waiting"`
	Parked    int                    `json:"parked"`
	Cursor    string                 `json:"cursor,omitempty"`
}

// UnderWay is a request that is sent and not decided, or due and not done.
type UnderWay struct {
	WaitingRequest
	DueAt time.Time `json:"due_at"`
	Late  bool      `json:"late"` // it should have been done by now
}
