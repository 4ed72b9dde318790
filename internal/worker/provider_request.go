package worker

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// newCharge makes the request of a task to a MID, without the card.
func (x execution) newCharge(ctx context.Context, mid settings.MID) (connector.Charge, error) {
	p, sess, job := x.task.Payment, x.task.Session, x.task.Job()
	credentials, err := mid.OpenCredentials(ctx)
	if err != nil {
		return connector.Charge{}, err
	}
	r := connector.ProviderRequest{
		Kind: connector.RequestKind(p.Requests().SentKind(job)), Reference: job.Reference, PaymentID: p.ID,
		SessionID:   store.PublicID(p.SessionID),
		Credentials: credentials, NoticeURL: x.runner.noticeURL(p, job),
	}
	r.OriginalReference, r.ProviderID = p.Requests().Original(job)
	if r.Amount, r.PayerEntersAmount, err = p.Requests().Amount(job); err != nil {
		return connector.Charge{}, err
	}
	parameters, err := methodParameters(p, mid.Presets[p.Method])
	if err != nil {
		return connector.Charge{}, err
	}
	c := connector.Charge{
		ProviderRequest: r,
		Operation:       p.Operation, Method: p.Method, Description: p.Order.Description,
		Auth: p.Auth, Recurring: p.Recurring, InitialTransaction: p.InitialTransaction,
		InitialNetworkID: p.InitialNetworkID,
		StartsChain:      p.RecurringInit, SavesCard: savesCard(p), SavedCard: p.SavedCard != "",
		CardName: job.CardName, Parties: p.Parties, PayerIP: p.PayerIP, StatedIP: p.StatedIP, Browser: p.Browser,
		Network: p.Network, Parameters: parameters,
	}
	c.BillingAddress = c.BillingAddress.Cut(x.runner.core.Declarations[mid.ConnectorFor(p.Owner)].LineLength())
	if p.Recurring && method.IsWallet(p.Method) {
		c.Wallet = &connector.Wallet{Kind: p.Method, CardFlow: p.SavedCard != ""}
	}
	if sess != nil {
		c.ExpiresAt, c.Language = payUntil(p, sess, mid), checkout.PageTag(sess.Request.Language)
	}
	if p.SessionID != "" {
		c.ReturnURL = x.runner.baseURL + "/page/v1/" + store.ReturnID(p.SessionID) + "/return"
	}
	return c, nil
}

// payUntil returns when the payer's time ends: with the session, but for what is paid offline, which the MID gives time
// of its own. It does not depend on when a request is sent, so that repeats are the same.
func payUntil(p *payment.Payment, sess *checkout.Session, mid settings.MID) time.Time {
	if m, _ := method.Find(p.Method); m.Offline(p.BillingAddress.Country) {
		return p.CreatedAt.Add(mid.OfflineTime())
	}
	return sess.ExpiresAt
}

// savesCard reports whether the payment saves a card that the payer enters, for the merchant to charge it again.
func savesCard(p *payment.Payment) bool {
	return p.ReqToken && p.SavedCard == "" && (method.TakesCard(p.Method) || method.IsWallet(p.Method))
}

// methodParameters returns the parameters of the chosen method: those of the merchant and the payer, then the presets
// of the MID, then defaults, and what the payer filled in for described fields; nil if there are none.
func methodParameters(p *payment.Payment, presets map[string]string) (json.RawMessage, error) {
	sent, err := p.SentParameters()
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
func (s *Runner) noticeURL(p *payment.Payment, job *payment.Job) string {
	mid, connector := p.Requests().Place(job)
	return s.baseURL + settings.NoticeAddressOf(connector, p.Merchant, p.Mapping, mid).Path()
}

// NoticeAddress parses a ProviderRequest.NoticeURL of a service with a base URL.
func NoticeAddress(baseURL, url string) settings.NoticeAddress {
	return settings.ParseNoticePath(strings.TrimPrefix(url, baseURL))
}
