package main

// cardData is the card of a charge. PANType and Cryptogram are of a wallet's card.
type cardData struct {
	Number     string `json:"number"`
	PANType    string `json:"pan_type"`
	Cryptogram string `json:"cryptogram"`
}

// wallet is what a charge has of a wallet.
type wallet struct {
	Kind            string `json:"kind"`
	Flow            string `json:"flow"`
	Token           string `json:"token"`
	Unauthenticated bool   `json:"unauthenticated"`
}

// fits reports whether the wallet of a charge fits its method and card.
func (q request) fits() bool {
	w, isWallet := q.Wallet, q.Method == "applepay" || q.Method == "googlepay"
	switch {
	case w == nil || !isWallet:
		return w == nil && !isWallet
	case w.Kind != q.Method:
		return false
	case w.Flow == "virtual": // later payments are made by initial_transaction
		return q.Card.Number == "" && !w.Unauthenticated && q.Recurring == (w.Token == "")
	case w.Flow != "card" || w.Token != "" || q.Card.Number == "":
		return false
	case q.Card.PANType == "fpan":
		return q.Card.Cryptogram == ""
	}
	return q.Card.PANType == "dpan" && !w.Unauthenticated && q.Recurring == (q.Card.Cryptogram == "")
}

// forget deletes what may not be stored. A real adapter does it when its provider has responded.
func (o *operation) forget() {
	if o.Card.Cryptogram = ""; o.Wallet != nil {
		o.Wallet.Token = ""
	}
}
