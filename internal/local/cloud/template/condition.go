package template

import (
	"slices"
	"strings"
)

// Condition is one condition of a statement: a key of the request's context, and the values that fit.
type Condition struct {
	Operator string // StringEquals, StringLike, ArnEquals or ArnLike, also with Not and ForAllValues
	Key      string
	Values   []string
}

// Context is what a request says of itself, by condition key in lower case: dynamodb:leadingkeys.
type Context map[string][]string

// operators are those that are understood, by what they compare with; none of them is a wild card of another.
var operators = map[string]struct{ like, not bool }{
	"StringEquals": {}, "StringNotEquals": {not: true}, "StringLike": {like: true}, "StringNotLike": {like: true, not: true},
	"ArnEquals": {like: true}, "ArnNotEquals": {like: true, not: true}, "ArnLike": {like: true}, "ArnNotLike": {like: true, not: true},
}

// contextKeys are the beginnings of all condition keys that requests are given here. Another one would hold or not by chance.
var contextKeys = []string{"dynamodb:leadingkeys", "kms:encryptioncontext:", "aws:principalarn"}

const forAll = "ForAllValues:"

// holds is IAM's rule: a key that the request does not have fits what is negated and ForAllValues, and nothing else.
func (c Condition) holds(context Context) bool {
	name, all := strings.CutPrefix(c.Operator, forAll)
	operator := operators[name]
	fits := func(value string) bool {
		found := slices.ContainsFunc(c.Values, func(pattern string) bool {
			return pattern == value || operator.like && Match(pattern, value)
		})
		return found != operator.not
	}
	values := context[strings.ToLower(c.Key)]
	if len(values) == 0 {
		return all || operator.not
	}
	return !slices.ContainsFunc(values, func(value string) bool { return !fits(value) })
}

// readConditions reads the Condition of a statement.
func (r *reader) readConditions(conditions value) []Condition {
	var found []Condition
	for _, operator := range conditions.keys() {
		keys := conditions.get(operator)
		if _, ok := operators[strings.TrimPrefix(operator, forAll)]; !ok {
			r.fail(keys.place, "the operator is not understood")
			continue
		}
		for _, key := range keys.keys() {
			if !slices.ContainsFunc(contextKeys, func(known string) bool { return strings.HasPrefix(strings.ToLower(key), known) }) {
				r.fail(keys.place+"."+key, "is not understood")
			}
			found = append(found, Condition{Operator: operator, Key: key, Values: keys.get(key).texts()})
		}
	}
	return found
}
