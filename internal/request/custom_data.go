package request

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	"checkout/internal/method"
)

// Flatten returns custom_data as fields, in the same order: nested values get names with brackets
// (custom_data[list][0]), numbers stay as they were written, booleans are true or false, null is left out. It stops at
// customDataLimit, and where raw is not valid JSON.
func Flatten(raw json.RawMessage) []Field {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	flat := &flattening{decoder: decoder, left: customDataLimit}
	_ = flat.value("custom_data") // the errors are the two reasons to stop
	return flat.fields
}

// customDataLimit is the most bytes of the names and values of custom_data's fields. Without it, a long name around a
// long list would be repeated for every element.
const customDataLimit = 1 << 20

// flattening is a run of Flatten.
type flattening struct {
	decoder *json.Decoder
	fields  []Field
	left    int // bytes before the limit
}

// value reads one JSON value and adds its fields. Every name counts towards the limit, also without a field. io.EOF
// means that the limit is reached.
func (f *flattening) value(name string) error {
	token, err := f.decoder.Token()
	if err != nil {
		return err
	}
	if f.left -= len(name); f.left < 0 {
		return io.EOF
	}
	switch token := token.(type) {
	case json.Delim:
		return f.nested(name, token == '[')
	case string:
		return f.add(name, token)
	case json.Number:
		return f.add(name, token.String())
	case bool:
		return f.add(name, strconv.FormatBool(token))
	}
	return nil
}

func (f *flattening) nested(name string, list bool) error {
	for i := 0; f.decoder.More(); i++ {
		key := strconv.Itoa(i)
		if !list {
			token, err := f.decoder.Token()
			if err != nil {
				return err
			}
			key = token.(string) // a JSON object's names are strings
		}
		if err := f.value(name + "[" + key + "]"); err != nil {
			return err
		}
	}
	_, err := f.decoder.Token()
	return err
}

func (f *flattening) add(name, value string) error {
	if f.left -= len(value); f.left < 0 {
		return io.EOF
	}
	f.fields = append(f.fields, Field{name, value})
	return nil
}

// Field is one parameter of a callback. A nested name has brackets: custom_data[key].
type Field struct {
	Name, Value string
}

// CustomData returns custom_data as it was sent, without white space. The order of its names and the literal text of
// its numbers stay the same.
func (f Reader) CustomData() json.RawMessage {
	data := f.Inside("custom_data")
	if data.object == nil || len(data.object.members) == 0 {
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(f.value("custom_data").text)); err != nil {
		return nil // can't happen: it was read as JSON
	}
	if compact.Len() > smallData && echoSize(Flatten(compact.Bytes())) > maxEcho {
		f.Fail("custom_data", method.NotValid("It is too large to be sent in a callback."))
		return nil
	}
	return compact.Bytes()
}

// smallData is the most bytes of custom_data that can't be too large in a callback, however often names are repeated.
const smallData = 512

// maxEcho is the most bytes of custom_data in a stored callback, where names are repeated for all values inside them.
// It leaves enough space in a store.Record for the rest of the callback.
const maxEcho = 256 << 10

// echoSize returns the least number of bytes of the fields in a stored callback.
func echoSize(fields []Field) int {
	var echo bytes.Buffer
	encoder := json.NewEncoder(&echo)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(fields); err != nil {
		panic("marshal custom_data: " + err.Error()) // can't happen: fields are texts
	}
	return echo.Len() - 1 // without the newline
}
