package connector

import (
	"fmt"
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/page/screen"
)

// ActionKind says where the payer has to act.
type ActionKind string

// The kinds of required actions. A payment gets the status of the same name.
const (
	Action3DS      ActionKind = "3ds"
	ActionRedirect ActionKind = "redirect"
	ActionPending  ActionKind = "pending" // here, with what is shown
)

// RequiredAction is what the payer has to do before the provider decides: at URL, or with the values of Show if
// Kind is ActionPending.
type RequiredAction struct {
	Kind      ActionKind     `json:"kind"`
	Text      screen.Text    `json:"text,omitempty"` // key of a text of the page; "": Show tells enough
	URL       string         `json:"url,omitempty"`
	Show      []screen.Shown `json:"show,omitempty"`
	Fields    []FormField    `json:"fields,omitempty"`    // a second form, which the payer fills in on the page
	Step      int            `json:"step,omitempty"`      // number of that form, set by the service
	ExpiresAt time.Time      `json:"expires_at,omitzero"` // zero: not known
	CanEnd    bool           `json:"can_end,omitempty"`   // the connector is a Canceller; set by the service
}

// Expired reports whether the time for it is over.
func (a *RequiredAction) Expired(now time.Time) bool {
	return !a.ExpiresAt.IsZero() && !now.Before(a.ExpiresAt)
}

// expiryMargin is how long after the expiry of an action it is looked up, so that the provider has noticed the expiry.
const expiryMargin = 5 * time.Second

// LimitDelay shortens the delay of a look-up so that it comes soon after the action expires.
func (a *RequiredAction) LimitDelay(now time.Time, delay time.Duration) time.Duration {
	if a == nil || a.ExpiresAt.IsZero() || a.Expired(now) {
		return delay
	}
	left := min(a.ExpiresAt.Sub(now), delay) // before more is added: to the year 9999 it is the longest duration
	return min(delay, left+expiryMargin)
}

// HasForm reports whether the action has a second form.
func (a *RequiredAction) HasForm() bool { return a != nil && len(a.Fields) > 0 }

// HasInstructions reports whether the payer is told to do something.
func (a *RequiredAction) HasInstructions() bool {
	return a != nil && (a.URL != "" || a.Text != "" || len(a.Show) > 0 || a.HasForm())
}

// IsPaidByPayer reports whether the payer is shown what to pay with elsewhere: money can arrive then, whatever the
// provider says of the charge.
func (a *RequiredAction) IsPaidByPayer() bool {
	return a.Kind == ActionPending && slices.ContainsFunc(a.Show, func(row screen.Shown) bool {
		return slices.Contains(paidWith, row.Type)
	})
}

// paidWith are the types of rows that a payer can pay with.
var paidWith = []screen.ShownType{screen.ShownCopy, screen.ShownQR, screen.ShownBarcode, screen.ShownImage}

// FieldsFault returns which member of an action is wrong because a field can't be drawn after a charge by a method, and
// why; "" if all can. page says whether the payment has one.
func (a *RequiredAction) FieldsFault(id string, operation method.Operation, page bool) (member, fault string) {
	switch {
	case len(a.Fields) == 0:
		return "", ""
	case len(a.Fields) > MaxFields:
		return "fields", fmt.Sprintf("has more than %d fields", MaxFields)
	case a.URL != "":
		return "fields", "stands beside a url, where the payer sees no form"
	case !page:
		return "fields", "is of a payment without a page"
	}
	m, _ := method.Find(id)
	known := map[string]bool{}
	for i, f := range a.Fields {
		member, fault := f.descriptionFault()
		switch rows := m.SecondFields(operation); {
		case fault != "":
		case known[f.ID]:
			member, fault = "id", "is that of an earlier field"
		case f.Kind == "" && !slices.ContainsFunc(rows, func(row method.PageField) bool { return row.ID == f.ID }):
			member, fault = "id", "is no parameter that the page asks for after a charge of "+id+", and has no kind"
		case f.Kind != "" && m.HasRow(f.ID):
			member, fault = "id", "is a parameter of "+id+", which has no description of its own"
		}
		if fault != "" {
			return fmt.Sprintf("fields[%d].%s", i, member), fault
		}
		known[f.ID] = true
	}
	return "", ""
}
