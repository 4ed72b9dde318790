package checkout

import (
	"fmt"
	"slices"
	"time"

	"checkout/internal/form"
	"checkout/internal/method"
	"checkout/internal/request"
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

// screenFields returns the fields of the second form of a method as the page draws them, in the connector's order.
func (a *RequiredAction) screenFields(req *request.Session, id string) []screen.Field {
	var shown []screen.Field
	rows := a.rows(id, req.Operation)
	for _, f := range a.Fields {
		if f.Kind != "" {
			drawn := form.ScreenFields([]method.PageField{f.pageField()}, req)
			f.describe(&drawn[0])
			shown = append(shown, drawn...)
		} else if i := slices.IndexFunc(rows, func(row method.PageField) bool { return row.ID == f.ID }); i >= 0 {
			shown = append(shown, form.ScreenFields(rows[i:i+1], req)...)
		}
	}
	return shown
}

// hasFilledForm reports whether the payer has filled in a second form.
func (p *Payment) hasFilledForm() bool {
	return p.Action != nil && p.Action.Step > 0 && !p.Action.hasForm()
}

// rows returns those fields of the second form that are parameters of a method, with the provider's options.
func (a *RequiredAction) rows(id string, operation method.Operation) []method.PageField {
	m, _ := method.Find(id)
	var fields []method.PageField
	for _, row := range m.SecondFields(operation) {
		i := slices.IndexFunc(a.Fields, func(f FormField) bool { return f.Kind == "" && f.ID == row.ID })
		if i < 0 {
			continue
		}
		for _, option := range a.Fields[i].Options {
			row.Options = append(row.Options, method.Option{Value: option.Value})
		}
		fields = append(fields, row)
	}
	return fields
}

// fieldsFault returns which member of an action is wrong because a field can't be drawn after a charge by a method, and
// why; "" if all can. page says whether the payment has one.
func (a *RequiredAction) fieldsFault(id string, operation method.Operation, page bool) (member, fault string) {
	switch {
	case len(a.Fields) == 0:
		return "", ""
	case len(a.Fields) > maxFields:
		return "fields", fmt.Sprintf("has more than %d fields", maxFields)
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
