package border

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Value is a body that differs from a good one at a single place.
type Value struct {
	Place []string // names of members; numbers are indexes of lists
	Value any
	Gone  bool // the member is left out
	Body  any  // as a whole

	Ruled   bool       // a rule applies at the place that no schema can say: x-rule
	ReadFor [][]string // of the place and those around it: x-read-for
}

// Without returns the body without the member at the place.
func (v Value) Without() any { return set(v.Body, v.Place, gone{}) }

// Values returns bodies that differ from a good one, for each rule of a schema and of what is in it.
func (d *Document) Values(pointer string, good any) (all []Value) {
	d.walk(pointer, Value{Body: good, Value: good}, func(v Value) { all = append(all, v) })
	return all
}

// walk makes the values of a schema whose good value is v.Value at v.Place of v.Body.
func (d *Document) walk(pointer string, v Value, add func(Value)) {
	if len(v.Place) > 12 {
		return
	}
	options := d.options(pointer)
	for _, option := range options {
		schema := d.schema(option)
		v.Ruled = v.Ruled || schema["x-rule"] != nil
		if list, ok := schema["x-read-for"].([]any); ok {
			v.ReadFor = append(slices.Clip(v.ReadFor), texts(list))
		}
	}
	for _, option := range options {
		for _, other := range d.at(option, pointer, v.Value) {
			next := v
			next.Value = other
			next.Body = set(v.Body, v.Place, other)
			add(next)
		}
	}
	for _, option := range options {
		d.walkMembers(option, v, add)
	}
}

// walkMembers makes the values of the members and items that an alternative of a schema has.
func (d *Document) walkMembers(option string, v Value, add func(Value)) {
	schema := d.schema(option)
	properties, _ := schema["properties"].(map[string]any)
	inside := func(name, pointer string, empty any) {
		if _, ok := d.At(pointer).(map[string]any); !ok { // true or false
			return
		}
		next := v
		next.Place = append(slices.Clip(v.Place), name)
		if around := get(next.Body, v.Place); d.kindOf(around) != d.kindOf(empty) {
			next.Body = set(next.Body, v.Place, d.sample(option))
		}
		if next.Value = get(next.Body, next.Place); next.Value == nil {
			next.Value = d.sample(pointer)
			next.Body = set(next.Body, next.Place, next.Value)
		}
		d.walk(pointer, next, add)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		inside(name, option+Pointer("properties", name), map[string]any{})
	}
	if schema["items"] != nil {
		inside("0", option+"/items", []any{})
	}
	if _, ok := schema["additionalProperties"].(map[string]any); ok {
		inside(d.nameFor(schema, 0), option+"/additionalProperties", map[string]any{})
	}
	object, _ := v.Value.(map[string]any)
	required := texts(list(schema["required"]))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if slices.Contains(required, name) {
			d.rules[option+"/required"] = true
		} else if properties[name] == nil {
			continue
		}
		next := v
		next.Place, next.Value, next.Gone = append(slices.Clip(v.Place), name), nil, true
		next.Body = set(v.Body, next.Place, gone{})
		for _, of := range d.options(option + Pointer("properties", name)) {
			next.Ruled = next.Ruled || d.schema(of)["x-rule"] != nil
		}
		add(next)
	}
}

// at returns values inside and outside of the rules of one alternative of the schema at a pointer.
func (d *Document) at(option, pointer string, good any) (values []any) {
	schema := d.schema(option)
	rule := func(name string) (any, bool) {
		value, ok := schema[name]
		if ok {
			d.rules[option+"/"+name] = true
		}
		return value, ok
	}
	text, isText := good.(string)
	if !isText {
		text, _ = d.sample(option).(string)
	}
	if value, ok := rule("enum"); ok {
		values = append(append(values, list(value)...), noSuch, strings.ToUpper(text)+"X", 1000)
	}
	if value, ok := rule("const"); ok && value != nil {
		values = append(values, value, noSuch)
	}
	if schema["format"] != nil {
		rule("format")
	}
	pattern, _ := schema["pattern"].(string)
	if pattern != "" && (schema["format"] == nil || !d.form(pattern).MatchString(strings.ToUpper(text))) {
		rule("pattern") // else the format, which comes first, refuses all that is tried
	}
	if pattern != "" || schema["format"] != nil {
		values = append(values, strings.ToUpper(text), text, text+"~", "~"+text, text+" ", noSuch, text+"\x01", text+text,
			"~~")
		if len(text) > 1 {
			values = append(values, text[:len(text)-1], text[1:])
		}
	}
	for _, name := range []string{"minLength", "maxLength"} {
		if value, ok := rule(name); ok {
			for _, n := range around(name, value) {
				values = append(values, d.sized(option, text, n))
			}
		}
	}
	for _, name := range []string{"minimum", "maximum", "exclusiveMinimum"} {
		if value, ok := schema[name].(int); ok { // next to a fraction is nothing
			rule(name)
			for _, n := range around(name, value) {
				values = append(values, n)
			}
		}
	}
	for _, name := range []string{"minItems", "maxItems"} {
		if value, ok := rule(name); ok {
			for _, n := range around(name, value) {
				values = append(values, d.items(option+"/items", good, n))
			}
		}
	}
	return append(values, d.objects(option, good)...)
}

// items returns a list of n items like those of a good one. Objects differ in their first member that has to be a text.
func (d *Document) items(pointer string, good any, n int) []any {
	like := d.sample(pointer)
	if items := list(good); len(items) > 0 {
		like = items[0]
	}
	object, _ := like.(map[string]any)
	key := ""
	for _, option := range d.options(pointer) {
		for _, name := range texts(list(d.schema(option)["required"])) {
			if _, ok := object[name].(string); ok && key == "" {
				key = name
			}
		}
	}
	all := []any{}
	for i := range n {
		if key != "" {
			other := maps.Clone(object)
			other[key], like = fmt.Sprint(object[key], i), other
		}
		all = append(all, like)
	}
	return all
}

// objects returns values inside and outside of the rules of names and numbers of members.
func (d *Document) objects(option string, good any) (values []any) {
	schema := d.schema(option)
	object, _ := good.(map[string]any)
	with := func(name string) map[string]any {
		more := maps.Clone(object)
		if more == nil {
			more = map[string]any{}
		}
		more[name] = d.sample(option + "/additionalProperties")
		return more
	}
	for _, name := range []string{"minProperties", "maxProperties"} {
		if value, ok := schema[name]; ok {
			d.rules[option+"/"+name] = true
			for _, n := range around(name, value) {
				many := map[string]any{}
				for i := range n {
					many[d.nameFor(schema, i)] = d.sample(option + "/additionalProperties")
				}
				values = append(values, many)
			}
		}
	}
	if schema["additionalProperties"] == false {
		d.rules[option+"/additionalProperties"] = true
		values = append(values, with("no_such"))
	}
	if schema["propertyNames"] != nil {
		d.rules[option+"/propertyNames/pattern"] = true
		values = append(values, with(noSuch))
	}
	return values
}

// noSuch is a text that no list has and few patterns match.
const noSuch = "no~such"

// around returns the numbers at a border: one inside and one outside.
func around(name string, bound any) []int {
	n, ok := bound.(int)
	switch {
	case !ok: // larger than JSON's whole numbers
		return nil
	case name == "exclusiveMinimum":
		return []int{n + 1, n, n - 1}
	case strings.HasPrefix(name, "min"):
		return []int{n, n - 1}
	}
	return []int{n, n + 1}
}

func (d *Document) kindOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return ""
}

func list(value any) []any {
	items, _ := value.([]any)
	return items
}

func texts(items []any) (all []string) {
	for _, item := range items {
		all = append(all, fmt.Sprint(item))
	}
	return all
}
