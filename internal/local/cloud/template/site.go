package template

import (
	"fmt"
	"strings"
)

// The logical ids of the distributions that a local run serves.
const (
	PageSite   = "Distribution"
	WalletSite = "WalletDistribution"
	AdminSite  = "AdminDistribution"
)

// forwards are AWS's own origin request policies AllViewer, AllViewerExceptHostHeader and
// AllViewerAndCloudFrontHeaders-2022-06.
var forwards = map[string]Forward{
	"216adef6-5c7f-47e4-b989-5492eafa07d3": {AllHeaders: true, Cookies: true, Query: true},
	"b689b0a8-53d0-40ab-baf2-68738e2966ac": {AllHeaders: true, Cookies: true, Query: true},
	"33f36d7e-f396-46d9-90e0-52428a34d9dc": {AllHeaders: true, Headers: []string{viewerAddress}, Cookies: true,
		Query: true},
}

// cachingOptimized is AWS's own cache policy CachingOptimized. CloudFront compresses only under a policy that caches
// compressed forms, and of AWS's own CachingDisabled does not.
const cachingOptimized = "658327ea-f89d-4fab-a63d-7443e98e1c1b"

const viewerAddress = "cloudfront-viewer-address"

func (r *reader) readSites(t *Template) {
	t.Sites = map[string]Site{}
	for _, x := range r.of("AWS::CloudFront::Distribution") {
		t.Sites[x.id] = r.readSite(r.props(x).get("DistributionConfig"))
	}
}

func (r *reader) readSite(config value) Site {
	origins, added := map[string]bool{}, map[string][]Header{} // to the API?
	for _, origin := range config.get("Origins").list() {
		id := origin.get("Id").need()
		origins[id] = r.originIsAPI(origin)
		for _, h := range origin.get("OriginCustomHeaders").list() {
			added[id] = append(added[id],
				Header{Name: h.get("HeaderName").need(), Value: h.get("HeaderValue").need(), Override: true})
		}
	}
	site := Site{RootObject: config.get("DefaultRootObject").text()}
	for _, b := range append(config.get("CacheBehaviors").list(), config.get("DefaultCacheBehavior")) {
		behavior := Behavior{Pattern: "*", Methods: b.get("AllowedMethods").texts(),
			Headers: r.headers(b.get("ResponseHeadersPolicyId"))}
		if b.place != config.place+".DefaultCacheBehavior" {
			behavior.Pattern = b.get("PathPattern").need()
		}
		if len(behavior.Methods) == 0 {
			behavior.Methods = []string{"GET", "HEAD"}
		}
		target := b.get("TargetOriginId")
		toAPI, ok := origins[target.need()]
		if !ok {
			r.fail(target.place, "no origin is called %q", target.text())
		}
		behavior.ToAPI, behavior.Origin = toAPI, added[target.text()]
		behavior.Compress = b.get("Compress").yes(false) && b.get("CachePolicyId").text() == cachingOptimized
		behavior.Forward = r.forward(b.get("OriginRequestPolicyId"))
		behavior.Function = r.function(b.get("FunctionAssociations"))
		site.Behaviors = append(site.Behaviors, behavior)
	}
	for _, e := range config.get("CustomErrorResponses").list() {
		code := e.get("ErrorCode").number(0)
		site.Errors = append(site.Errors, ErrorResponse{
			Code: code, Status: e.get("ResponseCode").number(code), PagePath: e.get("ResponsePagePath").text(),
		})
	}
	return site
}

// originIsAPI reports whether an origin is an API, by its domain name. Otherwise it is a bucket.
func (r *reader) originIsAPI(origin value) bool {
	domain := origin.get("DomainName")
	text := domain.need()
	for _, x := range r.of("AWS::ApiGatewayV2::Api", "AWS::Serverless::HttpApi") {
		if text == r.apiDomain(r.refOf(x)) {
			return true
		}
	}
	for _, x := range r.of("AWS::ApiGatewayV2::DomainName") {
		if text == r.props(x).get("DomainName").text() {
			return true
		}
	}
	for _, x := range r.of("AWS::S3::Bucket") {
		if text == r.attributes(x)["RegionalDomainName"] {
			return false
		}
	}
	r.fail(domain.place, "neither an API nor a bucket of this template: %s", text)
	return false
}

// forward reads an origin request policy, of this template or one of AWS's.
func (r *reader) forward(policy value) Forward {
	if !policy.present() {
		return Forward{}
	}
	x := r.byID[policy.text()]
	if x == nil {
		known, ok := forwards[policy.text()]
		if !ok {
			r.fail(policy.place, "no origin request policy of this template, nor one that is understood: %s", policy.text())
		}
		return known
	}
	config := r.props(x).get("OriginRequestPolicyConfig")
	behavior := config.get("HeadersConfig").get("HeaderBehavior").need()
	f := Forward{
		AllHeaders: strings.HasPrefix(behavior, "allViewer"),
		Cookies:    config.get("CookiesConfig").get("CookieBehavior").need() == "all",
		Query:      config.get("QueryStringsConfig").get("QueryStringBehavior").need() == "all",
	}
	for _, name := range config.get("HeadersConfig").get("Headers").texts() {
		f.Headers = append(f.Headers, strings.ToLower(name))
	}
	return f
}

// The logical ids of the CloudFront functions that a local run knows. gateway.PlainPath and LanguagePath do the same as
// their code, which tests run.
const (
	PlainPathFunction    = "PlainPath"
	LanguagePageFunction = "LanguagePage"
)

// function is that of a behaviour's viewers' requests. Any other function is a fault.
func (r *reader) function(associations value) (found string) {
	for _, a := range associations.list() {
		found, _ = strings.CutSuffix(a.get("FunctionARN").need(), ".FunctionARN")
		if a.get("EventType").need() != "viewer-request" || found != PlainPathFunction && found != LanguagePageFunction {
			r.fail(a.place, "is not understood: only %s and %s at viewer-request are", PlainPathFunction,
				LanguagePageFunction)
		}
	}
	return found
}

// headers reads a response headers policy of this template.
func (r *reader) headers(policy value) []Header {
	if !policy.present() {
		return nil
	}
	x := r.byID[policy.text()]
	if x == nil || x.kind != "AWS::CloudFront::ResponseHeadersPolicy" {
		r.fail(policy.place, "no response headers policy of this template: %s", policy.text())
		return nil
	}
	config := r.props(x).get("ResponseHeadersPolicyConfig")
	var headers []Header
	security := config.get("SecurityHeadersConfig")
	for _, kind := range security.keys() {
		s := security.get(kind)
		header := Header{Override: s.get("Override").yes(false)}
		switch kind {
		case "ContentSecurityPolicy":
			header.Name, header.Value = "Content-Security-Policy", s.get("ContentSecurityPolicy").need()
		case "ContentTypeOptions":
			header.Name, header.Value = "X-Content-Type-Options", "nosniff"
		case "FrameOptions":
			header.Name, header.Value = "X-Frame-Options", s.get("FrameOption").need()
		case "ReferrerPolicy":
			header.Name, header.Value = "Referrer-Policy", s.get("ReferrerPolicy").need()
		case "StrictTransportSecurity":
			header.Name, header.Value = "Strict-Transport-Security", transportSecurity(s)
		default:
			r.fail(s.place, "is not understood")
		}
		headers = append(headers, header)
	}
	for _, item := range config.get("CustomHeadersConfig").get("Items").list() {
		headers = append(headers, Header{item.get("Header").need(), item.get("Value").text(),
			item.get("Override").yes(false)})
	}
	return headers
}

func transportSecurity(s value) string {
	text := fmt.Sprintf("max-age=%d", s.get("AccessControlMaxAgeSec").number(0))
	if s.get("IncludeSubdomains").yes(false) {
		text += "; includeSubDomains"
	}
	if s.get("Preload").yes(false) {
		text += "; preload"
	}
	return text
}
