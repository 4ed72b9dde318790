package callback

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"checkout/internal/request"
	"checkout/internal/store"
)

// Fields are the fields of a callback. They are stored as a JSON object in their order. custom_data may contain the
// same name twice; both are stored.
type Fields []request.Field

// MarshalJSON implements json.Marshaler.
func (fields Fields) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, field := range fields {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(store.CompactJSON(field.Name))
		out.WriteByte(':')
		out.Write(store.CompactJSON(field.Value))
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (fields *Fields) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if begin, err := decoder.Token(); begin != json.Delim('{') {
		return errors.Join(errors.New("the fields of a callback are no object"), err)
	}
	*fields = nil
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		field := request.Field{Name: name.(string)} // a JSON object's names are strings
		if err := decoder.Decode(&field.Value); err != nil {
			return err
		}
		*fields = append(*fields, field)
	}
	return nil
}

// encodeForm encodes fields as application/x-www-form-urlencoded in their order, without empty values (protocol.md,
// Callbacks).
func encodeForm(fields []request.Field) []byte {
	var out bytes.Buffer
	for _, field := range fields {
		if field.Value == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('&')
		}
		out.WriteString(url.QueryEscape(field.Name) + "=" + url.QueryEscape(field.Value))
	}
	return out.Bytes()
}

// encodeJSON encodes fields as a JSON object of strings in their order, without empty values (protocol.md, Callbacks).
// Bracketed names become nested objects, and an object whose names are exactly 0, 1, 2 ... in this order becomes an
// array. Where the place of a bracketed name is not free, because it would have to be a value and an object at once,
// the field is a member of the top object, with its brackets.
func encodeJSON(fields []request.Field) []byte {
	root := &node{}
	for _, field := range fields {
		if field.Value == "" {
			continue
		}
		if !root.put(splitName(field.Name), field.Value) {
			root.put([]string{field.Name}, field.Value)
		}
	}
	var out bytes.Buffer
	root.writeObject(&out)
	return out.Bytes()
}

// splitName splits custom_data[a][b] into custom_data, a and b.
func splitName(name string) []string {
	base, rest, _ := strings.Cut(name, "[")
	if base == "" || !strings.HasSuffix(rest, "]") {
		return []string{name}
	}
	return append([]string{base}, strings.Split(strings.TrimSuffix(rest, "]"), "][")...)
}

// node is a value, or an object with its names in their order.
type node struct {
	value    string
	names    []string
	children map[string]*node // nil: a value
}

// put sets the value at a path. It returns false if an object is where the value should be, or a value where an object
// should be. The last value of a path wins.
func (n *node) put(path []string, value string) bool {
	child := n.children[path[0]]
	switch {
	case child != nil && (child.children == nil) != (len(path) == 1):
		return false
	case child == nil:
		child = &node{}
		if n.children == nil {
			n.children = map[string]*node{}
		}
		n.children[path[0]] = child
		n.names = append(n.names, path[0])
	}
	if len(path) == 1 {
		child.value = value
		return true
	}
	return child.put(path[1:], value)
}

func (n *node) write(out *bytes.Buffer) {
	switch {
	case n.children == nil:
		writeText(out, n.value)
	case n.isList():
		out.WriteByte('[')
		for i, name := range n.names {
			if i > 0 {
				out.WriteByte(',')
			}
			n.children[name].write(out)
		}
		out.WriteByte(']')
	default:
		n.writeObject(out)
	}
}

func (n *node) writeObject(out *bytes.Buffer) {
	out.WriteByte('{')
	for i, name := range n.names {
		if i > 0 {
			out.WriteByte(',')
		}
		writeText(out, name)
		out.WriteByte(':')
		n.children[name].write(out)
	}
	out.WriteByte('}')
}

func (n *node) isList() bool {
	for i, name := range n.names {
		if name != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

func writeText(out *bytes.Buffer, s string) {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has JSON
	}
	out.Write(quoted)
}
