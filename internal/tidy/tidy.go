// Package tidy holds the rules of the house as a test: who may enter which
// room, and what may be done in none.
package tidy
