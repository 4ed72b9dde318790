package merchant

import (
	"time"

	"checkout/internal/request"
	"checkout/internal/signature"
)

// SignCallback returns the hash of a callback or a customer's return, as the mapping's receivers upper-case it.
func SignCallback(m *Merchant, mapping *Mapping, paymentID string, o request.Order) string {
	parts := request.SignedCallback(paymentID, o)
	if mapping.Compatibility.On(upperSwitch) {
		return m.hashKey().SignFull(parts...)
	}
	return SignHash(m, parts...)
}

// SignHash returns a hash with ASCII-only upper-casing, as the service makes them itself.
func SignHash(m *Merchant, parts ...string) string { return m.hashKey().Sign(parts...) }

// VerifyHash reports whether a hash is good under one of the three upper-casings that clients use, over the password
// or the one before it. A merchant without a password has no good hash.
func VerifyHash(hash string, m *Merchant, parts ...string) bool {
	old := signature.Key{Password: m.oldPassword.text, SHA256: m.SHA256}
	return m.hashKey().Verify(hash, parts...) || old.Verify(hash, parts...)
}

func (m *Merchant) hashKey() signature.Key {
	return signature.Key{Password: m.Password, SHA256: m.SHA256}
}

// NoMerchant stands for an unknown one, so that a hash takes as long to refuse as a known merchant's.
var NoMerchant = &Merchant{Password: "none"}

// SignWebhook signs a callback with the merchant's callback secret, and while the one before it is good with that too:
// the signatures stand side by side, as Standard Webhooks has it.
func (m *Merchant) SignWebhook(id string, at time.Time, body []byte) (string, error) {
	sig, err := signature.Webhook(m.CallbackSecret, id, at, body)
	if err != nil || m.oldCallbackSecret.text == "" {
		return sig, err
	}
	old, err := signature.Webhook(m.oldCallbackSecret.text, id, at, body)
	return sig + " " + old, err
}
