// Package tidy has the rules of the code as tests: which packages may import which, sizes, names and words.
package tidy
