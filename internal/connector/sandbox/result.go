package sandbox

import (
	"context"

	"checkout/internal/connector"
	"checkout/internal/page/screen"
)

// QueryStatus returns what the ledger has of a reference of the request's kind.
func (s *Sandbox) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	e, version, err := s.read(ctx, r.Kind, r.Reference)
	if err != nil {
		return connector.Result{}, err
	}
	if version == 0 {
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	}
	return s.result(e), nil
}

// result is the current result of an entry. That of a follow-up has no ids of the provider, since the payment stores
// those of its charge.
func (s *Sandbox) result(e entry) connector.Result {
	e = e.at(s.Now())
	var r connector.Result
	if e.Kind == connector.RequestCharge {
		r.ProviderID, r.Received = "sandbox-"+e.Reference, e.received()
	}
	switch {
	case e.Next != "":
		r.Outcome, r.RequiredAction = connector.OutcomeActionRequired, s.requiredAction(e)
	case s.Now().Before(e.DecidedAt):
		r.Outcome = connector.OutcomePending
	case e.Outcome != connector.OutcomeApproved:
		r.Outcome, r.Reason, r.ReasonCode, r.ReasonLanguage = e.Outcome, e.Reason, e.reasonCode(), "en"
		r.Code = numberOf(r.ReasonCode)
	case e.Kind != connector.RequestCharge:
		r.Outcome, r.Code = e.Outcome, approvedNumber
	default:
		r.Outcome, r.Code, r.Authorised = e.Outcome, approvedNumber, e.Auth
		r.RRN, r.ApprovalCode = digits(e.Reference, 12), digits(e.Reference, 6)
		if e.PayerEnters {
			r.Amount = e.Amount
		}
		if e.Coin != nil {
			r.ExchangeRate, r.ExchangeBase, r.ExchangeCoin, r.ExchangeAmount = e.exchange()
		}
	}
	return r
}

// requiredAction is what the payer of an entry has to do.
func (s *Sandbox) requiredAction(e entry) *connector.RequiredAction {
	a := &connector.RequiredAction{Kind: e.Next, ExpiresAt: e.EndsAt}
	if e.Next != connector.ActionPending {
		a.URL = s.page(e.Reference)
		return a
	}
	a.Text, a.Show = scenes[e.Scene].text, e.shown(s.page(e.Reference))
	if scenes[e.Scene].asks {
		a.Fields = e.form()
	}
	if e.WrongCodes > 0 {
		a.Text = screen.TextCodeWrong
	}
	return a
}

// digits derives n digits from a reference, always the same ones.
func digits(reference string, n int) string {
	out := make([]byte, 0, n)
	for i := 0; len(out) < n; i++ {
		out = append(out, '0'+reference[len(reference)-1-i%len(reference)]%10)
	}
	return string(out)
}
