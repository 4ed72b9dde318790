// Package tidy has the rules of the code as tests: which packages may import which, sizes, names and words, and that
// routes, template, functions and events agree.
package tidy
