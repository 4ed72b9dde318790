package template

import (
	"regexp"
	"strings"
)

var (
	routeKey    = regexp.MustCompile(`^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|ANY) (/\S*)$`)
	invokeURI   = regexp.MustCompile(`^arn:aws:apigateway:[^:]+:lambda:path/2015-03-31/functions/(.+)/invocations$`)
	integration = regexp.MustCompile(`^integrations/(.+)$`)
)

// readRoutes finds the integration and function of every route of the HTTP APIs, and checks that the API may call the
// function.
func (r *reader) readRoutes(t *Template) {
	for _, x := range r.of("AWS::ApiGatewayV2::Api") {
		if p := r.props(x); p.get("ProtocolType").need() != "HTTP" {
			r.fail(p.place+".ProtocolType", "should be HTTP")
		}
		t.APIs[x.id] = API{ARN: r.arn("execute-api", r.refOf(x)+"/$default")}
	}
	for _, x := range r.of("AWS::ApiGatewayV2::Stage") {
		p := r.props(x)
		of := r.api(p)
		if p.get("StageName").need() != "$default" {
			r.fail(p.place+".StageName", "only $default is understood: any other name becomes part of every path")
		}
		api := t.APIs[of]
		api.AccessLog = p.get("AccessLogSettings").get("Format").text()
		t.APIs[of] = api
	}
	for _, x := range r.of("AWS::ApiGatewayV2::Route") {
		p := r.props(x)
		key := p.get("RouteKey").need()
		route := Route{Path: key}
		if parts := routeKey.FindStringSubmatch(key); parts != nil {
			route.Method, route.Path = parts[1], parts[2]
		} else if key != "$default" {
			r.fail(p.place+".RouteKey", "%q is not a method and a path", key)
			continue
		}
		id := r.api(p)
		api := t.APIs[id]
		f := r.target(t, p.get("Target"))
		if f == nil {
			continue
		}
		route.Function = f.Name
		switch kind := p.get("AuthorizationType").text(); kind {
		case "", "NONE":
		case "AWS_IAM":
			route.Signed = true
		default:
			r.fail(p.place+".AuthorizationType", "%q is not understood", kind)
		}
		if !r.permitted(f, api.ARN+"/"+strings.ReplaceAll(key, " ", "")) {
			r.fail("Resources."+x.id, "no AWS::Lambda::Permission lets this route call %s", f.ID)
		}
		api.Routes = append(api.Routes, route)
		t.APIs[id] = api
	}
}

// api is the logical id of the API that a resource belongs to.
func (r *reader) api(p value) string {
	id := p.get("ApiId").need()
	for _, x := range r.of("AWS::ApiGatewayV2::Api") {
		if r.refOf(x) == id {
			return x.id
		}
	}
	r.fail(p.place+".ApiId", "no API of this template: %s", id)
	return id
}

// target returns the function of integrations/<id>, or nil with a fault.
func (r *reader) target(t *Template, target value) *Function {
	parts := integration.FindStringSubmatch(target.need())
	if parts == nil {
		r.fail(target.place, "%q is not integrations/<id>", target.text())
		return nil
	}
	x := r.byID[parts[1]]
	if x == nil || x.kind != "AWS::ApiGatewayV2::Integration" {
		r.fail(target.place, "no integration is called %q", parts[1])
		return nil
	}
	p := r.props(x)
	r.api(p)
	if kind := p.get("IntegrationType").need(); kind != "AWS_PROXY" {
		r.fail(p.place+".IntegrationType", "%q is not understood", kind)
	}
	if version := p.get("PayloadFormatVersion").text(); version != "2.0" {
		r.fail(p.place+".PayloadFormatVersion", "should be '2.0'")
	}
	uri := p.get("IntegrationUri").need()
	if parts := invokeURI.FindStringSubmatch(uri); parts != nil {
		uri = parts[1]
	}
	for i := range t.Functions {
		if t.Functions[i].isCalled(uri) {
			return &t.Functions[i]
		}
	}
	r.fail(p.place+".IntegrationUri", "no function of this template: %s", uri)
	return nil
}

// permitted reports whether a function's resource policy allows API Gateway to call it from a route.
func (r *reader) permitted(f *Function, source string) bool {
	for _, x := range r.of("AWS::Lambda::Permission") {
		p := r.props(x)
		name := p.get("FunctionName").need()
		if !f.isCalled(name) {
			continue
		}
		pattern := p.get("SourceArn").text()
		if p.get("Principal").text() == "apigateway.amazonaws.com" && p.get("Action").text() == "lambda:InvokeFunction" &&
			(pattern == "" || Match(pattern, source)) {
			return true
		}
	}
	return false
}
