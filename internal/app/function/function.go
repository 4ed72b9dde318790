// Package function starts one Lambda function: it reads the environment, builds the service with the parts that the
// function is given, and serves the function's events. It has what all functions are built with. A part whose library
// only some functions need is in a package beside this one, together with the functions that are given it, so that a
// binary holds the libraries of its own function alone.
package function

import (
	"errors"
	"fmt"

	"checkout/internal/api"
)

// Function is one Lambda function: the parts of the service that it is given, and what handles its events. What it
// needs of the environment follows from its parts. A test derives from the code which parts each function uses.
type Function struct {
	Name   string // of its folder
	Parts  []*Part
	Entry  Entry
	Routes *api.Routes // of HTTP functions
}

// Entry makes a Lambda handler of a service.
type Entry func(a *App, f Function) any

// Status tells what became of a payment. It needs nothing but the table and merchants' passwords.
var Status = Function{Name: "status", Parts: []*Part{&Passwords}, Entry: HTTP, Routes: &api.Status}

// Handler returns the function's Lambda handler.
func (f Function) Handler(a *App) any { return f.Entry(a, f) }

// Needs returns the variables of the environment that the function can't do without.
func (f Function) Needs() []string {
	needs := []string{"STACK", "TABLE", "PAYMENT_RETENTION_DAYS"}
	if f.Routes != nil { // else anybody could call it past CloudFront
		needs = append(needs, "ORIGIN_SECRET")
	}
	for _, p := range f.Parts {
		needs = append(needs, p.Needs...)
	}
	return needs
}

// Missing says which of the variables that the function needs are not set.
func (f Function) Missing(env Env) error {
	var errs []error
	for _, name := range f.Needs() {
		if env(name) == "" {
			errs = append(errs, fmt.Errorf("the environment has no %s", name))
		}
	}
	return errors.Join(errs...)
}
