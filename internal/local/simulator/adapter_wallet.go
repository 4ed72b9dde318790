package simulator

// adapterWrongWallet returns what is wrong with the wallet of a charge, "" if nothing is.
func adapterWrongWallet(q adapterRequest) string {
	w := q.Wallet
	switch isWallet := adapterMethods[q.Method] == playWallet; {
	case isWallet != (w != nil):
		return "wallet is for methods of wallets, which need it"
	case w == nil && q.Card != nil && (q.Card.Cryptogram != "" || q.Card.ECI != ""):
		return "card has what only a card that a wallet has just given has"
	case w == nil:
		return ""
	case w.Kind != q.Method:
		return "wallet.kind is not the method"
	case q.Operation != "purchase" && q.Operation != "debit":
		return "a wallet only pays"
	case w.Flow == "virtual":
		return adapterWrongVirtual(q)
	case w.Flow == "card":
		return adapterWrongWalletCard(q)
	}
	return "wallet.flow is not known"
}

// adapterWrongVirtual checks a charge of the virtual flow: of the first one the provider gets the token.
func adapterWrongVirtual(q adapterRequest) string {
	switch {
	case q.Card != nil:
		return "card is not sent in the virtual flow"
	case q.Wallet.Unauthenticated:
		return "wallet.unauthenticated is not known in the virtual flow"
	case q.Recurring && q.Wallet.Token != "":
		return "wallet.token is not for a later payment"
	case q.Recurring:
		return ""
	}
	return wrongToken(q.Wallet.Kind, q.Wallet.Token)
}

// adapterWrongWalletCard checks a charge of the card flow: of the first one a device's number needs its cryptogram.
func adapterWrongWalletCard(q adapterRequest) string {
	c := q.Card
	switch {
	case q.Wallet.Token != "":
		return "wallet.token is not sent in the card flow"
	case c == nil || c.Number == "" || c.ExpiryMonth < 1 || c.ExpiryMonth > 12 || c.ExpiryYear < 2000:
		return "card is missing or has no number or expiry"
	case c.SecurityCode != "" || c.PayeeNumber != "":
		return "card has what no wallet's card has"
	case c.PANType != "dpan" && c.PANType != "fpan":
		return "card.pan_type is not known"
	case c.Cryptogram != "" && !isCryptogram(c.Cryptogram):
		return "card.cryptogram is not valid"
	case q.Recurring && (c.Cryptogram != "" || q.Wallet.Unauthenticated):
		return "a later payment has no cryptogram and no 3-D Secure"
	case q.Recurring:
		return ""
	case (c.PANType == "dpan") != (c.Cryptogram != ""):
		return "card.cryptogram is that of a dpan, which needs it"
	case (c.PANType == "fpan") != q.Wallet.Unauthenticated:
		return "wallet.unauthenticated is true of an fpan alone"
	}
	return ""
}
