package template

import (
	"slices"
	"strings"
)

// Condition is one condition of a statement: a key of the request's context, and the values that fit.
type Condition struct {
	Operator string // StringEquals, StringLike, ArnEquals or ArnLike, also with Not, ForAllValues and ForAnyValue
	Key      string
	Values   []string
}

// Context has a request's values by condition key in lower case, such as dynamodb:leadingkeys.
type Context map[string][]string

// operators are the condition operators that are understood.
var operators = map[string]struct{ like, not bool }{
	"StringEquals": {}, "StringNotEquals": {not: true}, "StringLike": {like: true},
	"StringNotLike": {like: true, not: true},
	"ArnEquals":     {like: true}, "ArnNotEquals": {like: true, not: true}, "ArnLike": {like: true},
	"ArnNotLike": {like: true, not: true},
}

// contextKeys are the prefixes of all condition keys that local requests have. A condition on another key is a fault.
var contextKeys = []string{
	"dynamodb:leadingkeys", "dynamodb:enclosingoperation", "kms:encryptioncontext:", "aws:principalarn",
}

const forAll, forAny = "ForAllValues:", "ForAnyValue:"

// holds applies IAM's rule: without the key in the request, only negated operators and ForAllValues are true.
func (c Condition) holds(context Context) bool {
	name, all := strings.CutPrefix(c.Operator, forAll)
	name, some := strings.CutPrefix(name, forAny)
	operator := operators[name]
	fits := func(value string) bool {
		found := slices.ContainsFunc(c.Values, func(pattern string) bool {
			return pattern == value || operator.like && Match(pattern, value)
		})
		return found != operator.not
	}
	values := context[strings.ToLower(c.Key)]
	switch {
	case some:
		return slices.ContainsFunc(values, fits)
	case len(values) == 0:
		return all || operator.not
	}
	return !slices.ContainsFunc(values, func(value string) bool { return !fits(value) })
}

// readConditions reads the Condition of a statement.
func (r *reader) readConditions(conditions value) []Condition {
	var found []Condition
	for _, operator := range conditions.keys() {
		keys := conditions.get(operator)
		if _, ok := operators[strings.TrimPrefix(strings.TrimPrefix(operator, forAll), forAny)]; !ok {
			r.fail(keys.place, "the operator is not understood")
			continue
		}
		for _, key := range keys.keys() {
			if !slices.ContainsFunc(contextKeys,
				func(known string) bool { return strings.HasPrefix(strings.ToLower(key), known) }) {
				r.fail(keys.place+"."+key, "is not understood")
			}
			found = append(found, Condition{Operator: operator, Key: key, Values: keys.get(key).texts()})
		}
	}
	return found
}
