package template

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

// value is resolved data with its place. A method that does not find what it expects adds a fault and returns the zero
// value, so that one reading of the template reports everything.
type value struct {
	r     *reader
	place string
	data  any // nil, string, int64, bool, []any or map[string]any
}

func (v value) present() bool { return v.data != nil }

func (v value) get(key string) value {
	inner := value{r: v.r, place: v.place + "." + key}
	switch data := v.data.(type) {
	case nil:
	case map[string]any:
		inner.data = data[key]
	default:
		v.r.fail(v.place, "should be a mapping")
	}
	return inner
}

// keys lists a mapping's keys in alphabetical order.
func (v value) keys() []string {
	data, ok := v.data.(map[string]any)
	if !ok && v.present() {
		v.r.fail(v.place, "should be a mapping")
	}
	keys := make([]string, 0, len(data))
	for key := range data {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// list is the elements of a list; anything else is a list of itself, as in policies.
func (v value) list() []value {
	switch data := v.data.(type) {
	case nil:
		return nil
	case []any:
		found := make([]value, len(data))
		for i, element := range data {
			found[i] = value{r: v.r, place: v.place + "." + strconv.Itoa(i), data: element}
		}
		return found
	default:
		return []value{v}
	}
}

func (v value) texts() []string {
	var found []string
	for _, element := range v.list() {
		found = append(found, element.need())
	}
	return found
}

// text is a scalar as text, empty when absent.
func (v value) text() string {
	switch data := v.data.(type) {
	case nil:
		return ""
	case string:
		return data
	case bool, int64:
		return fmt.Sprint(data)
	default:
		v.r.fail(v.place, "should be a text")
		return ""
	}
}

// need is text that must be there.
func (v value) need() string {
	text := v.text()
	if text == "" {
		v.r.fail(v.place, "missing")
	}
	return text
}

func (v value) number(otherwise int) int {
	if !v.present() {
		return otherwise
	}
	number, err := strconv.Atoi(v.text())
	if err != nil {
		v.r.fail(v.place, "should be a whole number")
	}
	return number
}

func (v value) seconds(otherwise int) time.Duration {
	return time.Duration(v.number(otherwise)) * time.Second
}

func (v value) yes(otherwise bool) bool {
	if !v.present() {
		return otherwise
	}
	return strings.EqualFold(v.text(), "true")
}

// merge adds a function's own properties to those of Globals: mappings are merged, lists appended, other values
// replaced.
func merge(global, own any) any {
	switch own := own.(type) {
	case nil:
		return global
	case map[string]any:
		base, ok := global.(map[string]any)
		if !ok {
			return own
		}
		joined := map[string]any{}
		for key, inner := range base {
			joined[key] = inner
		}
		for key, inner := range own {
			joined[key] = merge(base[key], inner)
		}
		return joined
	case []any:
		if base, ok := global.([]any); ok {
			return append(append([]any{}, base...), own...)
		}
	}
	return own
}
