package template

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// reader reads the template once and collects every fault.
type reader struct {
	file       string
	root       *yaml.Node
	options    Options
	resources  []*resource
	byID       map[string]*resource
	conditions map[string]bool
	lines      map[string]int      // line of each place that was resolved
	active     map[*yaml.Node]bool // being resolved, to find cycles
	faults     []error
}

type resource struct {
	id         string
	kind       string
	node       *yaml.Node
	properties *value // resolved at first use
}

func newReader(file string, root *yaml.Node, options Options) *reader {
	r := &reader{
		file: file, root: root, options: options,
		byID: map[string]*resource{}, conditions: map[string]bool{}, lines: map[string]int{}, active: map[*yaml.Node]bool{},
	}
	resources := child(root, "Resources")
	if resources == nil {
		r.fail("Resources", "missing")
		return r
	}
	for i := 0; i+1 < len(resources.Content); i += 2 {
		id, node := resources.Content[i].Value, resources.Content[i+1]
		r.lines["Resources."+id] = resources.Content[i].Line
		if condition := child(node, "Condition"); condition != nil &&
			!r.condition(condition.Value, "Resources."+id+".Condition") {
			continue
		}
		kind := child(node, "Type")
		if kind == nil {
			r.fail("Resources."+id, "has no Type")
			continue
		}
		x := &resource{id: id, kind: kind.Value, node: node}
		r.resources = append(r.resources, x)
		r.byID[id] = x
	}
	return r
}

func propertiesOf(id string) string { return "Resources." + id + ".Properties" }

// fail adds a fault. Its line is that of the place or of the nearest place around it.
func (r *reader) fail(place, format string, arguments ...any) {
	line := 0
	for near := place; line == 0 && near != ""; {
		line = r.lines[near]
		near = near[:max(strings.LastIndex(near, "."), 0)]
	}
	r.faults = append(r.faults, fmt.Errorf("%s:%d: %s: %s", r.file, line, place, fmt.Sprintf(format, arguments...)))
}

// child is the value under a key of a mapping, or nil.
func child(node *yaml.Node, key string) *yaml.Node {
	if node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

// of lists the resources of a kind in the order of the file.
func (r *reader) of(kinds ...string) []*resource {
	var found []*resource
	for _, x := range r.resources {
		for _, kind := range kinds {
			if x.kind == kind {
				found = append(found, x)
			}
		}
	}
	return found
}

// props resolves the properties of a resource.
func (r *reader) props(x *resource) value {
	if x.properties == nil {
		v := r.at(child(x.node, "Properties"), propertiesOf(x.id))
		x.properties = &v
	}
	return *x.properties
}

// at resolves a node of the template. An absent node becomes an absent value.
func (r *reader) at(node *yaml.Node, place string) value {
	if node == nil {
		return value{r: r, place: place}
	}
	return value{r: r, place: place, data: r.resolve(node, place)}
}

// readRest resolves what the local run does not use, to find broken references there, too.
func (r *reader) readRest() {
	for _, x := range r.resources {
		r.props(x)
	}
	outputs := child(r.root, "Outputs")
	if outputs == nil {
		return
	}
	for i := 0; i+1 < len(outputs.Content); i += 2 {
		place := "Outputs." + outputs.Content[i].Value
		if condition := child(outputs.Content[i+1], "Condition"); condition != nil &&
			!r.condition(condition.Value, place+".Condition") {
			continue
		}
		r.at(child(outputs.Content[i+1], "Value"), place+".Value")
	}
}

// noValue is what AWS::NoValue resolves to: a key or element with it is removed.
type noValue struct{}

// arguments checks how many arguments a function has.
func (r *reader) arguments(node *yaml.Node, place string, count int) []*yaml.Node {
	if node.Kind != yaml.SequenceNode || len(node.Content) != count {
		r.fail(place, "needs a list of %d", count)
		return nil
	}
	return node.Content
}

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
