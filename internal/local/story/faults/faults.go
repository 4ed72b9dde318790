// Package faults has the fault runs: orders are paid in virtual time while stores, queues, functions, clocks,
// providers, receivers and people fail. Begin with run_test.go; world_test.go has the world of a run, effects_test.go
// what fails.
package faults
