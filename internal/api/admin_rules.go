package api

import (
	"reflect"
	"strings"

	"checkout/internal/operator/grant"
)

// Rule is what a route of the admin API asks for.
type Rule struct {
	Right      grant.Right
	Parameters []string // of its query
	Members    []string // of its body
	Required   []string // of these
}

// Rule returns the rule of a route, an empty one for a route of the public API.
func (r Route) Rule() Rule {
	if ruled, ok := r.handler.(interface{ rule() Rule }); ok {
		return ruled.rule()
	}
	return Rule{}
}

func (f read) rule() Rule { return Rule{Right: f.right, Parameters: strings.Fields(f.parameters)} }

func (f act[T]) rule() Rule {
	r := Rule{Right: f.right}
	r.Members, r.Required = membersOf(reflect.TypeFor[T]())
	return r
}
