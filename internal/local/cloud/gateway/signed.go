package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"regexp"
	"strings"
	"time"

	"checkout/internal/local/cloud/template"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// IAM decides about signed requests. An API with it has no CloudFront before it.
type IAM struct {
	Region  string
	ARN     string            // of the API's stage, in front of /METHOD/path
	Callers map[string]Caller // by access key id
}

// Caller is whoever may sign requests with an access key.
type Caller struct {
	ARN      string
	Secret   string               // access key
	Policies []template.Statement // nil allows everything
}

// maxSkew is how far the time of a signature may be from the gateway's.
const maxSkew = 5 * time.Minute

var authorization = regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=([^/]+)/[^ ]*, SignedHeaders=([^ ,]+), Signature=`)

// caller returns who has signed a request, as functions are told, and whether that caller may make it.
func (i *IAM) caller(r *http.Request, body []byte, now time.Time) (
	*events.APIGatewayV2HTTPRequestContextAuthorizerIAMDescription, bool,
) {
	sent := r.Header.Get("Authorization")
	parts := authorization.FindStringSubmatch(sent)
	if parts == nil {
		return nil, false
	}
	key := parts[1]
	caller, known := i.Callers[key]
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil || !known || now.Sub(at).Abs() > maxSkew {
		return nil, false
	}
	again := unsigned(r, strings.Split(parts[2], ";"), len(body))
	sum := sha256.Sum256(body)
	err = v4.NewSigner().SignHTTP(r.Context(), aws.Credentials{AccessKeyID: key, SecretAccessKey: caller.Secret},
		again, hex.EncodeToString(sum[:]), "execute-api", i.Region, at)
	if err != nil || subtle.ConstantTimeCompare([]byte(again.Header.Get("Authorization")), []byte(sent)) != 1 {
		return nil, false
	}
	if caller.Policies != nil &&
		!template.Allows(caller.Policies, "execute-api:Invoke", i.ARN+"/"+r.Method+r.URL.Path, nil) {
		return nil, false
	}
	return &events.APIGatewayV2HTTPRequestContextAuthorizerIAMDescription{
		AccessKey: key, AccountID: account, CallerID: key, UserARN: caller.ARN, UserID: key,
	}, true
}

// unsigned is a request as it was before it was signed, with the headers that were.
func unsigned(r *http.Request, headers []string, length int) *http.Request {
	u := *r.URL
	before := &http.Request{Method: r.Method, URL: &u, Host: r.Host, Header: http.Header{}}
	for _, name := range headers {
		switch name {
		case "host":
		case "content-length":
			before.ContentLength = int64(length)
		default:
			before.Header[http.CanonicalHeaderKey(name)] = r.Header.Values(name)
		}
	}
	return before
}
