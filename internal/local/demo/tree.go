package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// tree is a JSON value whose members keep their order.
type tree struct {
	open   json.Delim // '{' or '[', 0 for a scalar
	names  []string   // of an object's members
	inside []tree
	scalar any // string, json.Number, bool or nil
}

// parseTree reads one JSON value. Its error names the line.
func parseTree(text string) (tree, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	t, err := readTree(d)
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return t, nil
		}
		err = errors.New("there is more behind the end")
	}
	var syntax *json.SyntaxError
	at := d.InputOffset()
	if errors.As(err, &syntax) {
		at = syntax.Offset
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err, at = errors.New("it ends too early"), int64(len(text))
	}
	line := 1 + strings.Count(text[:min(at, int64(len(text)))], "\n")
	return tree{}, fmt.Errorf("line %d is no JSON: %w", line, err)
}

func readTree(d *json.Decoder) (tree, error) {
	token, err := d.Token()
	if err != nil {
		return tree{}, err
	}
	open, nested := token.(json.Delim)
	if !nested {
		return tree{scalar: token}, nil
	}
	t := tree{open: open}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return tree{}, err
			}
			t.names = append(t.names, name.(string)) // the decoder accepts nothing else there
		}
		below, err := readTree(d)
		if err != nil {
			return tree{}, err
		}
		t.inside = append(t.inside, below)
	}
	_, err = d.Token()
	return t, err
}

// member returns a member of an object, and whether there is one that is not null.
func (t tree) member(name string) (tree, bool) {
	for i, known := range t.names {
		if known == name {
			return t.inside[i], t.inside[i].open != 0 || t.inside[i].scalar != nil
		}
	}
	return tree{}, false
}

// text returns a scalar as it is signed, "" for null and whatever is no scalar.
func (t tree) text() string {
	if t.open != 0 || t.scalar == nil {
		return ""
	}
	return fmt.Sprint(t.scalar)
}

// replaced returns the value with replacements in all its texts.
func (t tree) replaced(by *strings.Replacer) tree {
	if text, ok := t.scalar.(string); ok {
		t.scalar = by.Replace(text)
	}
	inside := make([]tree, len(t.inside))
	for i, below := range t.inside {
		inside[i] = below.replaced(by)
	}
	t.inside = inside
	return t
}

// MarshalJSON writes the value in its order.
func (t tree) MarshalJSON() ([]byte, error) {
	if t.open == 0 {
		return plainJSON(t.scalar), nil
	}
	var out bytes.Buffer
	out.WriteByte(byte(t.open))
	for i, below := range t.inside {
		if i > 0 {
			out.WriteByte(',')
		}
		if t.open == '{' {
			out.Write(plainJSON(t.names[i]))
			out.WriteByte(':')
		}
		text, err := below.MarshalJSON()
		if err != nil {
			return nil, err
		}
		out.Write(text)
	}
	out.WriteByte(byte(t.open) + 2) // } and ] come two after { and [
	return out.Bytes(), nil
}

// plainJSON encodes a scalar, without escapes that only HTML needs.
func plainJSON(scalar any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(scalar) // scalars can always be encoded
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// indent writes JSON in lines. What is no JSON stays as it is.
func indent(text []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, text, "", "  ") != nil {
		return string(text)
	}
	return out.String()
}
