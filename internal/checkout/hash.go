package checkout

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// signed is what a hash is made of, one function for each row of decisions.md 3. An amount that was
// not sent is "" and leaves no trace. The merchant's password follows in signHash and verifyHash.
type signed = []string

// signedSession is for all four operations.
func signedSession(o Order) signed { return signed{o.Number, o.Amount, o.Currency, o.Description} }

// readsAsReturn reports whether the signed text of a session could be that of a customer's return, which
// the payer sees the hash of: whether it begins with the form of a payment id, under any of the
// upper-casings that are accepted (decisions.md 3). Where one field ends and the next begins does not matter.
func readsAsReturn(o Order) bool {
	text := strings.Join(signedSession(o), "")
	return beginsLikePaymentID(string(upperASCII([]byte(text)))) ||
		!isASCII([]byte(text)) && (beginsLikePaymentID(upperFull(text)) || beginsLikePaymentID(strings.ToUpper(text)))
}

// signedPayment is for status by payment_id, void and retry.
func signedPayment(paymentID string) signed { return signed{paymentID} }

// signedOrder is for status by order_id.
func signedOrder(orderID string) signed { return signed{orderID} }

// signedAmount is for refund and capture.
func signedAmount(paymentID, amount string) signed { return signed{paymentID, amount} }

// signedRecurring is for a later payment of a chain; its order has no currency.
func signedRecurring(initTransID, token string, o Order) signed {
	return signed{initTransID, token, o.Number, o.Amount, o.Description}
}

// signedCallback is for a callback and the customer's return.
func signedCallback(paymentID string, o Order) signed {
	return signed{paymentID, o.Number, o.Amount, o.Currency, o.Description}
}

// signCallback answers the hash of a callback or a customer's return, as the mapping's receivers upper-case it.
func signCallback(m *Merchant, mapping *Mapping, paymentID string, o Order) string {
	parts := signedCallback(paymentID, o)
	if mapping.Compatibility.on(upperSwitch) {
		return m.digest([]byte(upperFull(string(concatenate(parts, m.Password)))))
	}
	return signHash(m, parts...)
}

// signHash answers a hash with ASCII-only upper-casing, as the service makes them itself.
func signHash(m *Merchant, parts ...string) string {
	return m.digest(upperASCII(concatenate(parts, m.Password)))
}

// verifyHash reports whether a hash is good under one of the three upper-casings that clients use, over the password
// or the one before it. A merchant without a password has no good hash.
func verifyHash(hash string, m *Merchant, parts ...string) bool {
	return m.verifyOver(hash, m.Password, parts) || m.verifyOver(hash, m.oldPassword.text, parts)
}

func (m *Merchant) verifyOver(hash, password string, parts []string) bool {
	if password == "" {
		return false
	}
	hash = strings.ToLower(hash)
	text := concatenate(parts, password)
	if sameHash(hash, m.digest(upperASCII(text))) {
		return true
	}
	if isASCII(text) {
		return false
	}
	return sameHash(hash, m.digest([]byte(upperFull(string(text))))) ||
		sameHash(hash, m.digest([]byte(strings.ToUpper(string(text)))))
}

// noMerchant stands for an unknown one, so that a hash takes as long to refuse as a known merchant's.
var noMerchant = &Merchant{Password: "none"}

func sameHash(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

func concatenate(parts []string, password string) []byte {
	text := make([]byte, 0, 512) // what most orders fit in
	for _, part := range parts {
		text = append(text, part...)
	}
	return append(text, password...)
}

// digest is sha1_hex(md5_hex(text)), or sha1_hex(sha256_hex(text)) with the merchant's SHA-256 setting.
func (m *Merchant) digest(text []byte) string {
	var inner [2 * sha256.Size]byte
	n := 2 * md5.Size
	if m.SHA256 {
		sum := sha256.Sum256(text)
		n = hex.Encode(inner[:], sum[:])
	} else {
		sum := md5.Sum(text)
		hex.Encode(inner[:], sum[:])
	}
	outer := sha1.Sum(inner[:n])
	return hex.EncodeToString(outer[:])
}

// upperASCII answers text with a to z in upper case.
func upperASCII(text []byte) []byte {
	upper := make([]byte, len(text))
	for i, c := range text {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	return upper
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

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

// signWebhook answers the value of the webhook-signature header (Standard
// Webhooks, v1) for a callback with this webhook-id, this webhook-timestamp
// (whole seconds) and this body. The secret is "whsec_" and base64.
func signWebhook(secret, id string, at time.Time, body []byte) (string, error) {
	encoded, found := strings.CutPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !found || err != nil || len(key) == 0 {
		return "", errors.New("the callback secret is not whsec_ and base64")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}
