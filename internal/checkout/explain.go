package checkout

import (
	"context"
	"slices"

	"checkout/internal/form"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/request"
)

// Explain returns what a POST /api/v1/session would lead to, and stores nothing: the same body may be sent as a session
// right afterwards. It returns an Explanation also if no MID is eligible.
// Errors: those of CreateSession that are not about routes and duplicates.
func (s *Service) Explain(ctx context.Context, body []byte) (Response, error) {
	now := s.Now()
	r, err := s.readSession(ctx, now, body)
	if err != nil {
		return nil, err
	}
	saved, err := s.savedCards(ctx, now, r.Session)
	if err != nil {
		return nil, err
	}
	e := merchant.Explanation{
		Operation: r.Operation, Methods: []merchant.ExplainedMethod{}, SavedCards: []merchant.ExplainedCard{},
		MIDs: []merchant.ExplainedMID{}, Warnings: r.Merchant.Warnings(now), LeftOut: append([]string{}, r.LeftOut...),
		Hint: merchant.HintOf(r.Merchant, r.Owner, request.SignedSession(r.Order)),
	}
	if !r.Test {
		e.Warnings = append(e.Warnings, r.Merchant.LiveWarnings()...)
	}
	for _, card := range saved {
		e.SavedCards = append(e.SavedCards, merchant.ExplainedCard{Mask: card.View.Mask, Expiry: card.View.Expiry()})
	}
	route, err := r.Route()
	for _, evaluation := range route.Evaluations {
		mid := merchant.ExplainMID(evaluation, r.Session)
		mid.Circuit = s.circuits().View(ctx, now, circuitMID(r.Owner, evaluation.Mapping.Name, evaluation.MID))
		e.MIDs = append(e.MIDs, mid)
	}
	if err != nil {
		return explainResponse{e}, nil // the evaluations have the reasons
	}
	e.Mapping = route.Mapping.Name
	if shown, rule := route.Mapping.Shown(r.Session); rule >= 0 {
		e.PreRouting = &merchant.ExplainedRule{Rule: rule, Methods: shown}
	}
	for _, name := range route.Methods() {
		e.Methods = append(e.Methods, explainMethod(route, name, &Session{Request: *r.Session, Saved: saved}))
	}
	return explainResponse{e}, nil
}

func explainMethod(r merchant.Route, name string, sess *Session) merchant.ExplainedMethod {
	m, _ := method.Find(name)
	e := merchant.ExplainedMethod{
		ID: m.ID, Label: m.Name, Fields: []merchant.ExplainedField{}, MIDs: []merchant.ExplainedTry{},
	}
	if sess.Request.Operation != method.Credit || len(sess.Saved) == 0 { // a credit with a saved card has no page
		for _, f := range form.Method(r, name, &sess.Request, nil).Fields {
			e.Fields = append(e.Fields, merchant.ExplainedField{ID: f.ID, Kind: f.Kind, Required: f.Required})
		}
	}
	weighted, rest := r.ByWeight(name)
	for _, mid := range slices.Concat(weighted, rest) {
		e.MIDs = append(e.MIDs, merchant.ExplainedTry{MID: mid.Name, Weight: mid.Weight})
	}
	return e
}
