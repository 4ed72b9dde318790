package template

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"

	"gopkg.in/yaml.v3"
)

// readParameters checks the given values by the template's Parameters and Rules, as CloudFormation does before it
// changes anything.
func (r *reader) readParameters() (all []Parameter) {
	parameters := child(r.root, "Parameters")
	var names []string
	for name := range r.options.Parameters {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		parameter := child(parameters, name)
		if parameter == nil {
			r.fail("Parameters", "the template has no %s", name)
			continue
		}
		if wrong := wrongValue(parameter, r.options.Parameters[name]); wrong != "" {
			r.fail("Parameters."+name, "%q %s", r.options.Parameters[name], wrong)
		}
	}
	for i := 0; parameters != nil && i+1 < len(parameters.Content); i += 2 {
		name := parameters.Content[i].Value
		all = append(all, Parameter{name, r.at(parameters.Content[i+1], "Parameters."+name).get("Default").text()})
		if value, ok := r.options.Parameters[name]; ok {
			all[i/2].Value = value
		}
	}
	r.checkRules()
	return all
}

func (r *reader) checkRules() {
	rules := child(r.root, "Rules")
	for i := 0; rules != nil && i+1 < len(rules.Content); i += 2 {
		place := "Rules." + rules.Content[i].Value
		assertions := child(rules.Content[i+1], "Assertions")
		if assertions == nil || child(rules.Content[i+1], "RuleCondition") != nil {
			r.fail(place, "should have Assertions, and nothing else is understood")
			continue
		}
		for _, assertion := range assertions.Content {
			if test := child(assertion, "Assert"); test == nil || !r.test(test, place) {
				r.fail(place, "%s", r.at(child(assertion, "AssertDescription"), place).need())
			}
		}
	}
}

// wrongValue says what is wrong with a parameter's value, "" if nothing is.
func wrongValue(parameter *yaml.Node, value string) string {
	text := func(key string) string {
		if node := child(parameter, key); node != nil {
			return node.Value
		}
		return ""
	}
	number, err := strconv.Atoi(value)
	if text("Type") == "Number" && err != nil {
		return "is no whole number"
	}
	if least, err := strconv.Atoi(text("MinValue")); err == nil && number < least {
		return fmt.Sprintf("is less than %d", least)
	}
	if most, err := strconv.Atoi(text("MaxValue")); err == nil && number > most {
		return fmt.Sprintf("is more than %d", most)
	}
	if pattern := text("AllowedPattern"); pattern != "" && !regexp.MustCompile("^(?:"+pattern+")$").MatchString(value) {
		return "should fit " + pattern
	}
	if list := child(parameter, "AllowedValues"); list != nil {
		var allowed []string
		for _, node := range list.Content {
			allowed = append(allowed, node.Value)
		}
		if !slices.Contains(allowed, value) {
			return fmt.Sprintf("should be one of %v", allowed)
		}
	}
	return ""
}
