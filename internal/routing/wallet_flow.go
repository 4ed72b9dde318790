package routing

import (
	"reflect"
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

// wallets returns the settings of a MID of the route.
func (r Route) wallets(mid settings.MID) settings.Wallets {
	return r.merchant.WalletsFor(r.owner, &mid)
}

// WalletFlow returns the flow of a wallet's tokens at a MID of the route.
func (r Route) WalletFlow(mid settings.MID, kind string) settings.WalletFlow {
	return r.merchant.Connectors.WalletFlow(r.owner, r.wallets(mid), mid.Connector, kind)
}

// Wallet returns the settings that the tokens of a wallet are made with, and their flow: those of the first MID that
// takes it. Without PAN_ONLY if one of the MIDs could not charge it: in the virtual flow nobody would notice.
func (r Route) Wallet(kind string) (settings.Wallets, settings.WalletFlow) {
	mids := r.withMethod(kind)
	if len(mids) == 0 {
		return settings.Wallets{}, settings.WalletFlow{}
	}
	own, flow := r.wallets(mids[0]), r.WalletFlow(mids[0], kind)
	if kind == method.GooglePay && own.GooglePay != nil && slices.ContainsFunc(mids, r.needsCryptogram) {
		google := *own.GooglePay
		google.AuthMethods = slices.DeleteFunc(slices.Clone(google.AuthMethods),
			func(name string) bool { return name == settings.AuthPANOnly })
		own.GooglePay = &google
	}
	return own, flow
}

// needsCryptogram reports whether a MID can't charge a card that Google Pay has not authenticated the payer for.
func (r Route) needsCryptogram(mid settings.MID) bool {
	g := r.wallets(mid).GooglePay // nil at an unknown connector, about which no rule of wallets is asked
	return g != nil && !g.WithoutThreeDSecure && !r.merchant.Connectors[mid.Connector].ThreeDSecure
}

// withWallet returns the MIDs to which a charge of the wallet may go. A token is made with the settings of the first
// MID. In the card flow the others with the same settings and flow may take the charge, too; otherwise the token is for
// the provider of that MID alone.
func (r Route) withWallet(kind string, mids []settings.MID) []settings.MID {
	if len(mids) < 2 || !method.IsWallet(kind) {
		return mids
	}
	first, flow := mids[0], r.WalletFlow(mids[0], kind)
	if !flow.Cascades() {
		return mids[:1]
	}
	return slices.DeleteFunc(mids, func(mid settings.MID) bool {
		return r.WalletFlow(mid, kind) != flow || !sameWallet(r.wallets(first), r.wallets(mid), kind)
	})
}

// sameWallet reports whether two MIDs have the same settings of a wallet: a token for one is for the other, too.
func sameWallet(a, b settings.Wallets, kind string) bool {
	if kind == method.ApplePay {
		return reflect.DeepEqual(a.ApplePay, b.ApplePay)
	}
	return reflect.DeepEqual(a.GooglePay, b.GooglePay)
}
