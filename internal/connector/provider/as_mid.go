package provider

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"checkout/internal/checkout"
)

// SendAsMID sends a request, whose URL is a path below the MID's credential url, with its credential key as a bearer
// token. It fails as SendJSON does, and with checkout.ErrNotSent if the provider has too many requests or the MID lacks
// a credential.
func (c *Client) SendAsMID(
	ctx context.Context, r checkout.ProviderRequest, request JSONRequest, into any,
) (status int, err error) {
	base, err := Credential(r, "url")
	if err != nil {
		return 0, err
	}
	key, err := Credential(r, "key")
	if err != nil {
		return 0, err
	}
	request.URL, request.Header = base+request.URL, map[string]string{"Authorization": "Bearer " + key}
	status, err = c.SendJSON(ctx, request, into)
	if status == http.StatusTooManyRequests { // with or without a body
		return status, fmt.Errorf("%w: the provider has too many requests", checkout.ErrNotSent)
	}
	return status, err
}

// SignedNotice reads a notice whose body is signed: X-Signature is its HMAC-SHA-256 with the MID's secret, in
// hexadecimal. It returns the request that the notice is about, by the address that NoticeURL has made.
// Errors: checkout.ErrNotAuthentic.
func SignedNotice(n checkout.Notification, into any) (checkout.ProviderRequest, error) {
	secret := n.Credentials["secret"]
	about, err := NoticeRequest(n, secret)
	if err != nil {
		return checkout.ProviderRequest{}, err
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(n.Body)
	signature, err := hex.DecodeString(http.Header(n.Header).Get("X-Signature"))
	if err != nil || secret == "" || !hmac.Equal(signature, mac.Sum(nil)) {
		return checkout.ProviderRequest{}, checkout.ErrNotAuthentic
	}
	if err := json.Unmarshal(n.Body, into); err != nil {
		return checkout.ProviderRequest{}, errors.New("a signed notice can't be read")
	}
	return about, nil
}
