// Package chains is what operators see of recurring chains: the terms, the charges that were made and are due, who has
// started and stopped the schedule, and what can be done with it.
package chains

import (
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/operator/grant"
	"checkout/internal/reason"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Chain is all about a recurring chain on one screen. It has no token and no card number.
type Chain struct {
	ChainItem
	Means     string          `json:"means"` // in words: what is charged next, or why nothing is
	Terms     []Fact          `json:"terms"`
	Next      []string        `json:"next"`           // the next dates, RFC 3339, at most nextDates
	Charges   []ChainCharge   `json:"charges"`        // the initial payment and all later ones, the latest first
	More      bool            `json:"more,omitempty"` // there are older charges
	Events    []ChainEvent    `json:"events"`         // who has changed the schedule, the oldest first
	CreatedAt time.Time       `json:"created_at"`
	Possible  []ChainPossible `json:"possible"`
}

// ChainItem is a recurring chain in a list.
type ChainItem struct {
	ID         string    `json:"id"` // of its initial payment
	Merchant   string    `json:"merchant"`
	Mode       string    `json:"mode"`
	Order      string    `json:"order"` // of the initial payment
	State      State     `json:"state"`
	Amount     string    `json:"amount,omitempty"` // of each scheduled charge
	Currency   string    `json:"currency"`
	Interval   string    `json:"interval,omitempty"` // in words
	NextAt     time.Time `json:"next_at,omitzero"`
	Made       int       `json:"charges_made"` // by the schedule
	ScheduleID string    `json:"schedule_id,omitempty"`
	MID        string    `json:"mid"`
}

// State is where a chain stands.
type State string

// The states.
const (
	Running   State = "running"   // the schedule charges again
	Stopped   State = "stopped"   // a person or the merchant has stopped the schedule
	Cancelled State = "cancelled" // the initial payment was voided or disputed
	Ended     State = "ended"     // all charges were made, or the schedule was removed
	OnRequest State = "on_request"
)

// Fact is one of the terms.
type Fact struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ChainCharge is a payment of the chain.
type ChainCharge struct {
	PaymentID  string      `json:"payment_id"`
	At         time.Time   `json:"at"`
	Order      string      `json:"order"`
	Amount     string      `json:"amount"`
	Currency   string      `json:"currency"`
	Status     string      `json:"status"`
	ReasonCode reason.Code `json:"reason_code,omitempty"`
	Initial    bool        `json:"initial,omitempty"`
}

// ChainEvent is something that was done with the chain.
type ChainEvent struct {
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
	Reason string    `json:"reason,omitempty"`
}

// ChainPossible is an act that a person may ask for, and why not now.
type ChainPossible struct {
	Act     checkout.ChainDeed `json:"act"`
	Label   string             `json:"label"`
	Does    string             `json:"does"`
	Allowed bool               `json:"allowed"`
	Why     string             `json:"why,omitempty"` // it is not allowed
}

const (
	nextDates   = 3
	chargesRead = 100  // of the listing, at once
	mostOfOrder = 1000 // documents of an order
)

// Reader shows operators recurring chains. NewReader makes one.
type Reader struct{ core *checkout.Core }

// NewReader makes a reader.
func NewReader(core *checkout.Core) *Reader { return &Reader{core} }

func itemOf(c *checkout.Chain) ChainItem {
	item := ChainItem{
		ID: c.PaymentID, Merchant: c.Merchant, Mode: string(grant.Live), Order: c.Order.Number, State: StateOf(c),
		Amount: c.Amount.Text, Currency: c.Order.Currency, NextAt: c.NextAt, Made: c.Charges, ScheduleID: c.ScheduleID,
		MID: c.MID,
	}
	if c.Test {
		item.Mode = string(grant.Test)
	}
	if c.ScheduleID != "" {
		item.Interval = intervalText(c.Interval)
	}
	return item
}

// StateOf returns where a chain stands.
func StateOf(c *checkout.Chain) State {
	switch {
	case c.Cancelled:
		return Cancelled
	case c.Stopped != nil:
		return Stopped
	case !c.NextAt.IsZero():
		return Running
	case c.ScheduleID == "":
		return OnRequest
	}
	return Ended
}

// createdAt is when the initial payment was made, by its id.
func createdAt(c *checkout.Chain) time.Time {
	at, _ := store.IDTime(c.PaymentID)
	return at
}

// intervalText is an interval in words.
func intervalText(i settings.Interval) string {
	text := "every " + string(i.IntervalUnit)
	if i.IntervalLength > 1 {
		text = fmt.Sprintf("every %d %ss", i.IntervalLength, i.IntervalUnit)
	}
	if i.DayOfMonth > 0 {
		text += fmt.Sprintf(" on day %d", i.DayOfMonth)
	}
	return text
}

// clock returns a time in a sentence.
func clock(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
