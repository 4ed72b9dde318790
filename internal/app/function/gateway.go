package function

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"checkout/internal/api"
	"checkout/internal/checkout"
	"checkout/internal/fault"
)

// HTTP returns the Lambda handler of HTTP requests, which are events of API Gateway. Those that did not come through
// CloudFront are refused.
func (b *Builder) HTTP(core *checkout.Core, routes api.Routes) any {
	b.Variable("ORIGIN_SECRET")
	return b.OpenHTTP(core, routes)
}

// OpenHTTP is HTTP for requests that need not come through CloudFront.
func (b *Builder) OpenHTTP(core *checkout.Core, routes api.Routes) any {
	b.needs.Routes = routes
	return Gateway(NewAPI(core, b.env).Handler(routes))
}

// AdminHTTP returns the Lambda handler of the admin API. Of requests that nobody has signed it takes those alone that
// came through CloudFront.
func (b *Builder) AdminHTTP(core *checkout.Core, routes api.Routes) proxy {
	b.Variable("ORIGIN_SECRET")
	b.needs.Routes = routes
	return AdminGateway(NewAPI(core, b.env).Handler(routes))
}

// AdminGateway is Gateway for the admin API. The caller is who has signed the request, as the authorizer of API Gateway
// has found out.
func AdminGateway(routes http.Handler) proxy {
	return Gateway(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := r.Context().Value(eventKey{}).(*event)
		ctx := api.WithCaller(r.Context(), e.RequestContext.Authorizer.IAM.UserARN, r.Header.Get("X-Admin-Via"))
		routes.ServeHTTP(w, r.WithContext(ctx))
	}))
}

// event is what is read of an event of API Gateway (HTTP API, payload format 2.0). To decode the rest as well would
// take more memory than the whole request does.
type event struct {
	RawPath, RawQueryString, Body string
	Headers                       map[string]string
	Cookies                       []string
	IsBase64Encoded               bool
	RequestContext                struct {
		RequestID, DomainName string
		HTTP                  struct{ Method, SourceIP string }
		Authorizer            struct{ IAM struct{ UserARN string } }
	}
}

// proxy handles events of API Gateway. It fails if an event is no HTTP request.
type proxy = func(context.Context, event) (events.APIGatewayV2HTTPResponse, error)

// Gateway returns a Lambda handler that passes events to an http.Handler. The id of a request is that of API Gateway,
// so that both logs have the same.
func Gateway(handler http.Handler) proxy {
	adapter := httpadapter.NewV2(asSent(handler))
	return func(ctx context.Context, e event) (events.APIGatewayV2HTTPResponse, error) {
		ctx = fault.WithNote(ctx, &fault.Note{ID: e.RequestContext.RequestID})
		ctx = context.WithValue(ctx, eventKey{}, &e)
		read := events.APIGatewayV2HTTPRequest{RawPath: escapedPath(e.RawPath), Body: e.Body} // asSent adds the rest
		read.RequestContext.DomainName = e.RequestContext.DomainName
		read.RequestContext.HTTP.Method = e.RequestContext.HTTP.Method
		read.RequestContext.HTTP.SourceIP = e.RequestContext.HTTP.SourceIP
		return adapter.ProxyWithContext(ctx, read)
	}
}

type eventKey struct{}

// asSent gives each request its headers and query as the event has them. The library would cut headers at their commas,
// which X-Forwarded-For, idempotency keys and providers' signatures need. It would also fail where a query has a
// control character, where a body is not base64, which is a bad request, and where a handler sets no status.
func asSent(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := r.Context().Value(eventKey{}).(*event)
		r.URL.RawQuery = e.RawQueryString
		r.Header = make(http.Header, len(e.Headers)+len(e.Cookies))
		values := make([]string, 0, len(e.Headers)) // of all headers, so that they share one allocation
		for name, value := range e.Headers {
			values = append(values, value)
			r.Header[http.CanonicalHeaderKey(name)] = values[len(values)-1 : len(values) : len(values)]
		}
		if len(e.Cookies) > 0 {
			r.Header.Set("Cookie", strings.Join(e.Cookies, "; "))
		}
		if e.IsBase64Encoded {
			r.Body = io.NopCloser(base64.NewDecoder(base64.StdEncoding, r.Body))
		}
		w.WriteHeader(http.StatusOK) // unless the handler sets another one
		handler.ServeHTTP(w, r)
	})
}

// escapedPath returns a path of which API Gateway has decoded any part as a URL has it. The library fails if it is not.
func escapedPath(raw string) string {
	path := "/" + strings.TrimPrefix(raw, "/")
	u, err := url.ParseRequestURI(path)
	if err != nil {
		u = &url.URL{Path: path}
	}
	return u.EscapedPath()
}

// WithDigest returns a handler of what requests handles that also responds to a schedule's event {"digest":true}, which
// Lambda sends to the destination of such calls. No request is one: API Gateway makes their events.
func WithDigest(requests proxy, digest func(context.Context) ([]string, error)) any {
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var e struct {
			event
			Digest bool
		}
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, err
		}
		if e.Digest {
			return digest(ctx)
		}
		return requests(ctx, e.event)
	}
}
