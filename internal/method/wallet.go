package method

// The ids of Apple Pay and Google Pay.
const (
	ApplePay  = "applepay"
	GooglePay = "googlepay"
)

// walletMethods are Apple Pay and Google Pay. The payer fills in nothing for them: the wallet gives a payment token,
// which the payer's browser seals as it seals a card (protocol.md, Wallets).
var walletMethods = []Method{
	wallet(ApplePay, "W1", "Apple Pay"),
	wallet(GooglePay, "W2", "Google Pay"),
}

func wallet(id, label, name string) Method {
	return Method{
		ID: id, Label: label, Name: name, Behaviour: CardForm, Family: FamilyCard,
		Operations: []Operation{Purchase, Debit}, Group: "wallet", Icon: id, Action: ActionWallet, TwoStep: true,
		Fields: []OwnField{},
	}
}

// IsWallet reports whether the payer pays with the payment token of a wallet.
func IsWallet(id string) bool { return id == ApplePay || id == GooglePay }
