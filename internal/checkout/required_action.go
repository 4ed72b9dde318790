package checkout

import (
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/screen"
)

// RequiredAction is what the payer has to do before the provider decides: at URL, or with the values of Show if
// Kind is StatusPending.
type RequiredAction struct {
	Kind      Status         `json:"kind"`           // Status3DS, StatusRedirect or StatusPending
	Text      screen.Text    `json:"text,omitempty"` // key of a text of the page; "": Show tells enough
	URL       string         `json:"url,omitempty"`
	Show      []screen.Shown `json:"show,omitempty"`
	Fields    []FormField    `json:"fields,omitempty"`    // a second form, which the payer fills in on the page
	Step      int            `json:"step,omitempty"`      // number of that form, set by the service
	ExpiresAt time.Time      `json:"expires_at,omitzero"` // zero: not known
	CanEnd    bool           `json:"can_end,omitempty"`   // the connector is a Canceller; set by the service
}

// expired reports whether the time for it is over.
func (a *RequiredAction) expired(now time.Time) bool {
	return !a.ExpiresAt.IsZero() && !now.Before(a.ExpiresAt)
}

// expiryMargin is how long after the expiry of an action it is looked up, so that the provider has noticed the expiry.
const expiryMargin = 5 * time.Second

// limitDelay shortens the delay of a look-up so that it comes soon after the action expires.
func (a *RequiredAction) limitDelay(now time.Time, delay time.Duration) time.Duration {
	if a == nil || a.ExpiresAt.IsZero() || a.expired(now) {
		return delay
	}
	return min(delay, a.ExpiresAt.Sub(now)+expiryMargin)
}

// hasForm reports whether the action has a second form.
func (a *RequiredAction) hasForm() bool { return a != nil && len(a.Fields) > 0 }

// hasInstructions reports whether the payer is told to do something.
func (a *RequiredAction) hasInstructions() bool {
	return a != nil && (a.URL != "" || a.Text != "" || len(a.Show) > 0 || a.hasForm())
}

// FormField is a field of a second form: a parameter of the payment's method.
type FormField struct {
	ID      string          `json:"id"`                // of a method.PageField
	Options []screen.Option `json:"options,omitempty"` // that the provider offers
}

// formFields returns the fields of the second form of a method, with the provider's options.
func (a *RequiredAction) formFields(id string, operation method.Operation) []method.PageField {
	m, _ := method.Find(id)
	var fields []method.PageField
	for _, f := range m.SecondFields(operation) {
		i := slices.IndexFunc(a.Fields, func(field FormField) bool { return field.ID == f.ID })
		if i < 0 {
			continue
		}
		for _, option := range a.Fields[i].Options {
			f.Options = append(f.Options, method.Option(option))
		}
		fields = append(fields, f)
	}
	return fields
}
