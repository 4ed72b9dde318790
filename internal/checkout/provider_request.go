package checkout

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/store"
)

// newCharge makes the request of a task to a MID, without the card.
func (s *Service) newCharge(ctx context.Context, t task, mid merchant.MID) (Charge, error) {
	p, sess, job := t.payment, t.session, t.job()
	credentials, err := mid.OpenCredentials(ctx)
	if err != nil {
		return Charge{}, err
	}
	r := ProviderRequest{
		Kind: p.sentKind(job), Reference: job.Reference, PaymentID: p.ID, SessionID: store.PublicID(p.SessionID),
		Credentials: credentials, NoticeURL: s.noticeURL(p, job),
	}
	r.OriginalReference, r.ProviderID = p.originalOf(job)
	if r.Amount, r.PayerEntersAmount, err = p.requestAmount(job); err != nil {
		return Charge{}, err
	}
	parameters, err := p.methodParameters(mid.Presets[p.Method])
	if err != nil {
		return Charge{}, err
	}
	c := Charge{
		ProviderRequest: r,
		Operation:       p.Operation, Method: p.Method, Description: p.Order.Description,
		Auth: p.Auth, Recurring: p.Recurring, InitialTransaction: p.InitialTransaction,
		InitialNetworkID: p.InitialNetworkID,
		StartsChain:      p.RecurringInit, SavesCard: p.savesCard(), SavedCard: p.SavedCard != "",
		CardName: job.CardName, Parties: p.Parties, PayerIP: p.PayerIP, StatedIP: p.StatedIP, Browser: p.Browser,
		Network: p.Network, Parameters: parameters,
	}
	if p.Recurring && method.IsWallet(p.Method) {
		c.Wallet = &Wallet{Kind: p.Method, CardFlow: p.SavedCard != ""}
	}
	if sess != nil {
		c.ExpiresAt, c.Language = p.payUntil(sess, mid), pageTag(sess.Request.Language)
	}
	if p.SessionID != "" {
		c.ReturnURL = s.BaseURL + "/page/v1/" + store.ReturnID(p.SessionID) + "/return"
	}
	return c, nil
}

// payUntil returns when the payer's time ends: with the session, but for what is paid offline, which the MID gives time
// of its own. It does not depend on when a request is sent, so that repeats are the same.
func (p *Payment) payUntil(sess *Session, mid merchant.MID) time.Time {
	if m, _ := method.Find(p.Method); m.Offline(p.BillingAddress.Country) {
		return p.CreatedAt.Add(mid.OfflineTime())
	}
	return sess.ExpiresAt
}

// savesCard reports whether the payment saves a card that the payer enters, for the merchant to charge it again.
func (p *Payment) savesCard() bool {
	return p.ReqToken && p.SavedCard == "" && (method.TakesCard(p.Method) || method.IsWallet(p.Method))
}

// requestAmount returns the amount of a job's request: zero with its currency if the payer enters it at the provider.
func (p *Payment) requestAmount(job *Job) (amount money.Amount, payerEnters bool, err error) {
	amount = job.Amount
	if p.sentKind(job) == JobCharge {
		amount = p.Amount
	}
	switch {
	case amount.IsZero():
		return money.Zero(request.CurrencyOf(p.Order)), true, nil
	case amount.Currency().Code == "":
		return amount, false, p.unknownCurrency()
	}
	return amount, false, nil
}

// methodParameters returns the parameters of the chosen method: those of the merchant and the payer, then the presets
// of the MID, then defaults, and what the payer filled in for described fields; nil if there are none.
func (p *Payment) methodParameters(presets map[string]string) (json.RawMessage, error) {
	sent, err := p.sentParameters()
	if err != nil {
		return nil, err
	}
	m, _ := method.Find(p.Method)
	own := m.Complete(p.Operation, sent, presets)
	for _, a := range p.Entered {
		own[a.ID] = a.Value
	}
	if len(own) == 0 {
		return nil, nil
	}
	return json.Marshal(own)
}

// noticeURL returns the URL to which the provider of a job's MID sends notices.
func (s *Service) noticeURL(p *Payment, job *Job) string {
	mid, connector := p.PlaceOf(job)
	return s.BaseURL + merchant.NoticeAddressOf(connector, p.Merchant, p.Mapping, mid).Path()
}

// NoticeAddress parses a ProviderRequest.NoticeURL.
func (s *Service) NoticeAddress(url string) merchant.NoticeAddress {
	return merchant.ParseNoticePath(strings.TrimPrefix(url, s.BaseURL))
}
