package routing

import (
	"slices"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// walletCase is what walletRules decide about: a request, and a MID with one wallet.
type walletCase struct {
	req  *request.Session
	kind string
	w    settings.Wallets
	can  settings.Declaration
	flow settings.WalletFlow
}

// support is what the connector declares for the wallet.
func (c walletCase) support() settings.WalletSupport { return c.can.Wallets[c.kind] }

// walletRules reject requests that can't be paid with a wallet at a MID. Only the first one that rejects is told: the
// others follow from it.
var walletRules = []struct {
	Reason
	rejects func(c walletCase) bool
}{
	{Reason{"wallet_settings", "The merchant has no settings of the wallet."}, func(c walletCase) bool {
		return c.kind == method.ApplePay && c.w.ApplePay == nil || c.kind == method.GooglePay && c.w.GooglePay == nil
	}},
	{Reason{"wallet_disabled", "The merchant's settings disable the wallet."}, func(c walletCase) bool {
		return c.kind == method.ApplePay && c.w.ApplePay.Disabled || c.kind == method.GooglePay && c.w.GooglePay.Disabled
	}},
	{Reason{"wallet_certificate", "A certificate of the wallet has ended."}, func(c walletCase) bool {
		own := c.req.Test || c.req.WalletToken != "" // of the sandbox, or made on the merchant's own page
		return c.kind == method.ApplePay && c.w.ApplePay.Ended && !own
	}},
	{Reason{"wallet_terms", "The merchant has not accepted the terms of the wallet."}, func(c walletCase) bool {
		return c.kind == method.GooglePay && c.w.GooglePay.TermsAcceptedAt.IsZero()
	}},
	{Reason{"wallet_connector", "The MID's connector does not take tokens of the wallet."}, func(c walletCase) bool {
		_, takes := c.can.Wallets[c.kind]
		return !takes
	}},
	{Reason{"wallet_currency", "The wallet takes currencies of ISO 4217 only."}, func(c walletCase) bool {
		currency, found := money.Find(c.req.Order.Currency)
		return !found || currency.Crypto
	}},
	{Reason{"wallet_gateway", "In the virtual flow, the settings need the gateway that the tokens are for."},
		func(c walletCase) bool {
			return c.kind == method.GooglePay && !c.flow.Card && c.w.GooglePay.Gateway == ""
		}},
	{Reason{"wallet_auth", "In the virtual flow, the MID's connector can't authorise first and capture later."},
		func(c walletCase) bool {
			return c.req.Auth && !c.flow.Card && !c.support().Capture
		}},
	{Reason{"wallet_req_token", "In the virtual flow, no card can be saved."}, func(c walletCase) bool {
		return c.req.ReqToken && !c.flow.Card
	}},
	{Reason{"wallet_recurring", "In the virtual flow, the MID's connector can't charge without the payer."},
		func(c walletCase) bool {
			return c.req.RecurringInit && !c.flow.Card && !c.support().Recurring
		}},
	{Reason{"wallet_three_d_secure", "The settings allow PAN_ONLY alone, and the MID's connector has no 3-D Secure."},
		func(c walletCase) bool {
			g := c.w.GooglePay
			return c.kind == method.GooglePay && !g.WithoutThreeDSecure && !c.can.ThreeDSecure &&
				len(g.AuthMethods) > 0 && !slices.Contains(g.AuthMethods, settings.AuthCryptogram)
		}},
}

// walletReason returns why a request can't be paid with a wallet at a MID, and whether there is a reason. It is false
// for an unknown connector, for which there is a reason of its own.
func (c candidate) walletReason(kind string) (Reason, bool) {
	can, found := c.merchant.Connectors[c.connector()]
	if !found || !method.IsWallet(kind) {
		return Reason{}, false
	}
	w := c.merchant.WalletsFor(c.req.Owner, c.mid)
	flow := c.merchant.Connectors.WalletFlow(c.req.Owner, w, c.connector(), kind)
	for _, rule := range walletRules {
		if rule.rejects(walletCase{c.req, kind, w, can, flow}) {
			return rule.Reason, true
		}
	}
	return Reason{}, false
}
