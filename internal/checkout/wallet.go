package checkout

import (
	"checkout/internal/form"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/screen"
)

// formMethod returns a method as the page shows it, a wallet with what the browser needs to open it.
func (s *Service) formMethod(m *merchant.Merchant, route merchant.Route, name string, sess *Session) screen.Method {
	shown := form.Method(route, name, &sess.Request, sess.Saved)
	if method.IsWallet(name) {
		settings, flow := route.Wallet(name)
		shown.Wallet = screen.WalletOf(screen.WalletSheet{
			Kind: name, Merchant: m, Settings: settings, Flow: flow, Request: &sess.Request, SessionID: sess.ID,
			Frame: s.WalletURL,
		})
	}
	return shown
}
