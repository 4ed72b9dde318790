package template

import "testing"

// TestConditions tests what IAM's user guide says of operators, absent keys, ForAllValues and ForAnyValue.
func TestConditions(t *testing.T) {
	cases := []struct {
		operator string
		values   []string
		request  []string // none: the request has no such key
		want     bool
	}{
		{"StringEquals", []string{"a", "b"}, []string{"b"}, true},
		{"StringEquals", []string{"a*"}, []string{"ab"}, false},
		{"StringEquals", []string{"a"}, nil, false},
		{"StringLike", []string{"a/*"}, []string{"a/b"}, true},
		{"StringLike", []string{"a/*"}, []string{"ab"}, false},
		{"StringNotEquals", []string{"a", "b"}, []string{"b"}, false},
		{"StringNotEquals", []string{"a", "b"}, []string{"c"}, true},
		{"StringNotEquals", []string{"a"}, nil, true},
		{"ArnNotEquals", []string{"arn:x"}, []string{"arn:x"}, false},
		{"ArnNotEquals", []string{"arn:x"}, []string{"arn:y"}, true},
		{"ForAllValues:StringLike", []string{"a/*", "b"}, []string{"a/1", "b"}, true},
		{"ForAllValues:StringLike", []string{"a/*", "b"}, []string{"a/1", "c"}, false},
		{"ForAllValues:StringLike", []string{"a/*"}, nil, true},
		{"ForAllValues:StringNotEquals", []string{"a"}, nil, true},
		{"ForAllValues:StringNotEquals", []string{"a"}, []string{"a"}, false},
		{"ForAnyValue:StringLike", []string{"a/*", "b"}, []string{"c", "a/1"}, true},
		{"ForAnyValue:StringLike", []string{"a/*", "b"}, []string{"c"}, false},
		{"ForAnyValue:StringLike", []string{"a/*"}, nil, false},
	}
	for _, c := range cases {
		context := Context{}
		if c.request != nil {
			context["my:key"] = c.request
		}
		statement := Statement{Actions: []string{"s:A"}, Resources: []string{"*"},
			Conditions: []Condition{{c.operator, "My:Key", c.values}}}
		if got := Allows([]Statement{statement}, "s:A", "r", context); got != c.want {
			t.Errorf("%s %q of %q: %v", c.operator, c.values, c.request, got)
		}
		all, denies := Statement{Actions: []string{"*"}, Resources: []string{"*"}}, statement
		denies.Deny = true
		if got := Allows([]Statement{all, denies}, "s:A", "r", context); got == c.want {
			t.Errorf("a denial if %s %q of %q: allowed %v", c.operator, c.values, c.request, got)
		}
	}
}
