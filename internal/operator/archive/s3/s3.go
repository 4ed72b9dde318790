// Package s3 is the bucket of package archive in S3. It sends the three requests that this takes by itself, signed by
// the part of the AWS SDK that signs: the SDK's client of S3 would be one more library in a function.
package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"checkout/internal/operator/archive"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/smithy-go/encoding/httpbinding"
)

// Bucket is a bucket in S3.
type Bucket struct {
	config aws.Config
	url    string // ends with the path of its objects
	now    func() time.Time
	signer *v4.Signer
}

var _ archive.Bucket = (*Bucket)(nil)

// NewBucket makes a bucket of that name in the Region of the configuration. At a base endpoint of the configuration its
// name is the first part of paths.
func NewBucket(config aws.Config, name string, now func() time.Time) *Bucket {
	address := fmt.Sprintf("https://%s.s3.%s.amazonaws.com/", name, config.Region)
	if config.BaseEndpoint != nil {
		address = strings.TrimRight(*config.BaseEndpoint, "/") + "/" + name + "/"
	}
	escapeOnce := func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true } // as S3 does, unlike all other services
	return &Bucket{config, address, now, v4.NewSigner(escapeOnce)}
}

// Put implements archive.Writer.
func (b *Bucket) Put(ctx context.Context, name string, content []byte) error {
	sum := sha256.Sum256(content)
	header := http.Header{
		"If-None-Match":         {"*"},
		"Content-Type":          {"application/json"},
		"X-Amz-Checksum-Sha256": {base64.StdEncoding.EncodeToString(sum[:])}, // a bucket with Object Lock asks for one
	}
	_, err := b.send(ctx, request{method: http.MethodPut, name: name, header: header, body: content})
	var refused *refusal
	if errors.As(err, &refused) && refused.status == http.StatusPreconditionFailed {
		return nil // it is there
	}
	return err
}

// Get implements archive.Bucket.
func (b *Bucket) Get(ctx context.Context, v archive.Version) ([]byte, error) {
	return b.send(ctx, request{method: http.MethodGet, name: v.Name, query: url.Values{"versionId": {v.ID}}})
}

// versions is a page of a list.
type versions struct {
	Entries []struct {
		XMLName xml.Name // Version or DeleteMarker
		Key     string
		ID      string `xml:"VersionId"`
	} `xml:",any"`
	IsTruncated         bool
	NextKeyMarker       string
	NextVersionIDMarker string `xml:"NextVersionIdMarker"`
}

// List implements archive.Bucket.
func (b *Bucket) List(ctx context.Context, prefix string) ([]archive.Version, error) {
	var all []archive.Version
	query := url.Values{"versions": {""}, "prefix": {prefix}}
	for {
		body, err := b.send(ctx, request{method: http.MethodGet, query: query})
		if err != nil {
			return nil, err
		}
		var page versions
		if err := xml.Unmarshal(body, &page); err != nil {
			return nil, fmt.Errorf("s3: list: %w", err)
		}
		for _, e := range page.Entries {
			if kind := e.XMLName.Local; kind == "Version" || kind == "DeleteMarker" {
				all = append(all, archive.Version{Name: e.Key, ID: e.ID, Deleted: kind == "DeleteMarker"})
			}
		}
		if !page.IsTruncated {
			return all, nil
		}
		query.Set("key-marker", page.NextKeyMarker)
		query.Set("version-id-marker", page.NextVersionIDMarker)
	}
}

// request is one of S3.
type request struct {
	method, name string
	query        url.Values
	header       http.Header
	body         []byte
}

// refusal is a response of S3 that is no success. Its text holds nothing of what was sent.
type refusal struct {
	status int
	code   string // such as AccessDenied
}

func (r *refusal) Error() string { return fmt.Sprintf("s3: %d %s", r.status, r.code) }

// ErrorCode returns the code as errors of the AWS SDK do.
func (r *refusal) ErrorCode() string { return r.code }

// tries is how often a request is sent that gets no response, or that S3 asks to repeat. Each can be repeated.
const tries = 3

// maxResponse is more than a document or a page of a list has, in bytes.
const maxResponse = 4 << 20

// send returns the body of a success, and a *refusal for another response.
func (b *Bucket) send(ctx context.Context, r request) (body []byte, err error) {
	for range tries {
		body, err = b.try(ctx, r)
		var refused *refusal
		if err == nil || errors.As(err, &refused) && refused.status != http.StatusConflict && refused.status < 500 ||
			ctx.Err() != nil {
			break
		}
	}
	return body, err
}

func (b *Bucket) try(ctx context.Context, r request) ([]byte, error) {
	address := b.url + httpbinding.EscapePath(r.name, false)
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(r.body))
	if err != nil {
		return nil, fmt.Errorf("s3: %w", err)
	}
	for name, values := range r.header {
		sent.Header[name] = values
	}
	sum := sha256.Sum256(r.body)
	hash := hex.EncodeToString(sum[:])
	sent.Header.Set("X-Amz-Content-Sha256", hash)
	keys, err := b.config.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, fmt.Errorf("s3: credentials: %w", err)
	}
	if err := b.signer.SignHTTP(ctx, keys, sent, hash, "s3", b.config.Region, b.now()); err != nil {
		return nil, fmt.Errorf("s3: sign: %w", err)
	}
	response, err := b.config.HTTPClient.Do(sent)
	if err != nil {
		return nil, fmt.Errorf("s3: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponse))
	if err != nil {
		return nil, fmt.Errorf("s3: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		var said struct{ Code string }
		_ = xml.Unmarshal(body, &said) // without a code the status has to do
		return nil, &refusal{response.StatusCode, said.Code}
	}
	return body, nil
}
