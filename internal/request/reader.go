// Package request reads what merchants send, JSON and bracket notation, into fields, as tolerantly as protocol.md,
// Requests, says. It finds all faults of a request, in the order of the specification's tables, and knows no payment.
package request

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/method"
)

// Reader reads the members of one JSON object of a request and collects their faults. Faults are in the order in which
// members are read, so read members in the order of the specification's tables. A value that is not valid reads as
// absent.
type Reader struct {
	object  *Object // nil: absent
	path    string  // of the object, "" for the body
	found   *findings
	under   condition // of new faults; nil: they refuse the request of every merchant
	noValue []string  // texts that are read as absent
}

// MaxBody is the most bytes of a request (protocol.md, Requests).
const MaxBody = 256 << 10

// maxFaults is the most faults of one response.
const maxFaults = 100

// maxItems is how many items a list may have.
const maxItems = 1000

// Read reads a request body. The error is CodeInvalid.
func Read(body []byte) (Reader, error) {
	if len(body) <= MaxBody {
		if o, err := ReadObject(body); err == nil {
			return Reader{object: o, found: &findings{}}, nil
		}
	}
	if isForm(body) {
		return Reader{}, fault.Refuse(fault.CodeInvalid,
			"The body is a form. Send one JSON object, with Content-Type: application/json.")
	}
	return Reader{}, fault.Refuse(fault.CodeInvalid, "Request data is invalid.")
}

// isForm reports whether a body begins as that of an HTML form does: with a name and an equals sign.
func isForm(body []byte) bool {
	name, _, found := bytes.Cut(body[:min(len(body), MaxBody)], []byte("="))
	return found && len(name) > 0 && OnlyOf(string(name[:min(len(name), 256)]), Letters+Digits+"_-.[]%+")
}

// Err returns CodeInvalid with the faults found so far that are the same for all merchants, nil if there are none.
func (f Reader) Err() error { return invalidIf(f.found.forEverybody()) }

// errUnder returns CodeInvalid with all faults found so far under some rules, nil if there are none.
func (f Reader) errUnder(rules Rules) error {
	faults, _ := f.found.under(rules)
	return invalidIf(faults)
}

func invalidIf(faults []fault.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	return fault.Invalid(faults)
}

// Fail adds a fault of a member.
func (f Reader) Fail(name, text string) { f.fail(f.join(name), text) }

// fail adds a fault of the value at a path.
func (f Reader) fail(path, text string) {
	f.found.add(finding{fault.Of(path, text), f.under})
}

// silent returns a reader of the same object that collects faults apart from the request's.
func (f Reader) silent() Reader {
	f.found = &findings{}
	return f
}

// depends returns a reader of the same object whose faults have a condition.
func (f Reader) depends(on condition) Reader {
	f.under = on
	return f
}

func (f Reader) join(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

// value returns a member, null if it is absent.
func (f Reader) value(name string) value {
	v := f.object.get(name).present()
	if v.kind == kindText && slices.Contains(f.noValue, strings.TrimSpace(v.text)) {
		return value{}
	}
	return v
}

// present returns the value, or null for an empty or blank text and an empty list, which are read as absent.
func (v value) present() value {
	if v.kind == kindText && strings.TrimSpace(v.text) == "" || v.kind == kindList && len(v.inside.members) == 0 {
		return value{}
	}
	return v
}

// Has reports whether a member is present: not null, an empty or blank text, or an empty list.
func (f Reader) Has(name string) bool { return f.value(name).kind != kindNull }

// IsNumber reports whether a member is a JSON number.
func (f Reader) IsNumber(name string) bool { return f.object.get(name).kind == kindNumber }

// Text reads a text, "" if it is absent or not valid. A number is read as its literal text. Only the first fault that a
// check finds is added; without checks a text may have up to 255 characters.
func (f Reader) Text(name string, checks ...Check) string {
	text, fault := f.value(name).checked(checks)
	if fault != "" {
		f.Fail(name, fault)
	}
	return text
}

// checked returns a value as a text, "" if it is absent or not valid, and its fault.
func (v value) checked(checks []Check) (text, fault string) {
	text, ok := v.plain()
	switch {
	case !ok || method.HasControl(text):
		return "", method.NotValid(method.RuleText)
	case text == "":
		return "", ""
	case len(checks) == 0:
		fault = method.LengthFault(text, 1, 255)
	}
	for _, find := range checks {
		if fault == "" {
			fault = find(text)
		}
	}
	if fault != "" {
		return "", fault
	}
	return text, ""
}

// plain returns the text of a text or a number, "" if the value is absent. ok is false for other values.
func (v value) plain() (text string, ok bool) {
	switch v.kind {
	case kindNull:
		return "", true
	case kindText, kindNumber:
		return v.text, true
	}
	return "", false
}

// Required reads a text as Text does. It is a fault if the text is absent.
func (f Reader) Required(name string, checks ...Check) string {
	if !f.Has(name) {
		f.Fail(name, method.TextBlank)
		return ""
	}
	return f.Text(name, checks...)
}

// Amount reads an amount as Text does. An empty list is not read as absent, since that would change the amount.
func (f Reader) Amount(name string, checks ...Check) string {
	if f.object.get(name).kind == kindList {
		f.Fail(name, method.NotValid("It should be a number such as 10.00."))
		return ""
	}
	return f.Text(name, checks...)
}

// isBlank reports whether a member was sent as an empty or blank text.
func (f Reader) isBlank(name string) bool {
	v := f.object.get(name)
	return v.kind == kindText && strings.TrimSpace(v.text) == ""
}

// Flag reads a boolean, false if it is absent. It accepts 1 and 0, too, and the texts true, false, yes, no, y and n in
// upper or lower case.
func (f Reader) Flag(name string) bool {
	v := f.value(name)
	switch strings.ToLower(v.text) {
	case "true", "1", "y", "yes":
		return true
	case "false", "0", "n", "no":
		return false
	}
	if v.kind != kindNull {
		f.Fail(name, method.NotValid(method.RuleBool))
	}
	return false
}

// integer reads a whole number from least to most, and returns absent if there is none. 15, "15" and 15.0 are the same.
func (f Reader) integer(name string, absent, least, most int) int {
	text, ok := f.value(name).plain()
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

// Inside returns a reader of a member that is an object. If it is absent, all its members are absent. If it is not an
// object, that is one fault, and its absent members are not further ones.
func (f Reader) Inside(name string) Reader { return f.at(f.join(name), f.value(name)) }

// at returns a reader of the object at a path.
func (f Reader) at(path string, v value) Reader {
	in := f
	in.path, in.object = path, nil
	switch v.kind {
	case kindNull:
	case kindObject:
		in.object = v.inside
	default:
		f.fail(path, method.NotValid(method.RuleObject))
		in = in.silent()
	}
	return in
}

// list reads the items of a list.
type list struct {
	Reader
	items []value
}

// list reads a list. An object whose names are all numbers is a list too: PHP writes a list with a gap, and a form with
// brackets, like that. Too many items are one fault.
func (f Reader) list(name string) list {
	l := list{Reader: f}
	l.path = f.join(name)
	items, ok := f.value(name).items()
	if !ok || len(items) > maxItems {
		f.Fail(name, method.NotValid(fmt.Sprintf("It should be a list of at most %d items.", maxItems)))
		return l
	}
	l.items = items
	return l
}

func (v value) items() (items []value, ok bool) {
	switch v.kind {
	case kindNull:
		return nil, true
	case kindList, kindObject:
		items = make([]value, len(v.inside.members))
		for i, m := range v.inside.members {
			if v.kind == kindObject && !isIndex(m.name) {
				return nil, false
			}
			items[i] = m.present()
		}
		return items, true
	}
	return nil, false
}

func isIndex(name string) bool {
	_, err := strconv.ParseUint(name, 10, 32)
	return err == nil
}

// itemPath returns the path of an item.
func (l list) itemPath(i int) string { return l.path + "[" + strconv.Itoa(i) + "]" }

// required reads an item as a text. It is a fault if the item is absent.
func (l list) required(i int, checks ...Check) string {
	text, fault := l.items[i].checked(checks)
	if l.items[i].kind == kindNull {
		fault = method.TextBlank
	}
	if fault != "" {
		l.fail(l.itemPath(i), fault)
	}
	return text
}

// inside returns a reader of an item that is an object.
func (l list) inside(i int) Reader { return l.at(l.itemPath(i), l.items[i]) }
