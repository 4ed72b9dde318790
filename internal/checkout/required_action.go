package checkout

import (
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/screen"
)

// RequiredAction is what the payer has to do before the provider decides: at URL, or
// for StatusPending with what Show names.
type RequiredAction struct {
	Kind      Status         `json:"kind"`           // Status3DS, StatusRedirect or StatusPending
	Text      screen.Text    `json:"text,omitempty"` // what to do, as a key of the page's texts; "": as Show tells
	URL       string         `json:"url,omitempty"`
	Show      []screen.Shown `json:"show,omitempty"`
	Fields    []FormField    `json:"fields,omitempty"`    // a second form, which the payer fills in on the page
	Step      int            `json:"step,omitempty"`      // the number of that form, which the service counts
	ExpiresAt time.Time      `json:"expires_at,omitzero"` // what comes later does not count; zero: not known
}

// over reports whether the time to do it is over.
func (n *RequiredAction) expired(now time.Time) bool {
	return !n.ExpiresAt.IsZero() && !now.Before(n.ExpiresAt)
}

// expiryMargin is how much later than the end of a step the provider is asked, so that it knows of the end too.
const expiryMargin = 5 * time.Second

// limitDelay shortens a delay to the moment when the step's end can be learnt.
func (n *RequiredAction) limitDelay(now time.Time, delay time.Duration) time.Duration {
	if n == nil || n.ExpiresAt.IsZero() || n.expired(now) {
		return delay
	}
	return min(delay, n.ExpiresAt.Sub(now)+expiryMargin)
}

// asks reports whether a step has a second form.
func (n *RequiredAction) hasForm() bool { return n != nil && len(n.Fields) > 0 }

// FormField is a parameter of the method that the payer is asked for in a second form, with the provider's options if
// there are any to choose from.
type FormField struct {
	ID      string          `json:"id"` // of a row that the page asks for in a second form
	Options []screen.Option `json:"options,omitempty"`
}

// formFields are the formFields of a method that the second form has, with the provider's options.
func (n *RequiredAction) formFields(id string, operation method.Operation) []method.PageField {
	m, _ := method.Find(id)
	var fields []method.PageField
	for _, f := range m.SecondFields(operation) {
		i := slices.IndexFunc(n.Fields, func(w FormField) bool { return w.ID == f.ID })
		if i < 0 {
			continue
		}
		for _, option := range n.Fields[i].Options {
			f.Options = append(f.Options, method.Option(option))
		}
		fields = append(fields, f)
	}
	return fields
}
