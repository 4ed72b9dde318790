package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// The limits of a request body (decisions.md 1).
const (
	// MaxBody is the most bytes of a request (decisions.md 1).
	MaxBody  = 256 << 10
	maxDepth = 32 // objects and lists inside one another, the outermost being the first
)

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
	text   string  // what a text says; of all others, how they are written
	inside *object // of lists and objects
}

// object is a JSON object as sent, its members in the order of the body. Of a list they have no names.
type object struct {
	members []member
	index   map[string]int // of members that are too many to look through
}

type member struct {
	name string
	value
}

// manyMembers are so many that an object has an index of their names.
const manyMembers = 32

// readObject reads a body that must be one JSON object. A name that comes twice is refused, since readers disagree about
// which of the two counts; so is text that is not UTF-8. A byte order mark before the object is skipped, half a surrogate
// pair becomes U+FFFD. All texts are parts of one copy of the body, so who keeps one for long copies it.
func readObject(body []byte) (*object, error) {
	if len(body) > MaxBody {
		return nil, errBody
	}
	body = bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, errBody
	}
	d := decoder{json: string(body)}
	v, err := d.value(1)
	if err != nil || v.kind != kindObject {
		return nil, errBody
	}
	return v.inside, nil
}

// decoder takes apart a text that encoding/json has found to be valid JSON, so that it need not check what stands where.
type decoder struct {
	json string
	at   int
}

// next skips white space, commas and colons, and returns the character behind them.
func (d *decoder) next() byte {
	for ; d.at < len(d.json); d.at++ {
		switch c := d.json[d.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return c
		}
	}
	return 0 // can't be: the value is complete
}

func (d *decoder) value(depth int) (value, error) {
	switch d.next() {
	case '{':
		return d.nested(kindObject, '}', depth)
	case '[':
		return d.nested(kindList, ']', depth)
	case '"':
		return value{kind: kindText, text: d.string()}, nil
	case 'n':
		d.literal()
		return value{}, nil
	case 't', 'f':
		return value{kind: kindBool, text: d.literal()}, nil
	}
	return value{kind: kindNumber, text: d.literal()}, nil
}

// nested reads an object or a list, whose last character is end.
func (d *decoder) nested(kind kind, end byte, depth int) (value, error) {
	if depth > maxDepth {
		return value{}, errBody
	}
	v := value{kind: kind, inside: &object{}}
	begin := d.at
	d.at++
	for d.next() != end {
		name := ""
		if kind == kindObject {
			name = d.string()
			d.next()
		}
		inner, err := d.value(depth + 1)
		if err != nil {
			return value{}, err
		}
		if kind == kindList {
			v.inside.members = append(v.inside.members, member{value: inner})
		} else if !v.inside.add(name, inner) {
			return value{}, errBody
		}
	}
	d.at++
	v.text = d.json[begin:d.at]
	return v, nil
}

// string reads a text, which begins here.
func (d *decoder) string() string {
	begin := d.at
	escaped := false
	for d.at++; d.json[d.at] != '"'; d.at++ {
		if d.json[d.at] == '\\' {
			escaped = true
			d.at++
		}
	}
	d.at++
	if !escaped {
		return d.json[begin+1 : d.at-1]
	}
	var text string
	if err := json.Unmarshal([]byte(d.json[begin:d.at]), &text); err != nil {
		panic("a text of valid JSON: " + err.Error()) // can't be
	}
	return text
}

// literal reads a number, true, false or null, which begins here.
func (d *decoder) literal() string {
	begin := d.at
	for d.at++; d.at < len(d.json); d.at++ {
		switch d.json[d.at] {
		case ',', ']', '}', ' ', '\t', '\r', '\n':
			return d.json[begin:d.at]
		}
	}
	return d.json[begin:]
}

// find returns where the member of a name stands, -1 if there is none.
func (o *object) find(name string) int {
	if o.index != nil {
		if i, found := o.index[name]; found {
			return i
		}
		return -1
	}
	for i := range o.members {
		if o.members[i].name == name {
			return i
		}
	}
	return -1
}

// get returns a member's value, null if there is none.
func (o *object) get(name string) value {
	if o == nil {
		return value{}
	}
	if i := o.find(name); i >= 0 {
		return o.members[i].value
	}
	return value{}
}

// add appends a member, unless there is one of that name.
func (o *object) add(name string, v value) bool {
	if o.find(name) >= 0 {
		return false
	}
	if o.index == nil && len(o.members) == manyMembers {
		o.index = map[string]int{}
		for i := range o.members {
			o.index[o.members[i].name] = i
		}
	}
	if o.index != nil {
		o.index[name] = len(o.members)
	}
	o.members = append(o.members, member{name, v})
	return true
}
