package preview

import (
	"cmp"
	"slices"

	"checkout/internal/checkout"
	"checkout/internal/operator/grant"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// Reasons that are not about one MID.
var (
	merchantDisabled = routing.Reason{Code: "merchant_disabled", Text: "The merchant is disabled."}
	mappingRemoved   = routing.Reason{Code: "mapping_removed", Text: "The session's mapping is removed."}
)

// outcome is what the payer of a session gets by some settings.
type outcome struct {
	mapping string                   // "" for none
	methods []string                 // that the page offers, in its order; none: the payer can't pay
	first   [][]routing.ExplainedTry // of each method: the MIDs of which one is tried first
	refused *routing.Reason          // why no MID is asked, nil if all are
}

// outcomeOf routes a session as its creation and the page do.
func outcomeOf(m *settings.Merchant, sess *checkout.Session) outcome {
	if m.Disabled {
		return outcome{refused: &merchantDisabled}
	}
	route, err := routing.FindRoute(m, &sess.Request)
	if err != nil {
		return outcome{} // the evaluations have the reasons
	}
	o := outcome{mapping: route.Mapping.Name, methods: route.Methods()}
	for _, id := range o.methods {
		o.first = append(o.first, route.First(id))
	}
	return o
}

// isNone reports whether the payer can't pay.
func (o outcome) isNone() bool { return len(o.methods) == 0 }

// firstMIDs returns the names of the MIDs of which one is tried first for the i-th method.
func (o outcome) firstMIDs(i int) []string {
	names := make([]string, len(o.first[i]))
	for j, try := range o.first[i] {
		names[j] = try.MID
	}
	return names
}

// compared is a session with what its payer gets by the present settings and by a draft.
type compared struct {
	*checkout.Session
	before, after outcome
}

func (c compared) otherMethods() bool {
	return !c.before.isNone() && !c.after.isNone() && !sameSet(c.before.methods, c.after.methods)
}

func (c compared) otherFirstMID() bool {
	for i, id := range c.before.methods {
		j := slices.Index(c.after.methods, id)
		if j >= 0 && (c.before.mapping != c.after.mapping || !sameSet(c.before.firstMIDs(i), c.after.firstMIDs(j))) {
			return true
		}
	}
	return false
}

func (c compared) none() bool { return !c.before.isNone() && c.after.isNone() }

func (c compared) gained() bool { return c.before.isNone() && !c.after.isNone() }

// sameSet reports whether two lists have the same names, in whatever order. A list has each name once.
func sameSet(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool { return !slices.Contains(b, name) })
}

// example returns the session as an example.
func (c compared) example(before, after *settings.Merchant) Example {
	req := &c.Request
	e := Example{
		ID: cmp.Or(c.PaymentID, c.FirstPaymentID), Mode: grant.Live,
		Order: req.Order.Number, Amount: req.Order.Amount.Text, Currency: req.Order.Currency,
		Country: req.BillingAddress.Country,
		MIDs:    []routing.ExplainedMID{},
	}
	if req.Test {
		e.Mode = grant.Test
	}
	e.Before, _ = c.before.explain(before, c.Session)
	e.After, e.MIDs = c.after.explain(after, c.Session)
	return e
}

// explain returns an outcome for people, with the MIDs of the settings as they are explained to merchants.
func (o outcome) explain(m *settings.Merchant, sess *checkout.Session) (Outcome, []routing.ExplainedMID) {
	out := Outcome{Mapping: o.mapping, Methods: []Offered{}, Reasons: []routing.Reason{}}
	mids := []routing.ExplainedMID{}
	if o.refused != nil {
		out.Reasons = append(out.Reasons, *o.refused)
		return out, mids
	}
	for i, id := range o.methods {
		out.Methods = append(out.Methods, Offered{id, o.firstMIDs(i)})
	}
	for _, e := range routing.Evaluate(m, &sess.Request) {
		mid := routing.ExplainMID(e, &sess.Request)
		if mid.Takes {
			mid.LeaveOut(o.methods, &sess.Request)
		}
		mids = append(mids, mid)
		for _, reason := range mid.Reasons {
			if o.isNone() && !slices.Contains(out.Reasons, reason) {
				out.Reasons = append(out.Reasons, reason)
			}
		}
	}
	return out, mids
}
