package checkout

import (
	"time"
)

// signCallback answers the hash of a callback or a customer's return, as the mapping's receivers upper-case it.
func signCallback(m *Merchant, mapping *Mapping, paymentID string, o Order) string {
	parts := signedCallback(paymentID, o)
	if mapping.Compatibility.on(upperSwitch) {
		return m.hashKey().signFull(parts...)
	}
	return signHash(m, parts...)
}

// signHash returns a hash with ASCII-only upper-casing, as the service makes them itself.
func signHash(m *Merchant, parts ...string) string { return m.hashKey().signHash(parts...) }

// verifyHash reports whether a hash is good under one of the three upper-casings that clients use, over the password
// or the one before it. A merchant without a password has no good hash.
func verifyHash(hash string, m *Merchant, parts ...string) bool {
	old := hashKey{m.oldPassword.text, m.SHA256}
	return m.hashKey().verifyHash(hash, parts...) || old.verifyHash(hash, parts...)
}

func (m *Merchant) hashKey() hashKey { return hashKey{m.Password, m.SHA256} }

// noMerchant stands for an unknown one, so that a hash takes as long to refuse as a known merchant's.
var noMerchant = &Merchant{Password: "none"}

// signWebhook signs a callback with the merchant's callback secret, and while the one before it is good with that too:
// the signatures stand side by side, as Standard Webhooks has it.
func (m *Merchant) signWebhook(id string, at time.Time, body []byte) (string, error) {
	signature, err := signWebhook(m.CallbackSecret, id, at, body)
	if err != nil || m.oldCallbackSecret.text == "" {
		return signature, err
	}
	old, err := signWebhook(m.oldCallbackSecret.text, id, at, body)
	return signature + " " + old, err
}
