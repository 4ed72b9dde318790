package walletapp

import (
	"crypto/hmac"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// field is a field that is signed.
type field struct{ name, value string }

// sign returns the signature of fields: the HMAC-SHA-256, in hexadecimal, of a line name=value for each of them in
// their order. A field without a value is left out, as it is from the message. Names are signed so that a value can't
// be moved to another field.
func sign(secret string, fields []field) string {
	var text string
	for _, f := range fields {
		if f.value != "" {
			text += f.name + "=" + f.value + "\n"
		}
	}
	return provider.Sign(secret, text)
}

// authentic reports whether fields have that signature.
func authentic(secret, signature string, fields []field) bool {
	return secret != "" && hmac.Equal([]byte(signature), []byte(sign(secret, fields)))
}

// mid is what a MID's credentials are for.
type mid struct{ url, partner, secret string }

func midOf(r connector.ProviderRequest) (mid, error) {
	m := mid{url: r.Credentials["url"], partner: r.Credentials["key"], secret: r.Credentials["secret"]}
	return m, provider.RequireCredentials(r.Credentials, "url", "key", "secret")
}
