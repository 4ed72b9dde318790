package request

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	"checkout/internal/method"
)

// Flatten makes custom_data into fields, in its own order: nested
// values get bracketed names (custom_data[list][0]), numbers stay as they
// were written, booleans are true or false, null is left out. The fields end
// before customDataLimit, and where raw stops being JSON.
func Flatten(raw json.RawMessage) []Field {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	flat := &flattening{decoder: decoder, left: customDataLimit}
	// The only errors are the two ends that the sentence above names.
	_ = flat.value("custom_data")
	return flat.fields
}

// customDataLimit bounds the names and values that custom_data makes, in
// bytes: a long name around a long list would otherwise be repeated for every element.
const customDataLimit = 1 << 20

type flattening struct {
	decoder *json.Decoder
	fields  []Field
	left    int // bytes
}

// value reads one JSON value and adds its fields. Every name counts, also
// of what adds no field. io.EOF means that the limit is reached.
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

// CustomData returns custom_data as it was sent, without white space: the order of its names and the
// literal text of its numbers are the merchant's.
func (f Reader) CustomData() json.RawMessage {
	data := f.Inside("custom_data")
	if data.object == nil || len(data.object.members) == 0 {
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(f.value("custom_data").text)); err != nil {
		return nil // can't be: it was read as JSON
	}
	if compact.Len() > smallData && echoSize(Flatten(compact.Bytes())) > maxEcho {
		f.Fail("custom_data", method.NotValid("It is too large to be sent in a callback."))
		return nil
	}
	return compact.Bytes()
}

// smallData is how long custom_data may be so that it can't be too large in a callback, however often names are
// repeated.
const smallData = 512

// maxEcho bounds custom_data in bytes, as a stored callback holds it: names are
// repeated for all that is inside them. A Record has space for that and the rest.
const maxEcho = 256 << 10

// echoSize is how many bytes the fields take in a stored callback, at the least.
func echoSize(fields []Field) int {
	var echo bytes.Buffer
	encoder := json.NewEncoder(&echo)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(fields); err != nil {
		panic("marshal custom_data: " + err.Error()) // can't be: texts
	}
	return echo.Len() - 1 // without the newline
}
