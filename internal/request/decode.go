package request

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep objects and lists may be nested, the outermost being 1 (protocol.md, Requests).
const maxDepth = 32

var errBody = errors.New("request data is invalid")

type kind uint8

// The kinds of JSON values. The zero value is null, which reads as absent.
const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindText
	kindList
	kindObject
)

// value is one JSON value as sent.
type value struct {
	kind   kind
	text   string  // the content of a text; the literal of another value
	inside *Object // of lists and objects
}

// Object is a JSON object as sent, with its members in the same order. It also holds the values of a list, without
// names.
type Object struct {
	members []member
	index   map[string]int // position of each name, from 1; nil if there are only a few members
}

type member struct {
	name string
	value
}

// manyMembers is the number of members from which an object has an index of their names.
const manyMembers = 32

// ReadObject reads a text that must be one JSON object. It refuses a name that occurs twice, since readers of JSON
// differ in which of the two they use, and text that is not UTF-8. It skips a byte order mark before the object; half a
// surrogate pair becomes U+FFFD. All texts of the object share one copy of the input, so copy what is stored for long.
func ReadObject(text []byte) (*Object, error) {
	text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	if !utf8.Valid(text) {
		return nil, errBody
	}
	var open [manyMembers]member
	d := decoder{json: string(text), open: open[:0]}
	v, ok := d.value(1)
	if d.next(); !ok || v.kind != kindObject || d.at < len(d.json) {
		return nil, errBody
	}
	return v.inside, nil
}

// decoder reads JSON as encoding/json does, but faster. A test compares the two.
type decoder struct {
	json string
	at   int
	open []member // of the objects and lists that are not complete yet, the outermost first
}

// next skips white space and returns the character after it, 0 at the end.
func (d *decoder) next() byte {
	for ; d.at < len(d.json); d.at++ {
		switch c := d.json[d.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// skip reads a character, if it is the next one after white space, and reports whether it is.
func (d *decoder) skip(c byte) bool {
	found := d.next() == c
	if found {
		d.at++
	}
	return found
}

func (d *decoder) value(depth int) (v value, ok bool) {
	switch d.next() {
	case '{':
		return d.nested(kindObject, '}', depth)
	case '[':
		return d.nested(kindList, ']', depth)
	case '"':
		text, ok := d.string()
		return value{kind: kindText, text: text}, ok
	case 't':
		return value{kind: kindBool, text: "true"}, d.word("true")
	case 'f':
		return value{kind: kindBool, text: "false"}, d.word("false")
	case 'n':
		return value{}, d.word("null")
	}
	text, ok := d.number()
	return value{kind: kindNumber, text: text}, ok
}

// nested reads an object or a list, whose last character is end.
func (d *decoder) nested(kind kind, end byte, depth int) (v value, ok bool) {
	if depth > maxDepth {
		return v, false
	}
	begin, first := d.at, len(d.open)
	d.at++
	for ended := d.skip(end); !ended; {
		var m member
		if kind == kindObject {
			if m.name, ok = d.string(); !ok || !d.skip(':') {
				return v, false
			}
		}
		if m.value, ok = d.value(depth + 1); !ok {
			return v, false
		}
		d.open = append(d.open, m)
		if ended = d.skip(end); !ended && !d.skip(',') {
			return v, false
		}
	}
	v = value{kind, d.json[begin:d.at], &Object{members: slices.Clone(d.open[first:])}}
	d.open = d.open[:first]
	return v, kind == kindList || v.inside.distinct()
}

// string reads a text.
func (d *decoder) string() (text string, ok bool) {
	if !d.skip('"') {
		return "", false
	}
	begin, escaped := d.at, false
	for ; d.at < len(d.json); d.at++ {
		switch c := d.json[d.at]; {
		case c == '"':
			text = d.json[begin:d.at]
			d.at++
			if escaped {
				return unescape(text)
			}
			return text, true
		case c == '\\':
			escaped = true
			d.at++ // an escaped quote does not end the text
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// number reads a number: -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func (d *decoder) number() (text string, ok bool) {
	begin := d.at
	d.one("-")
	if !d.one("0") && d.digits() == 0 || d.one(".") && d.digits() == 0 {
		return "", false
	}
	if d.one("eE") {
		d.one("+-")
		if d.digits() == 0 {
			return "", false
		}
	}
	return d.json[begin:d.at], true
}

// one reads a character, if it is one of these, and reports whether it is.
func (d *decoder) one(of string) bool {
	found := d.at < len(d.json) && strings.IndexByte(of, d.json[d.at]) >= 0
	if found {
		d.at++
	}
	return found
}

// digits reads digits and returns how many.
func (d *decoder) digits() int {
	begin := d.at
	for d.at < len(d.json) && d.json[d.at] >= '0' && d.json[d.at] <= '9' {
		d.at++
	}
	return d.at - begin
}

// word reads a word, and reports whether it is there.
func (d *decoder) word(word string) bool {
	found := strings.HasPrefix(d.json[d.at:], word)
	if found {
		d.at += len(word)
	}
	return found
}

// find returns the index of the member with a name, -1 if there is none.
func (o *Object) find(name string) int {
	if o.index != nil {
		return o.index[name] - 1
	}
	for i := range o.members {
		if o.members[i].name == name {
			return i
		}
	}
	return -1
}

// distinct reports whether all names are different. If there are many, it makes the index.
func (o *Object) distinct() bool {
	if len(o.members) <= manyMembers {
		for i := range o.members {
			if o.find(o.members[i].name) < i {
				return false
			}
		}
		return true
	}
	o.index = make(map[string]int, len(o.members))
	for i := range o.members {
		o.index[o.members[i].name] = i + 1
	}
	return len(o.index) == len(o.members)
}

// get returns a member's value, null if there is none.
func (o *Object) get(name string) value {
	if o != nil {
		if i := o.find(name); i >= 0 {
			return o.members[i].value
		}
	}
	return value{}
}

// add appends a member, unless there is one with that name.
func (o *Object) add(name string, v value) {
	if o.find(name) >= 0 {
		return
	}
	o.members = append(o.members, member{name, v})
	switch {
	case o.index != nil:
		o.index[name] = len(o.members)
	case len(o.members) > manyMembers:
		o.distinct()
	}
}
