package wallet

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxDepth  = 8  // of objects and lists
	maxFields = 32 // of an object, and of a list
)

// object is a JSON object. Its keys are compared byte for byte: encoding/json would take "DATA" for "data".
type object map[string]any

// parseObject reads a JSON object and nothing behind it. An object with one key twice is refused, since another reader
// of the same text could take the other value.
func parseObject(text []byte) (object, error) {
	if !utf8.Valid(text) {
		return nil, ErrMalformed
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	value, err := parseValue(decoder, 0)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, ErrMalformed
	}
	o, ok := value.(object)
	if !ok {
		return nil, ErrMalformed
	}
	return o, nil
}

func parseValue(decoder *json.Decoder, depth int) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, ErrMalformed // never the error itself, which has a part of the text
	}
	delimiter, ok := token.(json.Delim)
	switch {
	case !ok:
		return token, nil
	case depth == maxDepth:
		return nil, ErrMalformed
	case delimiter == '{':
		return parseFields(decoder, depth+1)
	}
	var list []any
	for decoder.More() {
		value, err := parseValue(decoder, depth+1)
		if err != nil || len(list) == maxFields {
			return nil, ErrMalformed
		}
		list = append(list, value)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, ErrMalformed
	}
	return list, nil
}

func parseFields(decoder *json.Decoder, depth int) (object, error) {
	o := object{}
	for decoder.More() {
		token, err := decoder.Token()
		key, ok := token.(string)
		if _, twice := o[key]; err != nil || !ok || twice || len(o) == maxFields {
			return nil, ErrMalformed
		}
		if o[key], err = parseValue(decoder, depth); err != nil {
			return nil, err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, ErrMalformed
	}
	return o, nil
}

// only returns the object without all fields but these.
func (o object) only(keys ...string) object {
	some := object{}
	for _, key := range keys {
		if value, found := o[key]; found {
			some[key] = value
		}
	}
	return some
}

// jsonText returns the object as JSON.
func (o object) jsonText() string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(o) // what parseObject returns can be encoded
	return strings.TrimSpace(text.String())
}

// text returns a field of 1 to max bytes.
func (o object) text(key string, max int) (string, error) {
	text, ok := o[key].(string)
	if !ok || text == "" || len(text) > max {
		return "", ErrMalformed
	}
	return text, nil
}

// optional returns a field of at most max bytes, "" for one that is absent or null.
func (o object) optional(key string, max int) (string, error) {
	switch text := o[key].(type) {
	case nil:
		return "", nil
	case string:
		if len(text) <= max {
			return text, nil
		}
	}
	return "", ErrMalformed
}

// base64 returns the bytes of a field of at most max characters.
func (o object) base64(key string, max int) ([]byte, error) {
	text, err := o.text(key, max)
	if err != nil {
		return nil, err
	}
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(content) == 0 {
		return nil, ErrMalformed
	}
	return content, nil
}

// number returns a field that is an integer from 0.
func (o object) number(key string) (int64, error) {
	text, ok := o[key].(json.Number)
	if !ok {
		return 0, ErrMalformed
	}
	return integer(text.String())
}

// integer reads digits.
func integer(text string) (int64, error) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, ErrMalformed
	}
	return int64(n), nil
}

func (o object) object(key string) (object, error) {
	inner, ok := o[key].(object)
	if !ok {
		return nil, ErrMalformed
	}
	return inner, nil
}

// texts returns a field that is a list of one text or more, each of at most max bytes.
func (o object) texts(key string, max int) ([]string, error) {
	list, ok := o[key].([]any)
	if !ok || len(list) == 0 {
		return nil, ErrMalformed
	}
	texts := make([]string, len(list))
	for i, value := range list {
		text, ok := value.(string)
		if !ok || len(text) > max {
			return nil, ErrMalformed
		}
		texts[i] = text
	}
	return texts, nil
}
