package payer

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/method"
	"checkout/internal/metric"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// formMethod returns a method as the page shows it, a wallet with what the browser needs to open it.
func (s *Page) formMethod(
	m *settings.Merchant, route routing.Route, name string, sess *checkout.Session,
) screen.Method {
	shown := form.Method(route, name, &sess.Request, sess.OfferedCards(s.core.Now()))
	with, _ := saving(m, route, sess, name)
	shown.Save = with != nil
	if method.IsWallet(name) {
		settings, flow := route.Wallet(name)
		shown.Wallet = screen.WalletOf(screen.WalletSheet{
			Kind: name, Merchant: m, Settings: settings, Flow: flow, Request: &sess.Request, SessionID: sess.ID,
			Frame: s.WalletURL,
		})
		screen.AskInWallet(&shown, settings)
	}
	return shown
}

// measureCertificates measures that certificates of a merchant's wallets end soon, or have ended. It looks at most once
// an hour: only visits of the page cost anything, and most of them one look at the cache.
func (s *Page) measureCertificates(ctx context.Context, now time.Time, m *settings.Merchant) {
	_, _ = s.certificates.Get(m.ID, now, time.Hour, func() (bool, error) {
		warnings := m.Warnings(now)
		if len(warnings) == 0 {
			return false, nil
		}
		s.core.Measure(ctx, metric.Line{
			Message: "certificates of wallets end",
			Metrics: []metric.Metric{{Name: "wallet_certificates_ending", Unit: "Count", Value: int64(len(warnings))}},
		}, slog.String("merchant", m.ID), slog.Any("warnings", warnings))
		return true, nil
	})
}

// saving returns a session as if the merchant had asked for a card_token, and the route that it then has: for a payer
// who has a new card saved. The session is nil where no card of the method can be saved so: the mapping does not allow
// it, the merchant has asked for the token or a chain, or no MID of the mapping charges saved cards.
func saving(
	m *settings.Merchant, route routing.Route, sess *checkout.Session, name string,
) (*checkout.Session, routing.Route) {
	req := &sess.Request
	charges := req.Operation == method.Purchase || req.Operation == method.Debit
	if !route.Mapping.SaveCards || !method.TakesCard(name) || !charges || req.ReqToken || req.RecurringInit {
		return nil, route
	}
	asked := *sess
	asked.Request.ReqToken = true
	r, err := routing.FindRoute(m, &asked.Request)
	if err != nil || r.Mapping.Name != route.Mapping.Name || !slices.Contains(r.Methods(), name) {
		return nil, route
	}
	return &asked, r
}
