// Package stack has the tests of what is deployed: template.yaml, its agreement with routes, functions and events, what
// it allows each function, the tools that deploy it, and the workflow that a change has to pass.
package stack
