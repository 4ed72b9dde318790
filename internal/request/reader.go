// Package request reads what merchants send: JSON and bracket notation to fields, as tolerantly as decisions.md 1 has it.
// It finds all that is wrong with a request, in the order of the specification's tables, and knows no payment.
package request

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"checkout/internal/method"
)

// Reader reads the members of one JSON object of a request, as tolerantly as decisions.md 1 has it, and
// collects what is wrong with them. Faults stand in the order in which members are read, so whoever
// reads in the order of the specification's tables reports in that order. A bad value reads as absent.
type Reader struct {
	object *Object // nil: absent
	path   string  // of the object, "" for the body
	Faults *[]Fault
}

// MaxFaults is how many problems one answer names; more help nobody.
const MaxFaults = 100

// Read reads a request body. The error is CodeInvalid.
func Read(body []byte) (Reader, error) {
	o, err := ReadObject(body)
	if err != nil {
		return Reader{}, Refuse(CodeInvalid, FaultInvalid, "Request data is invalid.")
	}
	return Reader{object: o, Faults: new([]Fault)}, nil
}

// MaxItems is how many items a list may have.
const MaxItems = 1000

// Afresh reads the same object again, without the faults found so far.
func (f Reader) Afresh() Reader {
	f.Faults = new([]Fault)
	return f
}

// Err is CodeInvalid with all faults found so far, nil if there are none.
func (f Reader) Err() error {
	if len(*f.Faults) == 0 {
		return nil
	}
	return Invalid(*f.Faults)
}

// Fail notes a fault of a member.
func (f Reader) Fail(name, text string) {
	f.add(Fault{Code: FaultInvalid, Path: f.join(name), Text: text})
}

func (f Reader) add(fault Fault) {
	if len(*f.Faults) < MaxFaults {
		*f.Faults = append(*f.Faults, fault)
	}
}

func (f Reader) join(name string) string {
	if f.path == "" || strings.HasPrefix(name, "[") {
		return f.path + name
	}
	return f.path + "." + name
}

// Value answers a member, nil if it is absent: not sent, null, an empty or blank text, an empty list.
func (f Reader) Value(name string) any {
	if f.object == nil {
		return nil
	}
	switch v := f.object.Values[name].(type) {
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

// Has reports whether a member is there, as Value says.
func (f Reader) Has(name string) bool { return f.Value(name) != nil }

// Names answers the members in the order of the body.
func (f Reader) Names() []string {
	if f.object == nil {
		return nil
	}
	return f.object.Names
}

// Text reads a text, "" if it is absent or bad. A number counts as its literal text. The first check
// that finds a fault decides; without any check a text may have up to 255 characters.
func (f Reader) Text(name string, checks ...Check) string {
	text, ok := textOf(f.Value(name))
	if !ok || method.HasControl(text) {
		f.Fail(name, method.NotValid(method.RuleText))
		return ""
	}
	if text == "" {
		return ""
	}
	if len(checks) == 0 {
		checks = []Check{UpTo(255)}
	}
	for _, find := range checks {
		if fault := find(text); fault != "" {
			f.Fail(name, fault)
			return ""
		}
	}
	return text
}

// Required is text for one that must be there.
func (f Reader) Required(name string, checks ...Check) string {
	if !f.Has(name) {
		f.Fail(name, method.TextBlank)
		return ""
	}
	return f.Text(name, checks...)
}

// Amount is text for an amount: where money is concerned an empty list is no absent value.
func (f Reader) Amount(name string, checks ...Check) string {
	if f.object != nil {
		if _, list := f.object.Values[name].([]any); list {
			f.Fail(name, method.NotValid("It should be a number such as 10.00."))
			return ""
		}
	}
	return f.Text(name, checks...)
}

// Blank reports whether a member was sent as an empty or blank text.
func (f Reader) Blank(name string) bool {
	text, sent := f.object.Values[name].(string)
	return sent && strings.TrimSpace(text) == ""
}

// without reads the same object without the members that have one of these texts.
func (f Reader) without(texts []string) Reader {
	for _, name := range f.Names() {
		if text, ok := f.object.Values[name].(string); ok && slices.Contains(texts, strings.TrimSpace(text)) {
			f = f.replaced(name, nil)
		}
	}
	return f
}

// changed reads the same object with another text for a member that is a text.
func (f Reader) changed(name string, change func(string) string) Reader {
	text, _ := f.Value(name).(string)
	if changed := change(text); changed != text && changed != "" {
		return f.replaced(name, changed)
	}
	return f
}

// replaced reads a copy of the object, in which a member has another value.
func (f Reader) replaced(name string, value any) Reader {
	f.object = &Object{Names: f.object.Names, Values: maps.Clone(f.object.Values), Raw: f.object.Raw}
	f.object.Values[name] = value
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

// Flag reads a boolean, false if it is absent: also 1 and 0, and as text in any case true, false, yes, no, y, n.
func (f Reader) Flag(name string) bool {
	value := f.Value(name)
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
		f.Fail(name, method.NotValid(method.RuleBool))
	}
	return false
}

// Integer reads a whole number from least to most, absent if it is not there. 15, "15" and 15.0 are the same.
func (f Reader) Integer(name string, absent, least, most int) int {
	text, ok := textOf(f.Value(name))
	if ok && text == "" {
		return absent
	}
	whole, part, point := strings.Cut(text, ".")
	n, err := strconv.Atoi(whole)
	zeros := !point || part != "" && strings.Trim(part, "0") == ""
	if !ok || err != nil || !zeros || strings.HasPrefix(whole, "+") || n < least || n > most {
		f.Fail(name, method.NotValid(fmt.Sprintf("It should be a whole number from %d to %d.", least, most)))
		return absent
	}
	return n
}

// Inside reads an object. Of an absent one and of what is no object, every member is absent; the latter
// is one fault and its members are none.
func (f Reader) Inside(name string) Reader {
	in := Reader{path: f.join(name), Faults: f.Faults}
	switch v := f.Value(name).(type) {
	case nil:
	case *Object:
		in.object = v
	default:
		f.Fail(name, method.NotValid(method.RuleObject))
		in.Faults = new([]Fault)
	}
	return in
}

// List reads a list as an object whose members are [0], [1] and so on. An object whose names are all
// numbers is a list too: PHP writes a list with a gap, and a form with brackets, like that. Too many
// items are one fault.
func (f Reader) List(name string) Reader {
	in := Reader{path: f.join(name), Faults: f.Faults}
	items, ok := itemsOf(f.Value(name))
	if !ok || len(items) > MaxItems {
		f.Fail(name, method.NotValid(fmt.Sprintf("It should be a list of at most %d items.", MaxItems)))
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
	case *Object:
		var items []any
		for _, name := range v.Names {
			if _, err := strconv.ParseUint(name, 10, 32); err != nil {
				return nil, false
			}
			items = append(items, v.Values[name])
		}
		return items, true
	}
	return nil, false
}
