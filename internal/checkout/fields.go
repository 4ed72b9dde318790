package checkout

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"checkout/internal/method"
)

// fields reads the members of one JSON object of a request, as tolerantly as decisions.md 1 has it, and
// collects what is wrong with them. Faults stand in the order in which members are read, so whoever
// reads in the order of the specification's tables reports in that order. A bad value reads as absent.
type fields struct {
	object *object // nil: absent
	path   string  // of the object, "" for the body
	faults *[]Fault
}

// maxFaults is how many problems one answer names; more help nobody.
const maxFaults = 100

// readFields reads a request body. The error is CodeInvalid.
func readFields(body []byte) (fields, error) {
	o, err := readObject(body)
	if err != nil {
		return fields{}, refuse(CodeInvalid, FaultInvalid, "Request data is invalid.")
	}
	return fields{object: o, faults: new([]Fault)}, nil
}

// maxItems is how many items a list may have.
const maxItems = 1000

// afresh reads the same object again, without the faults found so far.
func (f fields) afresh() fields {
	f.faults = new([]Fault)
	return f
}

// err is CodeInvalid with all faults found so far, nil if there are none.
func (f fields) err() error {
	if len(*f.faults) == 0 {
		return nil
	}
	return invalid(*f.faults)
}

// fail notes a fault of a member.
func (f fields) fail(name, text string) {
	f.add(Fault{Code: FaultInvalid, Path: f.join(name), Text: text})
}

func (f fields) add(fault Fault) {
	if len(*f.faults) < maxFaults {
		*f.faults = append(*f.faults, fault)
	}
}

func (f fields) join(name string) string {
	if f.path == "" || strings.HasPrefix(name, "[") {
		return f.path + name
	}
	return f.path + "." + name
}

// value answers a member, nil if it is absent: not sent, null, an empty or blank text, an empty list.
func (f fields) value(name string) any {
	if f.object == nil {
		return nil
	}
	switch v := f.object.values[name].(type) {
	case string:
		if strings.TrimSpace(v) == "" {
			return nil
		}
		return v
	case []any:
		if len(v) == 0 {
			return nil
		}
		return v
	default:
		return v
	}
}

func (f fields) has(name string) bool { return f.value(name) != nil }

// names answers the members in the order of the body.
func (f fields) names() []string {
	if f.object == nil {
		return nil
	}
	return f.object.names
}

// text reads a text, "" if it is absent or bad. A number counts as its literal text. The first check
// that finds a fault decides; without any check a text may have up to 255 characters.
func (f fields) text(name string, checks ...check) string {
	text, ok := textOf(f.value(name))
	if !ok || method.HasControl(text) {
		f.fail(name, method.NotValid(method.RuleText))
		return ""
	}
	if text == "" {
		return ""
	}
	if len(checks) == 0 {
		checks = []check{upTo(255)}
	}
	for _, find := range checks {
		if fault := find(text); fault != "" {
			f.fail(name, fault)
			return ""
		}
	}
	return text
}

// required is text for one that must be there.
func (f fields) required(name string, checks ...check) string {
	if !f.has(name) {
		f.fail(name, method.TextBlank)
		return ""
	}
	return f.text(name, checks...)
}

// amount is text for an amount: where money is concerned an empty list is no absent value.
func (f fields) amount(name string, checks ...check) string {
	if f.object != nil {
		if _, list := f.object.values[name].([]any); list {
			f.fail(name, method.NotValid("It should be a number such as 10.00."))
			return ""
		}
	}
	return f.text(name, checks...)
}

// blank reports whether a member was sent as an empty or blank text.
func (f fields) blank(name string) bool {
	text, sent := f.object.values[name].(string)
	return sent && strings.TrimSpace(text) == ""
}

// without reads the same object without the members that have one of these texts.
func (f fields) without(texts []string) fields {
	for _, name := range f.names() {
		if text, ok := f.object.values[name].(string); ok && slices.Contains(texts, strings.TrimSpace(text)) {
			f = f.replaced(name, nil)
		}
	}
	return f
}

// changed reads the same object with another text for a member that is a text.
func (f fields) changed(name string, change func(string) string) fields {
	text, _ := f.value(name).(string)
	if changed := change(text); changed != text && changed != "" {
		return f.replaced(name, changed)
	}
	return f
}

// replaced reads a copy of the object, in which a member has another value.
func (f fields) replaced(name string, value any) fields {
	f.object = &object{names: f.object.names, values: maps.Clone(f.object.values), raw: f.object.raw}
	f.object.values[name] = value
	return f
}

func textOf(value any) (string, bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

// flag reads a boolean, false if it is absent: also 1 and 0, and as text in any case true, false, yes, no, y, n.
func (f fields) flag(name string) bool {
	value := f.value(name)
	if b, ok := value.(bool); ok {
		return b
	}
	text, ok := textOf(value)
	switch strings.ToLower(text) {
	case "true", "1", "y", "yes":
		return true
	case "false", "0", "n", "no":
		return false
	}
	if !ok || text != "" {
		f.fail(name, method.NotValid(method.RuleBool))
	}
	return false
}

// integer reads a whole number from least to most, absent if it is not there. 15, "15" and 15.0 are the same.
func (f fields) integer(name string, absent, least, most int) int {
	text, ok := textOf(f.value(name))
	if ok && text == "" {
		return absent
	}
	whole, part, point := strings.Cut(text, ".")
	n, err := strconv.Atoi(whole)
	zeros := !point || part != "" && strings.Trim(part, "0") == ""
	if !ok || err != nil || !zeros || strings.HasPrefix(whole, "+") || n < least || n > most {
		f.fail(name, method.NotValid(fmt.Sprintf("It should be a whole number from %d to %d.", least, most)))
		return absent
	}
	return n
}

// inside reads an object. Of an absent one and of what is no object, every member is absent; the latter
// is one fault and its members are none.
func (f fields) inside(name string) fields {
	in := fields{path: f.join(name), faults: f.faults}
	switch v := f.value(name).(type) {
	case nil:
	case *object:
		in.object = v
	default:
		f.fail(name, method.NotValid(method.RuleObject))
		in.faults = new([]Fault)
	}
	return in
}

// list reads a list as an object whose members are [0], [1] and so on. An object whose names are all
// numbers is a list too: PHP writes a list with a gap, and a form with brackets, like that. Too many
// items are one fault.
func (f fields) list(name string) fields {
	in := fields{path: f.join(name), faults: f.faults}
	items, ok := itemsOf(f.value(name))
	if !ok || len(items) > maxItems {
		f.fail(name, method.NotValid(fmt.Sprintf("It should be a list of at most %d items.", maxItems)))
		return in
	}
	in.object = newObject()
	for i, item := range items {
		in.object.add("["+strconv.Itoa(i)+"]", item)
	}
	return in
}

func itemsOf(value any) ([]any, bool) {
	switch v := value.(type) {
	case nil:
		return nil, true
	case []any:
		return v, true
	case *object:
		var items []any
		for _, name := range v.names {
			if _, err := strconv.ParseUint(name, 10, 32); err != nil {
				return nil, false
			}
			items = append(items, v.values[name])
		}
		return items, true
	}
	return nil, false
}
