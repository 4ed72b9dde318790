// Package function starts one Lambda function: it reads the environment, builds the service with the parts of the
// function, and handles the function's events. A part whose library only some functions need is in a package beside
// this one, together with those functions, so that no binary holds a library that only other functions need.
package function

import (
	"errors"
	"fmt"

	"checkout/internal/api"
)

// Function is one Lambda function. A test finds out from the code which parts it uses, and compares them with Parts.
type Function struct {
	Name   string // of its folder
	Parts  []*Part
	Entry  Entry
	Routes *api.Routes // nil if the function serves no HTTP requests
	Open   bool        // requests do not come through CloudFront, or need not
}

// Unknown responds to requests for paths that no other function serves, and counts what browsers report. Anybody can
// call it with anything, so it has no part, no permission and no secret, and does not ask whether a request came
// through CloudFront.
var Unknown = Function{Name: "unknown", Entry: HTTP, Routes: &api.Reports, Open: true}

// Entry returns the Lambda handler of a function.
type Entry func(a *App, f Function) any

// Handler returns the function's Lambda handler.
func (f Function) Handler(a *App) any { return f.Entry(a, f) }

// Needs returns the variables of the environment that the function needs.
func (f Function) Needs() []string {
	needs := []string{"STACK", "TABLE", "PAYMENT_RETENTION_DAYS"}
	if f.Routes != nil && !f.Open { // without it, requests past CloudFront would be accepted
		needs = append(needs, "ORIGIN_SECRET")
	}
	for _, p := range f.Parts {
		needs = append(needs, p.Needs...)
	}
	return needs
}

// Missing returns an error that names the variables that the function needs and that are not set.
func (f Function) Missing(env Env) error {
	var errs []error
	for _, name := range f.Needs() {
		if env(name) == "" {
			errs = append(errs, fmt.Errorf("the environment has no %s", name))
		}
	}
	return errors.Join(errs...)
}
