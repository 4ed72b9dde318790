package request

import (
	"fmt"
	"slices"

	"checkout/internal/method"
)

// walletToken is the parameter of a wallet's payment token, which the merchant's own page got (protocol.md, Wallets).
// It is no row of the method's parameters, since it is never stored among these.
const walletToken = "payment_token"

// MaxWalletToken is the size of the largest token of a wallet, in bytes.
const MaxWalletToken = 8192

// readWalletToken reads the token of a request that is to be paid with it at once: an object, or its JSON text.
func (d *Draft) readWalletToken(r *Session) {
	for _, id := range []string{method.ApplePay, method.GooglePay} {
		m, _ := method.Find(id)
		if !d.canUse(&m) || !d.parameters.Has(id) {
			continue
		}
		own := d.parameters.silent().Inside(id)
		v := own.value(walletToken)
		if v.kind == kindNull {
			continue
		}
		own = d.parameters.Inside(id)
		_, err := ReadObject([]byte(v.text))
		switch {
		case v.kind != kindObject && v.kind != kindText || err != nil:
			own.Fail(walletToken, method.NotValid("It should be the wallet's token: an object, or its JSON text."))
		case len(v.text) > MaxWalletToken:
			own.Fail(walletToken, method.NotValid(fmt.Sprintf("It should have at most %d bytes.", MaxWalletToken)))
		case !slices.Equal(d.allMethods, []string{id}):
			own.Fail(walletToken, method.NotValid("methods should name its wallet, and no other method."))
		default:
			r.WalletToken = v.text
		}
	}
}
