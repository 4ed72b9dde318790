package gateway

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"checkout/internal/local/cloud/template"

	"github.com/aws/aws-lambda-go/events"
)

const (
	account   = "000000000000"
	apiID     = "local"
	apiDomain = apiID + ".execute-api.amazonaws.com"
	// edge is the address of the CloudFront edge, which is the source address for API Gateway. It differs from the
	// viewer's, so that tests find code that confuses the two.
	edge = "192.0.2.1"
)

// visit is a request's body and what the behaviour forwards and adds.
type visit struct {
	body    []byte
	forward template.Forward
	origin  []template.Header // added by CloudFront
	direct  bool              // there is no CloudFront
	caller  *events.APIGatewayV2HTTPRequestContextAuthorizerIAMDescription
}

// event is the payload that a function gets for a request.
func (g *Gateway) event(r *http.Request, m matched, v visit) ([]byte, error) {
	now, all, source := g.config.Now().UTC(), headers(r, v), edge
	if v.direct {
		source, _ = viewerOf(r)
	}
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: m.key(), RawPath: r.URL.Path, Headers: all, PathParameters: m.parameters,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			AccountID: account, APIID: apiID, DomainName: apiDomain, DomainPrefix: apiID,
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: r.Method, Path: r.URL.Path, Protocol: r.Proto, SourceIP: source, UserAgent: all["user-agent"],
			},
			RequestID: fmt.Sprintf("local%x=", now.UnixNano()), RouteKey: m.key(), Stage: "$default",
			Time: now.Format("02/Jan/2006:15:04:05 -0700"), TimeEpoch: now.UnixMilli(),
		},
		Body: string(v.body),
	}
	if v.caller != nil {
		e.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{IAM: v.caller}
	}
	if v.forward.Cookies {
		e.Cookies = cookies(r)
	}
	if v.forward.Query && r.URL.RawQuery != "" {
		e.RawQueryString, e.QueryStringParameters = r.URL.RawQuery, query(r.URL)
	}
	if len(v.body) > 0 && binary(all["content-type"], v.body) {
		e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString(v.body), true
	}
	return json.Marshal(e)
}

// headers are those that the behaviour forwards, in lower case, repeated ones joined by commas, with those that
// CloudFront and API Gateway add.
func headers(r *http.Request, v visit) map[string]string {
	all := map[string]string{}
	if !v.direct {
		all["user-agent"] = "Amazon CloudFront"
	}
	for name, values := range r.Header {
		name = strings.ToLower(name)
		if name != "cookie" && name != "connection" && (v.forward.AllHeaders || slices.Contains(v.forward.Headers, name)) {
			all[name] = strings.Join(values, ",")
		}
	}
	viewer, port := viewerOf(r)
	if r.ContentLength >= 0 && r.Method != http.MethodGet && r.Method != http.MethodHead {
		all["content-length"] = fmt.Sprint(len(v.body))
	}
	forwarded := viewer
	if !v.direct {
		forwarded += ", " + edge
		all["via"] = "1.1 local.cloudfront.net (CloudFront)"
	}
	if before := strings.Join(r.Header.Values("X-Forwarded-For"), ","); before != "" {
		forwarded = before + ", " + forwarded
	}
	all["host"] = apiDomain
	all["x-forwarded-for"] = forwarded
	all["x-forwarded-port"] = "443"
	all["x-forwarded-proto"] = "https"
	for _, h := range v.origin {
		all[strings.ToLower(h.Name)] = h.Value // replaces the viewer's
	}
	delete(all, "cloudfront-viewer-address") // one that the viewer sent is never passed on
	if slices.Contains(v.forward.Headers, "cloudfront-viewer-address") {
		all["cloudfront-viewer-address"] = viewer + ":" + port
	}
	return all
}

// viewerOf is the address and the port of whoever sends a request.
func viewerOf(r *http.Request) (address, port string) {
	address, port, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr, ""
	}
	return address, port
}

func cookies(r *http.Request) []string {
	var all []string
	for _, line := range r.Header.Values("Cookie") {
		for _, cookie := range strings.Split(line, ";") {
			if cookie = strings.TrimSpace(cookie); cookie != "" {
				all = append(all, cookie)
			}
		}
	}
	return all
}

func query(u *url.URL) map[string]string {
	all := map[string]string{}
	for name, values := range u.Query() {
		all[name] = strings.Join(values, ",")
	}
	return all
}

// binary reports whether API Gateway would encode a body: everything but text, JSON, XML and JavaScript, also a form.
func binary(contentType string, body []byte) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return contentType != "" || !utf8.Valid(body)
	}
	text := strings.HasPrefix(kind, "text/") || kind == "application/json" || kind == "application/xml" ||
		kind == "application/javascript" || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
	return !text || !utf8.Valid(body)
}
