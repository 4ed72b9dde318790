package simulator

import (
	"encoding/base64"
	"encoding/json"
	"slices"
)

// The wallets.
const (
	applePay  = "applepay"
	googlePay = "googlepay"
)

// maxToken is the size of the largest token of a wallet, in bytes.
const maxToken = 8192

// tokenMembers are what a wallet's token has, with the versions that are for payments.
var tokenMembers = map[string]struct {
	version  string
	versions []string
	members  []string
}{
	applePay:  {"version", []string{"EC_v1", "RSA_v1"}, []string{"data", "signature", "header"}},
	googlePay: {"protocolVersion", []string{"ECv2"}, []string{"signature", "intermediateSigningKey", "signedMessage"}},
}

// wrongToken returns what is wrong with the form of a wallet's token, "" if nothing is. It can't be decrypted here.
func wrongToken(kind, token string) string {
	form, known := tokenMembers[kind]
	var members map[string]json.RawMessage
	var version string
	switch {
	case !known:
		return "the wallet is not known"
	case token == "":
		return "the token is missing"
	case len(token) > maxToken:
		return "the token is too large"
	case json.Unmarshal([]byte(token), &members) != nil:
		return "the token is no JSON object"
	case json.Unmarshal(members[form.version], &version) != nil || !slices.Contains(form.versions, version):
		return "the token has another version"
	}
	for _, name := range form.members {
		if members[name] == nil {
			return "the token has no " + name
		}
	}
	return ""
}

// isCryptogram reports whether a text can be the cryptogram of a device's card.
func isCryptogram(text string) bool {
	raw, err := base64.StdEncoding.DecodeString(text)
	return err == nil && len(raw) >= 16 && len(raw) <= 40
}
