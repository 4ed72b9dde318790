// Package session begins merchant sessions of Apple Pay with the identity certificate of a merchant.
package session

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"checkout/internal/settings"
)

const (
	// timeLimit is well below the 30 seconds for which the payment sheet waits.
	timeLimit = 5 * time.Second
	// maxResponse is the size of the largest merchant session in bytes. A real one has about 5000.
	maxResponse = 64 << 10
)

// host and hostInChina are the wallet's own. The address that a browser reports is not used: with a client certificate
// in hand, nobody else chooses where a request goes.
const (
	host        = "apple-pay-gateway.apple.com"
	hostInChina = "cn-apple-pay-gateway.apple.com"
	path        = "/paymentservices/paymentSession"
)

// Client sends the requests.
type Client struct {
	// transport makes the transport of one client certificate, which is used for one request.
	transport func(tls.Certificate) *http.Transport
}

// NewClient returns a client that uses the system's root certificates.
func NewClient() *Client { return &Client{transport: newTransport} }

func newTransport(identity tls.Certificate) *http.Transport {
	return &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{Certificates: []tls.Certificate{identity}, MinVersion: tls.VersionTLS12},
	}
}

// body is the request for a session.
type body struct {
	MerchantIdentifier string `json:"merchantIdentifier"`
	DisplayName        string `json:"displayName"`
	Initiative         string `json:"initiative"`
	InitiativeContext  string `json:"initiativeContext"` // the domain of the top-level page
}

// Begin implements payer.MerchantSessions. Its errors have no part of the response.
func (c *Client) Begin(ctx context.Context, own settings.ApplePay, domain string) (json.RawMessage, error) {
	identity, err := tls.X509KeyPair([]byte(own.IdentityCertificate), []byte(own.IdentityKey))
	if err != nil {
		return nil, errors.New("merchant session: the identity certificate and its key can't be used")
	}
	text, err := json.Marshal(body{own.MerchantIdentifier, own.ShopName, "web", domain})
	if err != nil {
		return nil, fmt.Errorf("merchant session: %w", err)
	}
	address := "https://" + host + path
	if own.Country == "CN" {
		address = "https://" + hostInChina + path
	}
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("merchant session: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	client := http.Client{
		Transport:     c.transport(identity),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("merchant session: %w", err)
	}
	defer response.Body.Close()
	return read(response)
}

// read returns the session of a response: a JSON object, whose content is the wallet's affair.
func read(response *http.Response) (json.RawMessage, error) {
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("merchant session: the wallet's response has status %d", response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("merchant session: %w", err)
	case len(text) > maxResponse:
		return nil, errors.New("merchant session: the wallet's response is too long")
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '{' || !json.Valid(text) {
		return nil, errors.New("merchant session: the wallet's response is no JSON object")
	}
	return text, nil
}
