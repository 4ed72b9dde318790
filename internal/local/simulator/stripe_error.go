package simulator

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// wrong is the error of a request that Stripe does not take.
func wrong(code, parameter, message string) *stripeError {
	return &stripeError{
		status: http.StatusBadRequest, Type: "invalid_request_error", Code: code, Par: parameter, Message: message,
	}
}

// missing is the error of an id that belongs to nothing.
func missing(kind, parameter, id string) *stripeError {
	e := wrong("resource_missing", parameter, "No such "+kind+": '"+id+"'")
	e.status = http.StatusNotFound
	return e
}

// named is an error about a parameter of another object: the request was found, and what it names was not.
func (e *stripeError) named(parameter string) *stripeError {
	if e != nil {
		e.status, e.Par = http.StatusBadRequest, parameter
	}
	return e
}

func (e *stripeError) body() any {
	body := object{"type": e.Type, "message": e.Message}
	for name, value := range map[string]string{
		"code": e.Code, "decline_code": e.DeclineCode, "param": e.Par, "charge": e.Charge,
	} {
		if value != "" {
			body[name] = value
		}
	}
	if e.Code != "" {
		body["doc_url"] = "https://stripe.com/docs/error-codes/" + strings.ReplaceAll(e.Code, "_", "-")
	}
	if e.intent != nil {
		body["payment_intent"] = e.intent
	}
	if e.setup != nil {
		body["setup_intent"] = e.setup
	}
	return object{"error": body}
}

// check refuses a request that lacks a parameter or has one that Stripe does not know.
func (route stripeRoute) check(form url.Values) *stripeError {
	for _, name := range strings.Fields(route.required) {
		inList := strings.Replace(name, "[0]", "[]", 1) // as people write it
		if form.Get(name) == "" && form.Get(inList) == "" {
			return wrong("parameter_missing", name, "Missing required param: "+name+".")
		}
	}
	if route.optional == "*" {
		return nil
	}
	known := append(strings.Fields(route.optional), "expand")
	for _, name := range strings.Fields(route.required) {
		top, _, _ := strings.Cut(name, "[")
		known = append(known, top)
	}
	for name := range form {
		top, _, _ := strings.Cut(name, "[")
		if !slices.Contains(known, top) {
			return wrong("parameter_unknown", name, "Received unknown parameter: "+name)
		}
	}
	return nil
}
