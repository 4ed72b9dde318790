package method

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var between = regexp.MustCompile(`[\s./\x{2010}-\x{2013}-]`)

// written reports whether a value is written as the page says.
func (w Writing) written(value string) bool {
	value = strings.TrimSpace(value)
	if w.Signs != SignsAny {
		value = between.ReplaceAllString(value, "")
	}
	if w.Signs == SignsDigits && !only(value, isDigit) {
		return false
	}
	count := utf8.RuneCountInString(value)
	return len(w.Lengths) == 0 ||
		slices.ContainsFunc(w.Lengths, func(of [2]int) bool { return count >= of[0] && count <= of[1] })
}

// Each example is a good value, and each good value is written as the page says, also as people write it: the page
// refuses what has another length.
func TestWritings(t *testing.T) {
	for check, w := range writings {
		if fault := check.fault(w.Example); fault != "" {
			t.Errorf("%s: the example %s: %s", check, w.Example, fault)
		}
		test := checkValues[check]
		good := append(slices.Clone(test.Good), w.Example)
		for value := range test.Written {
			good = append(good, value)
		}
		for _, value := range good {
			if !w.written(value) {
				t.Errorf("%s: %q is good, and not written as %+v", check, value, w)
			}
		}
		for i, of := range w.Lengths {
			if of[0] < 1 || of[0] > of[1] || i > 0 && of[0] <= w.Lengths[i-1][1] || w.Signs == "" {
				t.Errorf("%s: lengths %v", check, w.Lengths)
			}
		}
	}
}

// Payers are told how each number is written that the page asks for and that is checked.
func TestEachNumberHasAWriting(t *testing.T) {
	told := []Check{"", ruleEmail}
	for _, m := range Methods {
		for _, set := range m.Sets {
			for _, f := range pageFieldsOf(set.Rows, "") {
				for value, w := range f.Writings {
					if w.Example == "" {
						t.Errorf("%s: %s of %s %s has no writing", m.ID, f.ID, f.OptionsBy, value)
					}
				}
				if f.Writing == nil && !slices.Contains(told, f.Check) {
					t.Errorf("%s: %s has the check %s and no writing", m.ID, f.ID, f.Check)
				}
			}
		}
	}
}
