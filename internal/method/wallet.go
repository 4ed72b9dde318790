package method

// The ids of the wallets W1 and W2.
const (
	ApplePay  = "applepay"
	GooglePay = "googlepay"
)

// walletMethods are the wallets W1 and W2. Their tokens can't be read yet, so that they are not offered.
var walletMethods = []Method{
	wallet(ApplePay, "W1", "Apple Pay"),
	wallet(GooglePay, "W2", "Google Pay"),
}

func wallet(id, label, name string) Method {
	return Method{
		ID: id, Label: label, Name: name, Behaviour: CardForm, Family: FamilyCard, Operations: []Operation{Purchase},
		Group: "wallet", Icon: id, Unfinished: true, Fields: []OwnField{},
	}
}
