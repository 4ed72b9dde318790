package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"checkout/internal/connector"
)

// SignedNotice reads a notice whose address NoticeURL has made, and whose body says what has become of the request and
// is signed: X-Signature is its HMAC-SHA-256 with the MID's secret, in hexadecimal. Errors: connector.ErrNotAuthentic.
func SignedNotice[T any](
	n connector.Notification, read func(body T, about connector.ProviderRequest) (connector.Result, error),
) (connector.Notice, error) {
	secret := n.Credentials["secret"]
	about, err := NoticeRequest(n, secret)
	if err != nil {
		return connector.Notice{}, err
	}
	signature := strings.ToLower(http.Header(n.Header).Get("X-Signature"))
	if !hmac.Equal([]byte(signature), []byte(Sign(secret, string(n.Body)))) {
		return connector.Notice{}, connector.ErrNotAuthentic
	}
	var body T
	if err := json.Unmarshal(n.Body, &body); err != nil {
		return connector.Notice{}, connector.Unreadable(errors.New("its body is not the JSON of a notice"))
	}
	return NoticeOf(about, connector.Result{}).Telling(read(body, about))
}

// NoticeOf is a notice of what has become of a request.
func NoticeOf(r connector.ProviderRequest, result connector.Result) connector.Notice {
	return connector.Notice{PaymentID: r.PaymentID, Kind: r.Kind, Reference: r.Reference, Result: result}
}

// Sign returns the HMAC-SHA-256 of a text with a secret, in hexadecimal.
func Sign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}
