package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// The limits of a request body (decisions.md 1).
const (
	// MaxBody is the most bytes of a request (decisions.md 1).
	MaxBody  = 256 << 10
	maxDepth = 32 // objects and lists inside one another, the outermost being the first
)

var errBody = errors.New("request data is invalid")

// Object is a JSON object as sent. A value is nil, bool, string, json.Number (so that numbers keep
// their literal text), []any or *object.
type Object struct {
	Names  []string // in the order of the body
	Values map[string]any
	Raw    []byte // its text
}

// ReadObject reads a body that must be one JSON object. A name that comes twice is refused, since
// readers disagree about which of the two counts; so is text that is not UTF-8. A byte order mark
// before the object is skipped, half a surrogate pair becomes U+FFFD.
func ReadObject(body []byte) (*Object, error) {
	if len(body) > MaxBody || !utf8.Valid(body) {
		return nil, errBody
	}
	r := objectReader{body: bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))}
	r.json = json.NewDecoder(bytes.NewReader(r.body))
	r.json.UseNumber()
	value, err := r.value(1)
	if err != nil {
		return nil, err
	}
	o, ok := value.(*Object)
	if _, err := r.json.Token(); !ok || err != io.EOF {
		return nil, errBody
	}
	return o, nil
}

type objectReader struct {
	body []byte
	json *json.Decoder
}

func (r *objectReader) value(depth int) (any, error) {
	token, err := r.json.Token()
	if err != nil {
		return nil, errBody
	}
	delim, ok := token.(json.Delim)
	switch {
	case !ok:
		return token, nil
	case depth > maxDepth:
		return nil, errBody
	case delim == '{':
		return r.object(depth)
	default:
		return r.list(depth)
	}
}

func (r *objectReader) object(depth int) (any, error) {
	start := r.json.InputOffset() - 1
	o := newObject()
	for r.json.More() {
		token, err := r.json.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return nil, errBody
		}
		value, err := r.value(depth + 1)
		if err != nil || !o.add(name, value) {
			return nil, errBody
		}
	}
	if _, err := r.json.Token(); err != nil {
		return nil, errBody
	}
	o.Raw = r.body[start:r.json.InputOffset()]
	return o, nil
}

func (r *objectReader) list(depth int) (any, error) {
	list := []any{}
	for r.json.More() {
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	if _, err := r.json.Token(); err != nil {
		return nil, errBody
	}
	return list, nil
}

func newObject() *Object { return &Object{Values: map[string]any{}} }

// add appends a member, unless there is one of that name.
func (o *Object) add(name string, value any) bool {
	if _, taken := o.Values[name]; taken {
		return false
	}
	o.Names = append(o.Names, name)
	o.Values[name] = value
	return true
}
