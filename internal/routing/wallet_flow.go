package routing

import (
	"reflect"
	"slices"

	"checkout/internal/method"
	"checkout/internal/settings"
)

// wallets returns the settings of a MID of the route.
func (r Route) wallets(mid *settings.MID) settings.Wallets {
	return r.merchant.WalletsFor(r.owner, mid)
}

// WalletFlow returns the flow of a wallet's tokens at a MID of the route.
func (r Route) WalletFlow(mid settings.MID, kind string) settings.WalletFlow {
	return r.merchant.Connectors.WalletFlow(r.owner, r.wallets(&mid), mid.Connector, kind)
}

// Wallet returns the settings that the tokens of a wallet are made with, and their flow: those of the first MID that
// takes it. Without PAN_ONLY if one of the MIDs could not charge it: in the virtual flow nobody would notice.
func (r Route) Wallet(kind string) (settings.Wallets, settings.WalletFlow) {
	mids := r.withMethod(kind)
	if len(mids) == 0 {
		return settings.Wallets{}, settings.WalletFlow{}
	}
	own, flow := r.wallets(mids[0]), r.WalletFlow(*mids[0], kind)
	if kind == method.GooglePay && own.GooglePay != nil && slices.ContainsFunc(mids, r.needsCryptogram) {
		google := *own.GooglePay
		google.AuthMethods = slices.DeleteFunc(slices.Clone(google.AuthMethods),
			func(name string) bool { return name == settings.AuthPANOnly })
		own.GooglePay = &google
	}
	return own, flow
}

// needsCryptogram reports whether a MID can't charge a card that Google Pay has not authenticated the payer for.
func (r Route) needsCryptogram(mid *settings.MID) bool {
	g := r.wallets(mid).GooglePay // nil at an unknown connector, about which no rule of wallets is asked
	return g != nil && !g.WithoutThreeDSecure && !r.merchant.Connectors[mid.Connector].ThreeDSecure
}

// withWallet returns the MIDs to which a charge of the wallet may go. A token is made with the settings of the first
// MID. In the card flow the others with the same settings and flow may take the charge, too; otherwise the token is for
// the provider of that MID alone.
func (r Route) withWallet(kind string, mids []*settings.MID) []*settings.MID {
	if len(mids) < 2 || !method.IsWallet(kind) {
		return mids
	}
	first, flow := mids[0], r.WalletFlow(*mids[0], kind)
	if !flow.Cascades() {
		return mids[:1]
	}
	return slices.DeleteFunc(mids, func(mid *settings.MID) bool {
		return r.WalletFlow(*mid, kind) != flow || !sameWallet(r.wallets(first), r.wallets(mid), kind)
	})
}

// sameWallet reports whether two MIDs have the same settings of a wallet: a token for one is for the other, too.
func sameWallet(a, b settings.Wallets, kind string) bool {
	if kind == method.ApplePay {
		return reflect.DeepEqual(a.ApplePay, b.ApplePay)
	}
	return reflect.DeepEqual(a.GooglePay, b.GooglePay)
}
