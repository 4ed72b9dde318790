package testwallet

import "errors"

// Make returns a token: the JSON text that a wallet would give the page.
func Make(kind Kind, content Content, fault Fault) (string, error) {
	if content.ID == "" {
		return "", errors.New("testwallet: a token needs an id")
	}
	if fault == Used {
		content.ID = "used"
	}
	switch {
	case kind == ApplePay && !content.PANOnly:
		return makeApple(content, fault)
	case kind == GooglePay:
		return makeGoogle(content, fault)
	}
	return "", errors.New("testwallet: no wallet makes such a token")
}
