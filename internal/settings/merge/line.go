package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Lines says on which lines of a JSON text its values are.
type Lines struct {
	line    int
	members map[string]*Lines
	items   []*Lines
	text    string // of a text
}

// lineReader reads a JSON text and counts its lines.
type lineReader struct {
	*json.Decoder
	text  []byte
	line  int // of the last token, from 1 on
	until int // how many bytes were looked at
	twice []string
}

// ReadLines returns on which lines the values of a JSON text are, and a sentence for each member that an object has
// twice, of which only the last would count. An error names the line.
func ReadLines(text []byte) (all *Lines, twice []string, err error) {
	r := &lineReader{Decoder: json.NewDecoder(bytes.NewReader(text)), text: text, line: 1}
	all, err = r.value()
	if err == nil {
		if _, next := r.Token(); next != io.EOF {
			r.moveTo(int(r.InputOffset()))
			err = errors.New("something follows the JSON value")
		}
	}
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return all, r.twice, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		r.moveTo(len(bytes.TrimSpace(text)))
		err = errors.New("the text ends too early: a bracket, a brace or a quotation mark is missing")
	case errors.As(err, &syntax):
		at := wrongAt(syntax, text)
		r.moveTo(at)
		err = wrongCharacter(err, text[:at+1])
	}
	return nil, nil, fmt.Errorf("line %d: %w", r.line, err)
}

// wrongAt returns where the character is that an error is about. Of some errors the offset is that of what follows it,
// of others that of the spaces before it.
func wrongAt(err *json.SyntaxError, text []byte) int {
	is := func(i int) bool {
		return strings.HasPrefix(err.Error(), "invalid character "+strconv.QuoteRune(rune(text[i])))
	}
	at := min(max(int(err.Offset)-1, 0), len(text)-1)
	for i := at; i < len(text); i++ {
		if is(i) {
			return i
		}
	}
	return at
}

// wrongCharacter adds to the error of the last character of a text what whoever wrote it may not know of JSON.
func wrongCharacter(err error, until []byte) error {
	last := len(until) - 1
	before := bytes.TrimSpace(until[:last])
	switch c := until[last]; {
	case c == '/' || c == '#':
		return fmt.Errorf("%w: JSON has no comments", err)
	case c == '\'':
		return fmt.Errorf("%w: texts and names stand in double quotation marks", err)
	case bytes.HasSuffix(before, []byte(",")) && (c == ']' || c == '}'):
		return fmt.Errorf("%w: there is a comma too many before it", err)
	case c == '"':
		return fmt.Errorf("%w: a comma or a colon may be missing before it", err)
	}
	return err
}

// moveTo counts the lines up to an offset.
func (r *lineReader) moveTo(offset int) {
	offset = min(offset, len(r.text))
	if offset > r.until {
		r.line += bytes.Count(r.text[r.until:offset], []byte("\n"))
		r.until = offset
	}
}

// next reads a token, and goes to the line on which it ends.
func (r *lineReader) next() (json.Token, error) {
	token, err := r.Token()
	if err == nil {
		r.moveTo(int(r.InputOffset()))
	}
	return token, err
}

func (r *lineReader) value() (*Lines, error) {
	token, err := r.next()
	if err != nil {
		return nil, err
	}
	at := &Lines{line: r.line}
	switch token := token.(type) {
	case string:
		at.text = token
	case json.Delim:
		if token == '{' {
			err = r.object(at)
		} else {
			err = r.list(at)
		}
	}
	return at, err
}

func (r *lineReader) object(to *Lines) error {
	to.members = map[string]*Lines{}
	for r.More() {
		token, err := r.next()
		if err != nil {
			return err
		}
		line, name := r.line, token.(string)
		value, err := r.value()
		if err != nil {
			return err
		}
		value.line = line
		if first := to.members[name]; first != nil {
			r.twice = append(r.twice, fmt.Sprintf("line %d: %q is on line %d already", line, name, first.line))
		}
		to.members[name] = value
	}
	_, err := r.next()
	return err
}

func (r *lineReader) list(to *Lines) error {
	for r.More() {
		item, err := r.value()
		if err != nil {
			return err
		}
		to.items = append(to.items, item)
	}
	_, err := r.next()
	return err
}

// Line returns the line on which the value begins, from 1 on.
func (l *Lines) Line() int { return l.line }

// Item returns an item of a list, and Member a member of an object; nil if there is none.
func (l *Lines) Item(i int) *Lines {
	if i < 0 || i >= len(l.items) {
		return nil
	}
	return l.items[i]
}

// Member returns a member of an object, nil if there is none.
func (l *Lines) Member(name string) *Lines { return l.members[name] }

// Of returns the line of a place, which has items by name, id or number, or the line of what it would be part of.
func (l *Lines) Of(place string) int {
	for l != nil && place != "" {
		below, rest := l.step(place)
		if below == nil {
			break
		}
		l, place = below, strings.TrimPrefix(rest, ".")
	}
	return l.line
}

// step returns what the beginning of a place names, nil for nothing, and the rest of the place.
func (l *Lines) step(place string) (below *Lines, rest string) {
	longest := -1
	for name, value := range l.members {
		if after, is := named(place, name); is && len(name) > longest {
			below, rest, longest = value, after, len(name)
		}
	}
	for i, item := range l.items {
		for _, name := range []string{item.textOf("id"), item.textOf("name"), strconv.Itoa(i)} {
			if after, is := strings.CutPrefix(place, "["+name+"]"); is && below == nil {
				below, rest = item, after
			}
		}
	}
	return below, rest
}

// named reports whether a place begins with a member, or an item that a file has as a member; rest is what follows.
func named(place, name string) (rest string, is bool) {
	if rest, is = strings.CutPrefix(place, "["+name+"]"); is {
		return rest, true
	}
	rest, is = strings.CutPrefix(place, name)
	return rest, is && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func (l *Lines) textOf(name string) string {
	if member := l.members[name]; member != nil {
		return member.text
	}
	return ""
}

// Named returns a path, which numbers items, with the id or name of each item that has one of its own.
func Named(of []byte, path string) string {
	var value any
	if err := json.Unmarshal(of, &value); err != nil {
		return path
	}
	done := ""
	for path != "" {
		end := strings.IndexAny(path[1:], ".[") + 1
		if end == 0 {
			end = len(path)
		}
		step := path[:end]
		path = path[end:]
		switch at := value.(type) {
		case object:
			value = at[strings.TrimPrefix(step, ".")]
		case []any:
			i, err := strconv.Atoi(strings.Trim(step, "[]"))
			if err != nil || i >= len(at) {
				return done + step + path
			}
			if id := idIn(at, i); id != "" {
				step = "[" + id + "]"
			}
			value = at[i]
		}
		done += step
	}
	return done
}

// idIn returns by what an item of a list is known, "" if nothing or if another one is known by it, too.
func idIn(list []any, i int) string {
	key := keyOf(list, itemKeys)
	id := textOf(list[i], key)
	same := func(value any) bool { return textOf(value, key) == id }
	if key == "" || slices.IndexFunc(list, same) != i || slices.ContainsFunc(list[i+1:], same) {
		return ""
	}
	return id
}
