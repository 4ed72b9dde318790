// Package function starts one Lambda function: it reads the environment, builds the one type that handles the
// function's events with the ports that this type uses, and handles the events. A port whose library only some
// functions need is in a package beside this one, together with those functions, so that no binary holds a library that
// only other functions need.
package function

import (
	"log/slog"

	"checkout/internal/api"
)

// Function is one Lambda function.
type Function struct {
	Name string // of its folder

	// Build returns the function's Lambda handler. It asks the builder for each port that the handler uses.
	Build func(b *Builder) any
}

// Unknown responds to requests for paths that no other function serves, and counts what browsers report. Anybody can
// call it with anything, so it has no port, no permission and no secret, and does not ask whether a request came
// through CloudFront.
var Unknown = Function{Name: "unknown", Build: func(b *Builder) any {
	core := b.Core("")
	return b.OpenHTTP(core, api.Reports(core))
}}

// Needs returns what the function needs, for tests.
func (f Function) Needs() Needs {
	b := newBuilder(func(string) string { return "" }, slog.New(slog.DiscardHandler))
	f.Build(b)
	return b.needs
}

// Handler builds the function of an environment, and returns its Lambda handler. Its error names the variables that the
// function needs and that are not set.
func (f Function) Handler(env Env, log *slog.Logger) (any, error) {
	b := newBuilder(env, log)
	handler := f.Build(b)
	if err := b.err(); err != nil {
		return nil, err
	}
	for _, start := range b.starts {
		start()
	}
	return handler, nil
}
