package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
)

// History is what happened to a payment, for an operator. It has no secret, no card number, no token, of the payer's
// data only the card's mask, and of the session's id only the part that does not open it.
type History struct {
	PaymentID string  `json:"payment_id"`
	Facts     []Fact  `json:"facts"`
	Events    []Event `json:"events"` // by time, also those that are still due
}

// Fact is a property of the payment, or of an event.
type Fact struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Event is something that happened to the payment, or is due.
type Event struct {
	At   time.Time `json:"at"`
	Kind string    `json:"kind"` // session, attempt, sent, outcome, report, person, status, callback, try, due
	Text string    `json:"text"` // a sentence
	// Details are ids, codes and what was said by others, which the sentence does not need.
	Details []Fact `json:"details,omitempty"`
}

// event adds an event. details are names, each followed by its text; those with an empty text are left out.
func (h *History) event(at time.Time, kind, text string, details ...string) {
	e := Event{At: at, Kind: kind, Text: fault.Printable(text, fault.MaxHistoryText)}
	for pair := range slices.Chunk(details, 2) {
		if pair[1] != "" {
			e.Details = append(e.Details, Fact{pair[0], fault.Printable(pair[1], fault.MaxHistoryText)})
		}
	}
	h.Events = append(h.Events, e)
}

func (h *History) fact(name, text string) {
	if text != "" {
		h.Facts = append(h.Facts, Fact{name, fault.Printable(text, fault.MaxHistoryText)})
	}
}

func amountText(amount, currency string) string {
	return cmp.Or(amount, "an amount that the payer enters") + " " + currency
}

// Clock returns a time in a sentence.
func Clock(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

// String returns the history as text: the facts, and a line for each event.
func (h History) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "payment        %s\n", h.PaymentID)
	for _, f := range h.Facts {
		fmt.Fprintf(&out, "%-14s %s\n", f.Name, f.Text)
	}
	out.WriteByte('\n')
	for _, e := range h.Events {
		fmt.Fprintf(&out, "%s  %-8s  %s\n", e.At.UTC().Format("2006-01-02 15:04:05.000"), e.Kind, e)
	}
	return out.String()
}

// String returns the sentence with its details.
func (e Event) String() string {
	var details []string
	for _, f := range e.Details {
		details = append(details, f.Name+" "+f.Text)
	}
	if len(details) == 0 {
		return e.Text
	}
	return e.Text + " (" + strings.Join(details, ", ") + ")"
}
