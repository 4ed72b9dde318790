// Package sigv4 signs HTTP requests with AWS credentials (Signature Version 4), for APIs that AWS has authorise their
// callers.
package sigv4

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
)

// APIGateway is the name by which AWS knows the service that serves HTTP APIs.
const APIGateway = "execute-api"

// Transport signs requests before it sends them.
type Transport struct {
	Credentials aws.CredentialsProvider
	Region      string
	Service     string            // "": APIGateway
	Base        http.RoundTripper // nil: http.DefaultTransport
	Now         func() time.Time  // nil: time.Now
}

// Default returns a transport with the region and credentials that the SDK's default configuration finds.
func Default(ctx context.Context) (*Transport, error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, fmt.Errorf("read AWS configuration: %w", err)
	}
	if cfg.Region == "" {
		return nil, errors.New("no Region: set AWS_REGION")
	}
	return &Transport{Credentials: cfg.Credentials, Region: cfg.Region}, nil
}

// RoundTrip sends a copy of a request with a signature over its method, address, headers and body.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		if err := errors.Join(err, r.Body.Close()); err != nil {
			return nil, fmt.Errorf("read the request's body: %w", err)
		}
	}
	by, err := t.Credentials.Retrieve(r.Context())
	if err != nil {
		return nil, fmt.Errorf("get AWS credentials: %w", err)
	}
	now := time.Now
	if t.Now != nil {
		now = t.Now
	}
	signed := r.Clone(r.Context())
	signed.Body, signed.GetBody, signed.ContentLength = http.NoBody, nil, int64(len(body))
	if len(body) > 0 {
		signed.Body = io.NopCloser(bytes.NewReader(body))
	}
	err = v4.NewSigner().SignHTTP(r.Context(), by, signed, Hash(body), cmp.Or(t.Service, APIGateway), t.Region, now())
	if err != nil {
		return nil, fmt.Errorf("sign the request: %w", err)
	}
	if t.Base != nil {
		return t.Base.RoundTrip(signed)
	}
	return http.DefaultTransport.RoundTrip(signed)
}

// Hash is the hash of a body that is part of its request's signature.
func Hash(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
