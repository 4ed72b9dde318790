package merchant

import (
	"context"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/blocklist"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// Explain returns what a POST /api/v1/session would lead to, and stores nothing: the same body may be sent as a session
// right afterwards. It returns an Explanation also if no MID is eligible.
// Errors: those of CreateSession that are not about routes and duplicates.
func (s *Creator) Explain(ctx context.Context, body []byte) (Response, error) {
	now := s.core.Now()
	r, err := s.readSession(ctx, now, body)
	if err != nil {
		return nil, err
	}
	e, err := s.explain(ctx, now, r)
	if err != nil {
		return nil, err
	}
	return explainResponse{e}, nil
}

// explain returns what a request would lead to.
func (s *Creator) explain(ctx context.Context, now time.Time, r *SessionRequest) (e routing.Explanation, err error) {
	saved, err := s.savedCards(ctx, now, r.Session)
	if err != nil {
		return e, err
	}
	e = routing.Explanation{
		Operation: r.Operation, Methods: []routing.ExplainedMethod{}, SavedCards: []routing.ExplainedCard{},
		MIDs: []routing.ExplainedMID{}, Warnings: r.Merchant.Warnings(now), LeftOut: append([]string{}, r.LeftOut...),
		Ignored:        append([]string{}, r.draft.Ignored()...),
		CallbackFormat: r.Merchant.CallbackFormat(""),

		Hint: settings.HintOf(r.Merchant, r.Owner, request.SignedSession(r.Order)),
	}
	if !r.Test {
		e.Warnings = append(e.Warnings, r.Merchant.LiveWarnings()...)
	}
	blocks, err := s.core.Blocks(ctx, now, r.Owner)
	if err != nil {
		return e, err
	}
	if entry := blocks.Find(blocklist.Payer{Email: r.Customer.Email, IP: r.StatedIP}, now); entry != nil {
		e.Warnings = append(e.Warnings, entry.Warning())
	}
	for _, card := range saved {
		e.SavedCards = append(e.SavedCards, routing.ExplainedCard{Mask: card.View.Mask, Expiry: card.View.Expiry()})
	}
	for _, evaluation := range routing.Evaluate(r.Merchant, r.Session) {
		mid := routing.ExplainMID(evaluation, r.Session)
		mid.Circuit = s.core.Circuits().View(ctx, now, checkout.CircuitMID(r.Owner, evaluation.Mapping.Name, evaluation.MID))
		e.MIDs = append(e.MIDs, mid)
	}
	route, err := r.Route()
	if err != nil {
		return e, nil // the evaluations have the reasons
	}
	e.Mapping, e.CallbackFormat = route.Mapping.Name, r.Merchant.CallbackFormat(route.Mapping.Name)
	if shown, rule := route.Mapping.Shown(r.Session); rule >= 0 {
		e.PreRouting = &routing.ExplainedRule{Rule: rule, Methods: shown}
	}
	offered := route.Methods()
	for i := range e.MIDs {
		if e.MIDs[i].Takes {
			e.MIDs[i].LeaveOut(offered, r.Session)
		}
	}
	for _, name := range offered {
		e.Methods = append(e.Methods, explainMethod(route, name, &checkout.Session{Request: *r.Session, Saved: saved}))
	}
	return e, nil
}

func explainMethod(r routing.Route, name string, sess *checkout.Session) routing.ExplainedMethod {
	m, _ := method.Find(name)
	e := routing.ExplainedMethod{
		ID: m.ID, Label: m.Name, Fields: []routing.ExplainedField{}, MIDs: []routing.ExplainedTry{},
	}
	if sess.Request.Operation != method.Credit || len(sess.Saved) == 0 { // a credit with a saved card has no page
		for _, f := range form.Method(r, name, &sess.Request, nil).Fields {
			e.Fields = append(e.Fields, routing.ExplainedField{ID: f.ID, Kind: f.Kind, Required: f.Required})
		}
	}
	weighted, rest := r.ByWeight(name)
	for _, mid := range slices.Concat(weighted, rest) {
		e.MIDs = append(e.MIDs, routing.ExplainedTry{MID: mid.Name, Weight: mid.Weight})
	}
	return e
}
