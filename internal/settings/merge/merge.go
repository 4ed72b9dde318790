// Package merge changes stored settings by what a file names, and finds what is other after a change. It knows JSON
// only, and nothing of what settings mean.
package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Into returns a stored JSON object as changed by another one, which Read has read. What the change leaves out
// stays, and null removes a member. A list whose items have an id or a name is changed item by item: what the change
// names is changed or added, the other items stay. Where it names all of them, its order counts. Written as an
// object by id or name, it removes those that are null. Any other list is replaced. An error names the place.
func Into(stored []byte, change map[string]any) ([]byte, error) {
	before, err := Read(stored)
	if err != nil {
		return nil, err
	}
	merged, err := into(before, change, "")
	if err != nil {
		return nil, err
	}
	return json.Marshal(merged)
}

// Error is a place at which a change can't be made.
type Error struct {
	Place string // with the id or name of each item
	Text  string // a sentence
}

func (e *Error) Error() string { return e.Place + ": " + e.Text }

func wrong(place, text string) error { return &Error{place, text} }

// object is a JSON object.
type object = map[string]any

// Read reads a JSON object, with numbers as they are written.
func Read(text []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var o object
	if err := decoder.Decode(&o); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("something follows the JSON object")
	}
	return o, nil
}

// into returns the value at a path as it is changed.
func into(before, change any, path string) (any, error) {
	stored, _ := before.([]any)
	if key := keyOf(stored, itemKeys); key != "" {
		named, ordered, err := items(change, key, path)
		if err != nil {
			return nil, err
		}
		return mergeList(stored, named, ordered, path)
	}
	switch change := change.(type) {
	case object:
		old, _ := before.(object)
		return mergeObject(old, change, path)
	case []any: // in place of nothing, or of another list
		list := make([]any, len(change))
		for i, item := range change {
			var err error
			if list[i], err = into(nil, item, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return change, nil
}

func mergeObject(before, change object, path string) (any, error) {
	merged := maps.Clone(before)
	if merged == nil {
		merged = object{}
	}
	for name, value := range change {
		if value == nil {
			delete(merged, name)
			continue
		}
		at := name
		if path != "" {
			at = path + "." + name
		}
		var err error
		if merged[name], err = into(before[name], value, at); err != nil {
			return nil, err
		}
	}
	return merged, nil
}

// item is what a change says of one item of a list: nil if it shall go.
type item struct {
	key, id string
	to      any
}

// items returns what a change names of a list whose items are known by key, and whether its order counts.
func items(change any, key, path string) (all []item, ordered bool, err error) {
	switch change := change.(type) {
	case object:
		for _, id := range slices.Sorted(maps.Keys(change)) {
			all = append(all, item{key, id, change[id]})
		}
		return all, false, nil
	case []any:
		for i, value := range change {
			id := textOf(value, key)
			if id == "" {
				return nil, false, wrong(fmt.Sprintf("%s[%d]", path, i), "It has no "+key+".")
			}
			if slices.ContainsFunc(all, func(one item) bool { return one.id == id }) {
				return nil, false, wrong(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%q is there twice.", id))
			}
			all = append(all, item{key, id, value})
		}
		if len(all) == 0 {
			return nil, false, wrong(path, `It names nothing. To remove an item, name it, as in {"NAME": null}.`)
		}
		return all, true, nil
	}
	return nil, false, wrong(path, "It should be a list, or an object by "+key+".")
}

func mergeList(before []any, named []item, ordered bool, path string) (any, error) {
	rest := slices.Clone(before)
	var added []any
	merged := make([]any, 0, len(named))
	for _, one := range named {
		at := fmt.Sprintf("%s[%s]", path, one.id)
		is := func(value any) bool { return textOf(value, one.key) == one.id }
		i := slices.IndexFunc(rest, is)
		switch {
		case one.to == nil && i < 0:
			return nil, wrong(at, "There is none to remove.")
		case one.to == nil:
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		var old any
		if i >= 0 {
			old = rest[i]
		}
		value, err := into(old, one.to, at)
		if err != nil {
			return nil, err
		}
		changed, isObject := value.(object)
		if !isObject {
			return nil, wrong(at, "It should be an object.")
		}
		changed[one.key] = one.id
		if merged = append(merged, changed); i >= 0 {
			rest[i] = changed
		} else {
			added = append(added, changed)
		}
	}
	if ordered && len(merged)-len(added) == len(rest) { // it names all of them
		return merged, nil
	}
	return append(rest, added...), nil
}

// itemKeys are the members by which items of lists are known.
var itemKeys = []string{"id", "name"}

// keyOf returns by which member the items of a list are known: the first of keys that all items have, "" for none.
func keyOf(list []any, keys []string) string {
	for _, key := range keys {
		if len(list) > 0 && !slices.ContainsFunc(list, func(value any) bool { return textOf(value, key) == "" }) {
			return key
		}
	}
	return ""
}

func textOf(value any, member string) string {
	o, _ := value.(object)
	text, _ := o[member].(string)
	return text
}
