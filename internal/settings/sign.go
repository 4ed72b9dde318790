package settings

import (
	"time"

	"checkout/internal/request"
	"checkout/internal/signature"
)

// SignCallback returns the hash of a callback or a customer's return, with the upper-casing that the mapping sets.
func SignCallback(m *Merchant, mapping *Mapping, paymentID string, o request.Order) string {
	parts := request.SignedCallback(paymentID, o)
	if mapping.Compatibility.On(UpperSwitch) {
		return m.hashKey().SignFull(parts...)
	}
	return SignHash(m, parts...)
}

// SignHash returns a hash with ASCII-only upper-casing, the service's default.
func SignHash(m *Merchant, parts ...string) string { return m.hashKey().Sign(parts...) }

// VerifyHash reports whether a hash is valid with one of the upper-casings that clients use, and with the
// merchant's password or the replaced one. For a merchant without a password no hash is valid.
func VerifyHash(hash string, m *Merchant, parts ...string) bool {
	old := signature.Key{Password: m.old.password.text, SHA256: m.SHA256}
	return m.hashKey().Verify(hash, parts...) || old.Verify(hash, parts...)
}

func (m *Merchant) hashKey() signature.Key {
	return signature.Key{Password: m.Password, SHA256: m.SHA256}
}

// NoMerchant is used in place of an unknown merchant, so that its hash takes as long to check as that of a known one.
var NoMerchant = &Merchant{Password: "none"}

// SignWebhook signs a callback with the merchant's callback secret, and with the replaced one while that is valid. The
// signatures are separated by a space, as in Standard Webhooks.
func (m *Merchant) SignWebhook(id string, at time.Time, body []byte) (string, error) {
	sig, err := signature.Webhook(m.CallbackSecret, id, at, body)
	if err != nil || m.old.callbackSecret.text == "" {
		return sig, err
	}
	old, err := signature.Webhook(m.old.callbackSecret.text, id, at, body)
	return sig + " " + old, err
}
